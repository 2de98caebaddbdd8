#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of one large product and some 40 small ops, and checks of its builds.

usage: cold_model.py write FILE none|cold
       cold_model.py smaller SMALL.o LARGE.o RATIO   of their code
       cold_model.py owned PROFILE.json   all instructions of cold functions
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "bench" / "optimize"))

import large


def code_bytes(path):
    out = subprocess.run(["llvm-size", "-A", path], check=True,
                         capture_output=True, encoding="utf-8").stdout
    return sum(int(line.split()[1]) for line in out.splitlines()
               if line.startswith(".text"))


def find_unowned(path):
    """Instructions of cold functions that come from no op of the input."""
    program = json.loads(pathlib.Path(path).read_text())["programs"][0]
    from_input = []
    for node in program["nodes"]:
        # Parents are of earlier levels, and so of smaller numbers.
        from_input.append(not node.get("level", 0) or any(
            from_input[parent] for parent in node.get("parents", [])))
    cold = [range(int(function["begin"]), int(function["end"]))
            for function in program["functions"]
            if "_cold_" in function["name"]]
    if not cold:
        sys.exit("no cold functions")

    def is_owned(instruction):
        return (instruction.get("nodePlusOne")
                and from_input[instruction["nodePlusOne"] - 1])

    # The ops of an innermost loop without calls share the time of spills in it.
    shared = {i["loopPlusOne"] for i in program["instructions"]
              if i.get("loopPlusOne") and is_owned(i)
              and not program["loops"][i["loopPlusOne"] - 1].get("calls")}
    return [i for i in program["instructions"]
            if any(int(i.get("address", 0)) in code for code in cold)
            and not is_owned(i) and i.get("loopPlusOne") not in shared]


if sys.argv[1] == "write":
    pathlib.Path(sys.argv[2]).write_text(
        large.write(ops=40, hot=1, size=64, seed=5, choose=sys.argv[3]))
elif sys.argv[1] == "owned":
    if find_unowned(sys.argv[2]):
        sys.exit(f"{len(find_unowned(sys.argv[2]))} have no owner")
else:
    small, big, ratio = sys.argv[2:]
    if not code_bytes(small) <= float(ratio) * code_bytes(big):
        sys.exit(f"{code_bytes(small)} of {code_bytes(big)} bytes")
