# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a report with what record.py found: EXPECTED REPORT.

All time of dispatches must have an owner, and each op of linalg the count and
the time of the dispatches that do its work. Ops that fill buffers are not in the
reference.
"""
import collections
import json
import sys

expected, report = (json.load(open(path)) for path in sys.argv[1:])
assert report["coverage"]["op_time_ps"] == expected["total_ns"] * 1000
assert report["coverage"]["unmatched_ps"] == report["coverage"]["partial_ps"] == 0

wanted = collections.defaultdict(lambda: [0, 0])
for dispatch in expected["dispatches"]:
    for op in dispatch["ops"]:
        wanted[op][0] += dispatch["count"]
        wanted[op][1] += dispatch["total_ns"] * 1000

rows = sorted(
    (row for row in report["rows"]
     if row["op"].startswith("linalg.") and row["op"] != "linalg.fill"),
    key=lambda row: row["index"])
found = [(row["count"], row["sole_ps"] + row["shared_ps"]) for row in rows]
assert found == [tuple(wanted[op]) for op in sorted(wanted)], (found, wanted)
times = sum(row["sole_ps"] + row["estimated_ps"] for row in report["rows"])
assert times == expected["total_ns"] * 1000, times
