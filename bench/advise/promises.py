#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the advice of `mlir-prof advise`, once per rule, and measures the
gain.

  promises.py [--tool build/bin/mlir-prof] [--rounds 5] [RULE[/CASE]...]

Each case has a slow form and one with the advice followed. Recordings of the
slow form give the promised share; then both forms run in turns, each in a new
process, and the medians give the share gained. Cases of JAX need it, and numpy
(`--python` names an interpreter that has both; those of torch PyTorch, too),
page-fault-churn needs perf and cc.
"""

import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEST = os.path.join(HERE, "..", "..", "test")

KEEP = {"MALLOC_TRIM_THRESHOLD_": "4000000000", "MALLOC_MMAP_THRESHOLD_": "4000000000"}


def output(command, **environment):
    return subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, **environment})


class Own:
    """A model that mlir-prof builds in two ways, or two models."""

    def __init__(self, model, slow, fast, other=None):
        self.models = [os.path.join(TEST, each) for each in (model, other or model)]
        self.options = (slow, fast)

    def run(self, context, form, path):
        text = output([context.tool, "record", self.models[form], *self.options[form],
                       "--seconds=0.5", "-o", path]).stderr
        value, unit = re.search(r"median ([0-9.]+) (\w+)", text).groups()
        return float(value) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]

    def record(self, context):
        path = os.path.join(context.folder, "slow.mlprof")
        self.run(context, 0, path)
        return path

    def time(self, context, form):
        return self.run(context, form, os.path.join(context.folder, "timed.mlprof"))


class Program:
    """A program in Python: FORM and, to record, the file or folder to write."""

    def __init__(self, name, *arguments):
        self.command = [os.path.join(HERE, name), *arguments]

    def start(self, context, *arguments):
        return output([context.python, *self.command, *arguments],
                      XLA_FLAGS="--xla_cpu_multi_thread_eigen=false").stdout

    def record(self, context):
        path = tempfile.mkdtemp(dir=context.folder)
        self.start(context, "slow", path)
        [trace] = (glob.glob(f"{path}/**/*.xplane.pb", recursive=True) +
                   glob.glob(f"{path}/*.csv") + glob.glob(f"{path}/trace.json"))
        return trace

    def time(self, context, form):
        return float(self.start(context, ("slow", "fast")[form]))


class Churn:
    """Buffers that are mapped again for each call, or kept by malloc."""

    def build(self, context):
        program = os.path.join(context.folder, "churn")
        if not os.path.exists(program):
            output(["cc", "-O2", "-fno-builtin", os.path.join(HERE, "churn.c"), "-o", program])
        return program

    def record(self, context):
        data = os.path.join(context.folder, "perf.data")
        output(["perf", "record", "-q", "-g", "-F", "997", "-o", data, self.build(context)])
        path = os.path.join(context.folder, "churn.perf")
        with open(path, "w") as file:
            file.write(output(["perf", "script", "-i", data, "--show-mmap-events"]).stdout)
        return path

    def time(self, context, form):
        return float(output([self.build(context)], **(KEEP if form else {})).stdout)


CASES = {
    "hot-op-far-from-roofline": Own("Advise/Inputs/product.mlir", ["--pipeline=naive"], []),
    "fallback-kernels": Own("Advise/Inputs/exp.mlir", ["--math=libm"], []),
    "idle-gaps": Program("steps.py", "prepare"),
    "input-pipeline": Program("steps.py", "input"),
    "dispatch-larger-than-work": Program("steps.py", "dispatch"),
    "repeated-recompilation": Program("steps.py", "compile"),
    **{f"repeated-recompilation/{case}": Program("steps.py", case)
       for case in ("several", "seldom", "first", "image")},
    **{f"repeated-recompilation/torch-{case}": Program("torch_steps.py", case)
       for case in ("guards", "shapes", "several", "dynamic")},
    "thread-imbalance": Program("pool.py"),
    "page-fault-churn": Churn(),
    "page-fault-churn/counted": Own("Advise/Inputs/unmapped.mlir", [], [],
                                    "Advise/Inputs/kept.mlir"),
}


def promised(context, case, recording):
    rule = case.split("/")[0]
    found = json.loads(output([context.tool, "advise", recording, f"--rule={rule}",
                               "--format=json"]).stdout)["advice"]
    if not found:
        sys.exit(f"{rule}: silent about {recording}")
    return found[0]["gain_ps"] / found[0]["basis_ps"]


def check(context, name):
    case = CASES[name]
    shares = [promised(context, name, case.record(context)) for _ in range(3)]
    times = ([], [])
    for _ in range(context.rounds):
        for form in (0, 1):
            times[form].append(case.time(context, form))
    slow, fast = (statistics.median(values) for values in times)
    share = statistics.median(shares)
    gained = 1 - fast / slow
    print(f"| `{name}` | {slow * 1e3:.3f} to {fast * 1e3:.3f} ms | {share:.1%} "
          f"| {gained:.1%} | {gained / share:.0%} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("rules", nargs="*", choices=[[], *CASES])
    context = parser.parse_args()
    with tempfile.TemporaryDirectory() as context.folder:
        for rule in context.rules or CASES:
            check(context, rule)


if __name__ == "__main__":
    main()
