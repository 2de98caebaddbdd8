#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The executor's cost of a dispatch, and graphs on several threads next to OpenMP.

  python3 bench/executor/run.py --build build --busy

executor.cpp is one contestant in a process of its own: threads that spin after a run do
not disturb the others, which run after a pause. In each round each contestant runs the
graph a few times, in an order that changes. The ideal are the same workgroups without an
order among them, on the same threads: what those lose, the machine takes. With --busy,
one other process for each processor computes all the time.
"""

import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CONTESTANTS = ["one", "unordered", "executor", "executor-again", "barrier",
               "openmp-static", "openmp-dynamic"]
# OpenMP's threads spin that long after a region.
PAUSE = 0.25


def build(options, folder):
    program = os.path.join(folder, "executor")
    subprocess.check_call([
        options.compiler, "-O2", "-std=c++20", "-fopenmp", f"-I{ROOT}/runtime/include",
        HERE / "executor.cpp", f"{options.build}/lib/libprof_rt.a", "-lpthread", "-o",
        program])
    return program


MODEL_CALLS = 400


def measure_model(options, folder):
    """Least and median ns of a dispatch of a model and of a call, on one thread."""
    model = os.path.join(folder, "calls.mlir")
    matrix = "tensor<4x4xf32>"
    with open(model, "w", encoding="utf-8") as file:
        file.write(f"func.func @main(%v0: {matrix}, %w: {matrix}) -> {matrix} {{\n"
                   "  %zero = arith.constant 0.0 : f32\n")
        for i in range(MODEL_CALLS):
            file.write(f"""
  %e{i} = tensor.empty() : {matrix}
  %f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {matrix}) -> {matrix}
  %v{i + 1} = linalg.matmul ins(%v{i}, %w : {matrix}, {matrix})
    outs(%f{i} : {matrix}) -> {matrix}
""")
        file.write(f"  return %v{MODEL_CALLS} : {matrix}\n}}\n")
    saved = os.path.join(folder, "calls.o")
    subprocess.check_call(
        [f"{options.build}/bin/mlir-prof", "record", model, "--mode=time", "--no-peak",
         "--iterations=1", "--no-identities", f"--save-object={saved}"],
        stderr=subprocess.DEVNULL)
    symbols = subprocess.check_output([options.nm, saved], encoding="utf-8").splitlines()
    (kernel,) = [line.split()[2] for line in symbols
                 if re.search(r" t matmul_[0-9a-f]+$", line)]
    subprocess.check_call([options.objcopy, f"--globalize-symbol={kernel}", saved])
    program = os.path.join(folder, "calls")
    subprocess.check_call(
        [options.compiler.replace("++", ""), "-O2", f"-DCOUNT={MODEL_CALLS}",
         f"-DKERNEL={kernel}", HERE / "calls.c", saved, "-lm", "-o", program])
    lines = subprocess.check_output([program], encoding="utf-8").splitlines()
    dispatches, calls = zip(*(map(float, line.split()) for line in lines))
    return min(dispatches), min(calls), statistics.median(dispatches), statistics.median(calls)


def check_calls(options, program, folder):
    """Prints the costs of a dispatch; returns those that exceed their limit."""
    lines = subprocess.check_output([program, "calls"], encoding="utf-8").splitlines()
    lines += subprocess.check_output([program, "thunks"], encoding="utf-8").splitlines()
    lines.append("a model's calls, one thread: least {:.2f} - {:.2f} ns, "
                 "median {:.2f} - {:.2f} ns".format(*measure_model(options, folder)))
    exceeded = []
    for line in lines:
        what, numbers = line.split(": least ")
        cost, call = map(float, numbers.split(" ns")[0].split(" - "))
        limit = options.two_threads if "two threads" in what else options.one_thread
        print(f"{line}; least cost {cost - call:.2f} of {limit:g} ns")
        if cost - call > limit:
            exceeded.append(what)
    return exceeded


class Contestant:
    """A process that waits for its turn."""

    def __init__(self, program, name, graph, threads):
        self.name = name
        self.process = subprocess.Popen(
            [program, name, graph, str(threads)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, encoding="utf-8")
        self.ms = []

    def run(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline()) / count / 1e6

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(options, program, graph):
    names = [name for name in CONTESTANTS if name not in options.without.split(",")]
    contestants = [Contestant(program, name, graph, options.threads) for name in names]
    order = random.Random(1)
    for contestant in contestants:
        contestant.run(5)
        time.sleep(PAUSE)
    for _ in range(options.rounds):
        order.shuffle(contestants)
        for contestant in contestants:
            contestant.ms.append(contestant.run(options.runs))
            if contestant.name.startswith("openmp"):
                time.sleep(PAUSE)
    for contestant in contestants:
        contestant.close()
    return {contestant.name: contestant.ms for contestant in contestants}


def report(title, ms):
    print(f"{title}\n{'':>18} {'least':>8} {'median':>8} {'of ideal':>9}")
    ideal = statistics.median(ms["unordered"])
    for name in CONTESTANTS:
        if name not in ms:
            continue
        median = statistics.median(ms[name])
        print(f"{name:>18} {min(ms[name]):8.2f} {median:8.2f} {median / ideal:9.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--nm", default="llvm-nm-22")
    parser.add_argument("--objcopy", default="llvm-objcopy-22")
    parser.add_argument("--one-thread", type=float, default=20, metavar="NS",
                        help="limit of a dispatch on one thread, beyond a call")
    parser.add_argument("--two-threads", type=float, default=100, metavar="NS",
                        help="limit on two threads")
    parser.add_argument("--only-calls", action="store_true")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--runs", type=int, default=5, help="runs of the graph in a round")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--graphs", default="resnet,small")
    parser.add_argument("--without", default="", help="contestants that do not run")
    parser.add_argument("--busy", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(options, folder)
        exceeded = check_calls(options, program, folder)
        if options.only_calls:
            return exceeded
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                  for _ in os.sched_getaffinity(0)] if options.busy else []
        try:
            for graph in options.graphs.split(","):
                load = os.getloadavg()[0]
                ms = measure(options, program, graph)
                report(f"{graph}, {options.threads} threads, "
                       f"{'busy' if options.busy else 'alone'}, load {load:.1f}, "
                       "ms of a run", ms)
        finally:
            for other in others:
                other.kill()
                other.wait()
    return exceeded


if __name__ == "__main__":
    above = main()
    sys.exit("above its limit: " + ", ".join(above) if above else 0)
