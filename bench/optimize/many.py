#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes many models, for bench/pipelines to compare with their peers.

  python bench/generated.py generated
  python bench/optimize/many.py --to out generated/*.json
  python bench/pipelines/generated.py --contestant 'A/A=' \\
      --contestant 'optimized=--decisions=out/{name}.db' generated/*.json

Also for the four models: bench/optimize/many.py --to out --models models.
Writes NAME.db, NAME.opt.mlir and NAME.json (receipts) into the folder, or
NAME-THREADS.* with several threads, and prints one line per model.
"""

import argparse
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "record")]

import common  # noqa: E402
import harness  # noqa: E402


def get_cases(options):
    cases = common.bench_cases(options.models) if options.models else []
    for case in cases:
        if case.name == "mlp_dyn":
            import models
            trace = models.DynamicMlp().trace
            case.options = ["--shape=0=" + ",".join(f"{rows}x1024"
                                                    for rows in trace)]
    for file in options.files:
        path = pathlib.Path(file)
        inputs = []
        name = path.stem
        if path.suffix == ".json":
            values = sorted(path.parent.glob(f"{name}.*.npy"))
            values = [v for v in values if not v.name.endswith("expected.npy")]
            inputs = [f"--input={v.name.split('.')[-2]}={v}" for v in values]
            path = path.with_suffix(".mlir")
        else:
            # Named as in the other benchmarks: several have the same name.
            name = "-".join(path.with_suffix("").parts[-2:])
        cases.append(common.Case(name, path, inputs))
    return cases


def optimize(options, case):
    """A row of the table."""
    suffix = f"-{options.threads}" if options.threads > 1 else ""
    base = pathlib.Path(options.to) / (case.name + suffix)
    begin = time.perf_counter()
    code, _, error = common.tool(
        options.tool, "optimize", case.path, *case.options,
        f"--threads={options.threads}", f"--budget={options.budget}s",
        f"--decisions={base}.db", f"--receipts={base}.json",
        "-o", f"{base}.opt.mlir", check=False)
    seconds = f"{time.perf_counter() - begin:.1f}"
    if code:
        return [case.name, seconds, *["-"] * 7,
                error.strip().split("\n")[0][:80]]
    with open(f"{base}.json") as file:
        facts = json.load(file)
    whole, control = facts.get("whole", {}), facts.get("control", {})
    receipts = facts["receipts"]
    applied = [one for one in receipts if one["applied"]]
    return [
        case.name, seconds, len(receipts), len(applied),
        sum(one["outcome"] == "failed" for one in receipts),
        f"{whole.get('ratio', 1):.3f}", f"{control.get('ratio', 1):.3f}",
        facts["before"]["text_bytes"], facts["after"]["text_bytes"],
        facts["why_previous"] or ", ".join(sorted(
            {one["technique"] for one in applied})) or facts["stopped"]]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE.json|FILE.mlir")
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", help="where bench/models.py wrote to")
    parser.add_argument("--to", required=True, help="a folder")
    parser.add_argument("--budget", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cpu", type=int, default=0)
    return parser.parse_args()


def main():
    options = parse_arguments()
    os.makedirs(options.to, exist_ok=True)
    if options.threads == 1:
        harness.pin(options.cpu)
    rows = [optimize(options, case) for case in get_cases(options)]
    harness.print_table(["model", "seconds", "tried", "applied", "failed",
                         "after/before", "control", "code before", "after",
                         "by"], rows)


if __name__ == "__main__":
    main()
