# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a report with what reference.py found: REPORT EXPECTED.

Every op of the module has the time of the calls that the reference joined to it,
and as many calls, and nothing else has any.
"""
import json
import sys

report, expected = (json.load(open(path)) for path in sys.argv[1:])
join = expected["join"]
coverage = report["coverage"]
joined = sum(row["total_ns"] for row in join["pre"])
assert coverage["op_time_ps"] == join["cpu_op_self_ns"] * 1000, coverage
assert coverage["unique_ps"] == joined * 1000, coverage
assert coverage["unmatched_ps"] == (join["cpu_op_self_ns"] - joined) * 1000, coverage

# The module and its function stand before the ops of its only block.
shown = {row["index"] - 2: (row["sole_ps"], row["count"])
         for row in report["rows"]}
wanted = {row["index"]: (row["total_ns"] * 1000, row["count"])
          for row in join["pre"]}
assert shown == wanted, (shown, wanted)
