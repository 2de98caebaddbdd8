# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Serves a profile that counts instructions: counts.py TOOL FOLDER REPORT.

All answers have the counts of `report`, and no analyzer that needs times is offered.
"""

import json
import sys

from service import Service

tool, folder, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    report = json.load(file)
total = report["coverage"]["op_instructions"]

with Service(tool, folder) as service:
    [listed] = service.ask("/profiles")["profiles"]
    assert listed["time_ps"] == 0, listed
    base = f"/profiles/{listed['id']}"
    shown = service.ask(base)
    assert shown["unit"] == "instructions"
    assert shown["coverage"]["op_time_ps"] == total
    available = [one["name"] for one in shown["analyzers"] if one["available"]]
    for name in available:
        service.ask(f"{base}/analyzers/{name}")
    assert "op" in available and "roofline" not in available, available
    for by in ("module-path", "call-tree"):
        if by in available:
            assert service.ask(f"{base}/flame", by=by)["total_ps"] <= total
    heat = service.ask(f"{base}/modules/input")["heat"]
    assert sum(line["time_ps"] for line in heat) == sum(
        row["total_instructions"] for row in report["rows"]), heat
    nodes = service.ask(f"{base}/graph")["nodes"]
    assert max(node["time_ps"] for node in nodes) == report["rows"][0]["total_instructions"]
print(f"{len(available)} analyzers")
