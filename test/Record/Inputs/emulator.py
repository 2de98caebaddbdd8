#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the instructions of a report with a count.

usage: emulator.py REPORT.json INSTRUCTIONS

Within 3 %: the package has its functions in other places, and its program has functions of
memory of its own. Prints how many percent have an op.
"""

import json
import sys


def main():
    """See the top of this file."""
    path, expected = sys.argv[1], int(sys.argv[2])
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    coverage = report["coverage"]
    found = coverage["op_instructions"]
    if abs(found - expected) > 0.03 * expected:
        sys.exit(f"{found} instructions, {expected} in the package")
    rows = sum(row["total_instructions"] for row in report["rows"])
    owned = found - coverage["unmatched_instructions"]
    if rows != owned:
        sys.exit(f"{rows} instructions in rows, {owned} with an owner")
    print("as many instructions as the package")
    print("of which", 100 * owned // found, "% have an op")


if __name__ == "__main__":
    main()
