# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes expected.json with one lie each: doctor.py EXPECTED FOLDER."""

import copy
import json
import sys


def event(expected):
    line = next(line for line in expected["lines"] if line["by_name"])
    next(iter(line["by_name"].values()))["self_ps"] += 1


def op(expected):
    expected["hlo"][0]["bounded_ps"] -= 1


def missing(expected):
    del expected["hlo"][-1]


def wrong_class(expected):
    row = next(row for row in expected["hlo"] if row["join"] == "set")
    row["join"] = "one"


def mlir(expected):
    rows = expected["mlir"]["by_op"]
    next(row for row in rows if row["shared_ps"])["shared_ps"] += 1


def coverage(expected):
    times = expected["coverage"]["by_class_ps"]
    times["one"] += 1
    times["set"] -= 1


def step(expected):
    expected["steps"]["total_ps"] += 1


def best(expected):
    times = expected["coverage"]["by_class_ps"]
    times["one"] += expected["coverage"]["op_time_ps"]


LIES = {"event": event, "op": op, "missing": missing, "class": wrong_class,
        "mlir": mlir, "coverage": coverage, "step": step, "best": best}

with open(sys.argv[1]) as file:
    truth = json.load(file)
for name, lie in {"same": lambda _: None, **LIES}.items():
    changed = copy.deepcopy(truth)
    lie(changed)
    with open(f"{sys.argv[2]}/{name}.json", "w") as file:
        json.dump(changed, file)
