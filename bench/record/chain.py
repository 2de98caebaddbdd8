#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The estimated split of a fused chain, against leaving ops out.

  python bench/record/chain.py --tool build/bin/mlir-prof

Records chains of element-wise ops that become one vectorized loop, where the
program counter does not distinguish the ops. The truth is ablation: the time
of the chain minus that of the chain without the op. The figure is the L1
distance of the shares, of the estimated split and of the raw program counter.
"""

import argparse
import json
import os
import sys
import tempfile

import common
import harness

#: Bodies of ops by name: they take %a and %b and must not fold away.
OPS = {
    "divide": ["%r = arith.divf %a, %b : f32"],
    "root": ["%s = arith.addf %a, %b : f32", "%t = math.absf %s : f32",
             "%r = math.sqrt %t : f32"],
    "bias": ["%r = arith.addf %a, %b : f32"],
    "shifted_divide": ["%c = arith.constant 1.5 : f32", "%s = math.absf %b : f32",
                       "%t = arith.addf %s, %c : f32",
                       "%r = arith.divf %a, %t : f32"],
    "tangent": ["%r = math.tanh %a : f32"],
    "multiply": ["%r = arith.mulf %a, %b : f32"],
    "polynomial": ["%s = arith.mulf %a, %b : f32", "%t = arith.addf %s, %a : f32",
                   "%u = arith.mulf %t, %s : f32", "%v = arith.addf %u, %b : f32",
                   "%r = arith.mulf %v, %t : f32"],
    "exponential": ["%s = arith.subf %a, %b : f32", "%t = math.absf %s : f32",
                    "%u = arith.negf %t : f32", "%r = math.exp %u : f32"],
}
CHAINS = [["multiply", "divide", "polynomial"], ["root", "polynomial", "divide"],
          ["exponential", "divide", "multiply"],
          ["bias", "exponential", "shifted_divide", "tangent"],
          ["tangent", "polynomial", "multiply"]]
SHAPE = "64x1024"


def module(chain):
    t = f"tensor<{SHAPE}xf32>"
    lines = [f"func.func @main(%x: {t}, %y: {t}) -> {t} {{"]
    value = "%x"
    for number, name in enumerate(chain):
        body = "\n      ".join(OPS[name])
        lines.append(f"""  %e{number} = tensor.empty() : {t}
  %v{number} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({value}, %y : {t}, {t}) outs(%e{number} : {t}) {{
    ^bb0(%a: f32, %b: f32, %o: f32):
      {body}
      linalg.yield %r : f32
  }} -> {t} loc("{name}")""")
        value = f"%v{number}"
    return "\n".join(lines + [f"  return {value} : {t}", "}"])


def median(tool, path, folder):
    out = os.path.join(folder, "times.json")
    common.tool(tool, "record", path, "--mode=time", f"--times={out}",
                "--seconds=0.5", "--input=1=random:1:1:2")
    with open(out) as file:
        return json.load(file)["median_ns"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for chain in CHAINS:
            paths = {}
            for name in [None, *chain]:
                paths[name] = os.path.join(folder, f"{name}.mlir")
                with open(paths[name], "w") as file:
                    file.write(module([n for n in chain if n != name]))
            times = harness.alternate(
                {name: lambda p=path: median(options.tool, p, folder)
                 for name, path in paths.items()}, options.rounds)
            whole = harness.spread(times[None])["median"]
            truth = common.shares({
                name: max(0, whole - harness.spread(times[name])["median"])
                for name in chain})
            profile = os.path.join(folder, "run.mlprof")
            common.tool(options.tool, "record", paths[None], "-o", profile,
                        "--no-peak", "--seconds=3", "--input=1=random:1:1:2")
            times_of = common.location_times(options.tool, profile)
            estimated = common.shares({name: times_of.get(name, 0)
                                      for name in chain})
            split = common.report(options.tool, profile, "--by=split")["rows"]
            raw = {}
            for row in split:
                name = next((n for n in chain if n in json.dumps(row)), None)
                if name:
                    raw[name] = raw.get(name, 0) + row["raw_ps"]
            rows.append([" ".join(chain), *(
                " ".join(f"{shares.get(n, 0):.2f}" for n in chain)
                for shares in (truth, estimated, common.shares(raw))),
                f"{common.distance(truth, estimated):.2f}",
                f"{common.distance(truth, common.shares(raw)):.2f}"])
    harness.print_table(["chain", "ablation", "estimated", "raw", "L1 estimated",
                         "L1 raw"], rows)


if __name__ == "__main__":
    main()
