#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of scopes of passes, against that of -mlir-timing.

  python3 bench/scope/passes.py --build build

passes.cpp runs passes that do nothing, with each contestant in turn, in an order that
changes from round to round. The difference from the run without any is the cost of
telling one run of a pass; the ratios say how many times -mlir-timing's is that of the
scopes, of the minima and of the rounds (quartiles). Timers alone, without a pass
manager, follow.
"""

import argparse
import collections
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

NOTHING, TIMING = "nothing", "-mlir-timing"


def compile_passes(options, folder):
    program = os.path.join(folder, "passes")
    config = os.path.join(options.llvm, "bin", "llvm-config")
    flags = subprocess.check_output([config, "--cxxflags", "--ldflags", "--libs"],
                                    encoding="utf-8").split()
    # The last -std wins; LLVM's headers and MLIR's are of one folder.
    harness.run([options.cxx, "-O2", HERE / "passes.cpp", *flags, "-std=c++17", "-frtti",
                 f"-I{ROOT}/include", f"-I{ROOT}/runtime/include",
                 f"{options.build}/lib/PassScope/libMLIRProfPassScope.a",
                 f"{options.build}/lib/libprof_rt.a", "-lMLIR", "-lLLVM", "-lpthread",
                 f"-Wl,-rpath,{options.llvm}/lib", "-o", program])
    return program


def measure(program, options):
    times = collections.defaultdict(list)
    command = [program, str(options.functions), str(options.passes), str(options.rounds),
               str(int(options.threads))]
    for line in subprocess.check_output(command, encoding="utf-8").splitlines():
        name, time = line.split("\t")
        times[name].append(float(time))
    return times


def show_passes(times):
    rows = []
    timing = [a - b for a, b in zip(times[TIMING], times[NOTHING])]
    least = min(times[TIMING]) - min(times[NOTHING])
    for name in times:
        if "timer" in name and name != "timers as scopes":
            continue
        costs = [a - b for a, b in zip(times[name], times[NOTHING])]
        cost = min(times[name]) - min(times[NOTHING])
        row = [name, f"{min(times[name]):.0f}", f"{statistics.median(times[name]):.0f}",
               f"{cost:.0f}"]
        if name != NOTHING:
            ratios = [a / b for a, b in zip(timing, costs) if b > 0]
            low, middle, high = statistics.quantiles(ratios, n=4)
            row += [f"{least / cost:.2f}", f"{middle:.2f} ({low:.2f} to {high:.2f})"]
        rows.append(row + [""] * (6 - len(row)))
    harness.print_table(["ns of a pass on a function", "min", "median", "cost",
                         "minima: times cheaper", "rounds: times cheaper"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build", help="build folder")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22", help="LLVM's folder")
    parser.add_argument("--cxx", default="clang++-22", help="compiler")
    parser.add_argument("--functions", type=int, default=300)
    parser.add_argument("--passes", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--threads", action="store_true", help="let MLIR use threads")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = measure(compile_passes(options, folder), options)
    print(f"load {os.getloadavg()[0]:.1f}")
    show_passes(times)
    rows = [[name, f"{min(times[name]):.1f}", f"{statistics.median(times[name]):.1f}"]
            for name in ("MLIR's timer", "timer as a scope")]
    harness.print_table(["ns of a timer", "min", "median"], rows)


if __name__ == "__main__":
    main()
