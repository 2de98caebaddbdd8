#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes records of light-weight profiling of a program, as another tool would.

usage: lwp_program.py SYMBOLS SHIFT

SYMBOLS is the output of llvm-nm for the program, which ran SHIFT bytes after its addresses.
The functions first and second run once each; second has a loop.
"""

import json
import sys


def main():
    """See the top of this file."""
    places = {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            address, _, name = line.split()
            places[name] = int(address, 16) + int(sys.argv[2], 0)
    records = [
        ("first", 4, 0, 100),
        ("first", 9, 0, 180),
        ("second", 5, 1, 200),
        ("second", 6, 2, 210),
        ("second", 8, 2, 270),
        ("second", 10, 1, 300),
    ]
    entries = [
        {"ret": places[name] + offset, "id": number, "cyc": cycle}
        for name, offset, number, cycle in records
    ]
    print(json.dumps({"entries": entries, "loop_counts": [1, 1, 1]}, separators=(",", ":")))


if __name__ == "__main__":
    main()
