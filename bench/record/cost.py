#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of recording: time of an iteration relative to the plain build.

  python bench/record/cost.py --tool build/bin/mlir-prof --models FOLDER

The plain build has neither identities nor a sampler. Contestants take turns; the
figures are the ratios of medians within one round: min / median / max over the
rounds. "control" is the plain build once more: its distance from 1 is noise.
If other work shares the machine, a low --quantile of the iterations is more
reliable than their median: it selects undisturbed iterations. All of them
contain samples if an iteration takes longer than a millisecond or so.
"""

import argparse
import json
import os
import tempfile

import common
import harness

WAYS = {
    "plain": ["--mode=time", "--no-identities"],
    "control": ["--mode=time", "--no-identities"],
    "sample 1 kHz": ["--mode=sample"],
    "instrument op": ["--mode=instrument", "--no-values"],
    "instrument height:1": ["--mode=instrument", "--instrument=height:1",
                            "--no-values"],
    "values": ["--mode=sample", "--sampler=timer", "--rate=1"],
}


def measure(options, case, folder, arguments):
    path = os.path.join(folder, "times.json")
    out = [] if "--mode=time" in arguments else [
        "-o", os.path.join(folder, "run.mlprof"), "--no-peak"]
    common.tool(options.tool, "record", case.path, *out, f"--times={path}",
                f"--seconds={options.seconds}", f"--threads={options.threads}",
                f"--pipeline={options.pipeline}", *case.options, *arguments)
    with open(path) as file:
        return harness.quantile(json.load(file)["iteration_ns"],
                                options.quantile)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quantile", type=float, default=0.5)
    parser.add_argument("--pipeline", default="default")
    parser.add_argument("--only", default="", help="names of models")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in common.bench_cases(options.models):
            if options.only and case.name not in options.only.split(","):
                continue
            measured = harness.alternate(
                {name: lambda a=arguments: measure(options, case, folder, a)
                 for name, arguments in WAYS.items()}, options.rounds)
            plain = measured["plain"]
            rows.append([case.name,
                         f"{harness.spread(plain)['median'] / 1e6:.3f}"]
                        + [harness.format_spread(
                            harness.ratios(measured[name], plain), 3)
                           for name in WAYS if name != "plain"])
    harness.print_table(["model", "plain [ms]",
                         *(name for name in WAYS if name != "plain")], rows)


if __name__ == "__main__":
    main()
