# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a report with what reference.py found: EXPECTED REPORT.

All node time must have an owner; what has one op and what has several must be
those of the reference, and times must add up.
"""
import json
import sys

expected, report = (json.load(open(path)) for path in sys.argv[1:])
rows = expected["join"]["rows"]
single = sum(row["total_ns"] for row in rows if len(row["mlir"]) == 1)
total = expected["node_total_ns"]
coverage = report["coverage"]
assert coverage["op_time_ps"] == total * 1000, coverage
assert coverage["unique_ps"] == single * 1000, (coverage, single)
assert coverage["fused_ps"] == (total - single) * 1000, coverage
assert coverage["unmatched_ps"] == 0, coverage

# By op of the module, whose function stands behind it and before its ops.
shown = {row["index"] - 2: row for row in report["rows"]}
sole, shared = {}, {}
for row in rows:
    kind = sole if len(row["mlir"]) == 1 else shared
    for op in row["mlir"]:
        kind[op] = kind.get(op, 0) + row["total_ns"] * 1000
assert set(shown) == set(sole) | set(shared), shown
for op, row in shown.items():
    assert row["sole_ps"] == sole.get(op, 0), row
    assert row["shared_ps"] == shared.get(op, 0), row
times = sum(row["sole_ps"] + row["estimated_ps"] for row in shown.values())
assert times == total * 1000, times
