#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that an audit weighs what a pass has lost by the time in a report.

usage: audit_share.py TOOL PROFILE AUDIT.json
"""

import json
import subprocess
import sys


def main():
    tool, profile, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        audit = json.load(file)
    (row,) = [r for r in audit["summary"] if r["pass"] == "test-drop-locations"]
    assert (row["op"], row["lost"]) == ("arith.mulf", 1), row
    report = json.loads(subprocess.check_output(
        [tool, "report", profile, "--level=input", "--format=json"]))
    matmul = sum(r["sole_ps"] + r["estimated_ps"] for r in report["rows"]
                 if r["op"] == "linalg.matmul")
    # The product came from the matmul, whose time depends on it.
    assert matmul > 0 and row["lost_ps"] == matmul, (row, matmul)
    print(f"{row['lost_ps']} ps lost")


if __name__ == "__main__":
    main()
