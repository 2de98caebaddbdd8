#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates a large module and a profile of it: FILE.mlir and
FILE.mlprof.json.

Ops are in functions of 1,000, as framework exports print them: names in
locations, types and attributes written out. Every measured op has a unique
name; --measured is the percentage of ops that are measured.
"""
import argparse
import json

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file", help="output path, without suffix")
parser.add_argument("--ops", type=int, default=1_000_000)
parser.add_argument("--measured", type=int, default=10,
                    help="ops of 100 that are measured (default: 10)")
arguments = parser.parse_args()

PER_FUNCTION = 1000
KINDS = [("tosa.tanh", 1), ("tosa.add", 2), ("tosa.mul", 3), ("tosa.exp", 1)]
names = []
with open(arguments.file + ".mlir", "w") as out:
    out.write("module @large {\n")
    for function in range(max(1, arguments.ops // PER_FUNCTION)):
        out.write(f"  func.func @f{function}(%x: tensor<8x128xf32>, "
                  "%s: tensor<1xi8>) -> tensor<8x128xf32> {\n")
        last = "%x"
        for index in range(min(PER_FUNCTION, arguments.ops)):
            kind, operands = KINDS[index % len(KINDS)]
            name = f"f{function}/layer{index // 20}/{kind[5:]}_{index}"
            if index * 37 % 100 < arguments.measured:
                names.append((name, kind[5:]))
            values = [last, "%x", "%s"][:operands]
            types = ["tensor<8x128xf32>", "tensor<8x128xf32>",
                     "tensor<1xi8>"][:operands]
            out.write(f"    %{index} = \"{kind}\"({', '.join(values)}) : "
                      f"({', '.join(types)}) -> tensor<8x128xf32> "
                      f"loc(\"{name}\"(\"net.py\":{index}:7))\n")
            last = f"%{index}"
        out.write(f"    return {last} : tensor<8x128xf32>\n  }}\n")
    out.write("}\n")

runs = {"hash": "0" * 32, "source": "generated", "ops": []}
for index in range(len(names)):
    time = str(1000 + index % 977)
    runs["ops"].append({
        "op": index, "firstBeginPs": str(index * 1000),
        "measurements": [{"summary": {"count": "1", "sum": time,
                                      "min": time, "max": time}}]})
with open(arguments.file + ".mlprof.json", "w") as out:
    json.dump({"schema": "mlir-prof.profile/1",
               "opKeys": [{"kind": "FRAMEWORK_NODE", "op": name,
                           "kernel": kind} for name, kind in names],
               "runs": [runs]}, out, separators=(",", ":"))
