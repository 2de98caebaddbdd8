#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares rows of scopes in JSON, from standard input, with those in CSV, and checks
what must hold for each.

usage: scope_rows.py CSV
"""

import csv
import json
import sys

rows = json.load(sys.stdin)["rows"]
texts = [{key: "" if value is None else str(value) for key, value in row.items()}
         for row in rows]
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    assert list(csv.DictReader(file)) == texts
order = ["min_ps", "p50_ps", "p90_ps", "p99_ps", "p999_ps", "max_ps"]
for row in rows:
    assert [row[name] for name in order] == sorted(row[name] for name in order), row
    assert row["min_ps"] <= row["average_ps"] <= row["max_ps"], row
    assert row["self_ps"] <= row["total_ps"] <= row["raw_total_ps"], row
    assert row["key"].endswith(row["name"]), row
    if row["calls"]:
        assert row["average_ps"] == row["total_ps"] // row["calls"], row
totals = [row["total_ps"] for row in rows if "/" not in row["key"]]
assert totals == sorted(totals, reverse=True), totals
print(f"equal: {len(rows)} rows, the largest first")
