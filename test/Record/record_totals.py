#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that all levels of a recording add up to its samples.

usage: record_totals.py TOOL PROFILE LEVEL...
"""

import json
import subprocess
import sys


def report(*options):
    return json.loads(subprocess.check_output(
        [sys.argv[1], "report", sys.argv[2], "--format=json", *options]))


def main():
    threads = report("--by=thread")
    (run,) = threads["runs"]
    total = run["samples"] * run["sample_period_ps"]
    assert run["samples"] > 0, run
    assert sum(row["total_ps"] for row in threads["rows"]) == total, threads
    for level in sys.argv[3:]:
        data = report("--level=" + level)
        owned = sum(row["sole_ps"] + row["estimated_ps"]
                    for row in data["rows"])
        coverage = data["coverage"]
        assert owned + coverage["unmatched_ps"] == total, (level, owned, coverage)
        assert coverage["op_time_ps"] == total, (level, coverage)
        # A loop owns its instructions without identity, too.
        if level == "input":
            known = run["identified_samples"] * run["sample_period_ps"]
            assert coverage["unmatched_ps"] <= total - known, (coverage, run)
    print("the levels add up")


if __name__ == "__main__":
    main()
