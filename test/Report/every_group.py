#!/usr/bin/env python3
"""Writes every report of a profile in every format and checks that they agree.

usage: every_group.py TOOL PROFILE MODEL
"""

import csv
import io
import json
import re
import subprocess
import sys

HELP = subprocess.run([sys.argv[1], "report", "--help"], check=True, capture_output=True,
                      text=True).stdout
# All but those that only recordings of a program have.
GROUPS = re.search(r"Grouping of rows: ([^;]*);", " ".join(HELP.split())).group(1).split(", ")
assert len(GROUPS) >= 10, GROUPS
ABSENT = {"scope", "kernel", "copy", "device", "stream", "wait"} | {
    group for group in GROUPS if re.match("(aicore|aicpu|gpu|cpu)_", group)} | {
    "memory", "memory-tensor", "memory-graph", "pipeline", "queue", "batch", "host-use",
    "collective", "communication", "link", "flops", "flops-type", "flops-path"}


def report(by, form):
    tool, profile, model = sys.argv[1:]
    return subprocess.run(
        [tool, "report", profile, f"--model={model}", f"--by={by}", f"--format={form}"],
        check=True, capture_output=True, text=True).stdout


for by in GROUPS:
    document = json.loads(report(by, "json"))
    assert document["schema"] == "mlir-prof.report/2" and document["by"] == by
    rows = document["rows"]
    # The recording does not have scopes, nor work of devices, nor a training job.
    assert bool(rows) != (by in ABSENT), by
    texts = [{key: "" if value is None else str(value) for key, value in row.items()}
             for row in rows]
    assert list(csv.DictReader(io.StringIO(report(by, "csv")))) == texts, by
    # A heading, a line for each row, and after an empty line what is underneath.
    assert len(report(by, "text").split("\n\n")[0].splitlines()) == len(rows) + 1, by
