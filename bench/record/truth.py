#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How true the shares of time of ops are: against clocks around every op.

  python bench/record/truth.py --tool build/bin/mlir-prof --models FOLDER

The truth is an unfused build (plain loops, one nest an op) with a call that
reads the clock before and after each nest (--probe=call). Compared with it: the
sampler, inline probes, and the truth itself in another round. The figure is the
L1 distance of the shares of time by op of the input level: min / median / max
over the rounds.
"""

import argparse
import os
import tempfile

import common
import harness

WAYS = {
    "truth": ["--mode=instrument", "--probe=call", "--no-functions",
              "--no-values"],
    "sampling": ["--mode=sample"],
    "instrumented": ["--mode=instrument", "--no-functions", "--no-values"],
}


def measure(options, case, folder, arguments):
    profile = os.path.join(folder, "run.mlprof")
    common.record(options.tool, case, profile, "--pipeline=naive",
                  f"--threads={options.threads}", f"--seconds={options.seconds}",
                  *arguments)
    times = common.op_times(options.tool, profile)
    # Only what the truth measures can be compared: nests, not the return.
    return common.shares({key: time for key, time in times.items()
                          if not key[1].startswith(("func.", "arith.",
                                                    "tensor.empty"))})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="transformer,cnn,mlp_dyn")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in common.bench_cases(options.models):
            if case.name not in options.only.split(","):
                continue
            rounds = harness.alternate(
                {name: lambda a=arguments: measure(options, case, folder, a)
                 for name, arguments in WAYS.items()}, options.rounds)
            truth = rounds["truth"]
            figures = {name: [common.distance(a, b) for a, b in
                              zip(rounds[name], truth)]
                       for name in ("sampling", "instrumented")}
            figures["truth again"] = [common.distance(a, b) for a, b in
                                      zip(truth, truth[1:] + truth[:1])]
            rows.append([case.name] + [
                harness.format_spread(harness.spread(figures[name]), 4)
                for name in ("sampling", "instrumented", "truth again")])
            if options.verbose:
                for key in sorted(truth[0], key=truth[0].get, reverse=True)[:12]:
                    print(key, *(f"{rounds[name][0].get(key, 0):.4f}"
                                 for name in WAYS))
    harness.print_table(["model", "sampling", "instrumented", "truth again"],
                        rows)


if __name__ == "__main__":
    main()
