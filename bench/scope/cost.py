#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a scope, off and on, against its floor and LLVM's TimeTraceScope.

  python3 bench/scope/cost.py --build build

cost.cpp times batches of 4000 iterations, one contestant after the other in an
order that changes from round to round. Two readings of the clock are the floor of
what a scope can cost, the empty loop is that of one that is off. A machine that
others share only adds to a batch: compare minima there, and medians where it is
quiet.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

import harness  # noqa: E402

# The target of each contestant: at most so much more than the empty loop in ns, or
# so many times two readings of the clock, or so many ns.
TARGETS = {
    "off": ("ns over the empty loop", 0.5),
    "on, ring": ("of two clock reads", 1.15),
    "C, ring": ("of two clock reads", 1.25),
    "statistics": ("of two clock reads", 1.55),
    "run-time name, ring": ("ns", 45.0),
}


def compile_cost(options, folder):
    program = os.path.join(folder, "cost")
    config = os.path.join(options.llvm, "bin", "llvm-config")
    flags = subprocess.check_output(
        [config, "--cxxflags", "--ldflags", "--libs"], encoding="utf-8").split()
    # The last -std wins.
    harness.run([options.cxx, "-O2", HERE / "cost.cpp", *flags, "-std=c++17",
                 f"-I{ROOT}/include", f"-I{ROOT}/runtime/include",
                 f"{options.build}/lib/libprof_rt.a", "-lpthread", "-lLLVM",
                 f"-Wl,-rpath,{options.llvm}/lib", "-o", program])
    return program


def compare(name, figure, floors):
    if name not in TARGETS:
        return "", "", ""
    unit, most = TARGETS[name]
    value = figure
    if unit == "of two clock reads":
        value /= floors["two clock reads"]
    elif unit != "ns":
        value -= floors["empty loop"]
    return f"{value:.2f} {unit}", f"{most:g}", "yes" if value <= most else "NO"


def show(times, threads):
    print(f"threads: {threads}, load {os.getloadavg()[0]:.1f}")
    rows = []
    minima = {name: min(values) for name, values in times.items()}
    for name, values in sorted(times.items(), key=lambda of: minima[of[0]]):
        rows.append([name, f"{minima[name]:.2f}",
                     f"{statistics.median(values):.2f}",
                     *compare(name, minima[name], minima)])
    harness.print_table(["ns of one", "min", "median", "minima compared",
                         "at most", "holds"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--cxx", default="clang++-22")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--cpu", type=int, help="binds one thread to it",
                        default=max(os.sched_getaffinity(0)))
    parser.add_argument("--json", help="file for all times")
    options = parser.parse_args()
    everywhere = os.sched_getaffinity(0)
    results = dict(machine=harness.machine())
    with tempfile.TemporaryDirectory() as folder:
        program = compile_cost(options, folder)
        for threads in options.threads.split(","):
            os.sched_setaffinity(0, {options.cpu} if threads == "1"
                                 else everywhere)
            _, text = harness.run([program, str(options.rounds), threads],
                                  subprocess.PIPE)
            results[threads] = json.loads(text)
            show(results[threads], threads)
    print(results["machine"]["cpu"])
    if options.json:
        harness.write_json(options.json, results)


if __name__ == "__main__":
    main()
