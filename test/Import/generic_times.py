#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the ops of a report in JSON with times in picoseconds.

usage: generic_times.py REPORT.json INDEX=SOLE[+SHARED]... none=PS
       generic_times.py REPORT.json --as=OTHER.json

The first form lists all ops with time, by their index in the module; `none` is
the time without an owner. The second compares the total time of each op of two reports.
"""

import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def rows_of(report):
    """Index of an op: its row."""
    return {row["index"]: row for row in report["rows"]}


def total_of(report):
    """Index of an op: its total time, where it has any."""
    total = {index: row["sole_ps"] + row["estimated_ps"]
            for index, row in rows_of(report).items()}
    return {index: time for index, time in total.items() if time}


def main():
    report = load(sys.argv[1])
    if sys.argv[2].startswith("--as="):
        found, wanted = total_of(report), total_of(load(sys.argv[2][5:]))
        assert found and found == wanted, (found, wanted)
        return
    wanted = {}
    none = 0
    for text in sys.argv[2:]:
        key, times = text.split("=")
        if key == "none":
            none = int(times)
            continue
        sole, _, shared = times.partition("+")
        wanted[int(key)] = (int(sole), int(shared or 0))
    found = {index: (row["sole_ps"], row["shared_ps"])
             for index, row in rows_of(report).items()
             if row["sole_ps"] or row["shared_ps"]}
    assert found == wanted, (found, wanted)
    assert int(report["coverage"]["unmatched_ps"]) == none, report["coverage"]


main()
