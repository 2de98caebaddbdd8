# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contestants: the tool, and processes of peers."""

import json
import os
import pathlib
import shlex
import statistics
import subprocess
import time

import numpy as np

import common
import harness
import peers
import problems

#: A processor share between turns above which a peer is disturbing.
DISTURBS = 0.05


class Failed(Exception):
    """A contestant that gave up; the text says why."""


class PeerProcess:
    """A peer in a separate process, which idles between its turns."""

    def __init__(self, name, problem, threads, folder):
        kind = peers.find(name)
        self.is_bound = name in peers.BOUNDS
        command = kind.command(name, problem, threads, folder)
        count = {key: str(threads) for key in
                 ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
        self.log = open(os.path.join(folder, f"{name}.log"), "w+")
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.log, encoding="utf-8",
            env={**os.environ, **count, **kind.environment(threads)})
        self.idle = 0
        facts = self.read()
        if "missing" in facts:
            self.close()
            raise peers.Missing(facts["missing"])
        self.version, self.error = facts["version"], facts["error"]

    def read(self):
        line = self.child.stdout.readline()
        facts = json.loads(line) if line else {"failed": self.last_words()}
        if "failed" in facts:
            self.close()
            raise Failed(facts["failed"])
        return facts

    def last_words(self):
        self.log.seek(0)
        lines = self.log.read().strip().split("\n")
        return f"ended early: {lines[-1][:200]}"

    def turn(self, seconds):
        print(seconds, file=self.child.stdin, flush=True)
        facts = self.read()
        self.idle = max(self.idle, facts["idle"])
        return facts["ns"]

    def close(self):
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.child.stdout.close()
        self.log.close()


class Tool:
    """`mlir-prof record --mode=time`, started anew for each turn."""

    is_bound, idle, version = False, 0, "this build"

    def __init__(self, tool, case, problem, threads, flags, folder):
        self.tool, self.problem, self.folder = tool, problem, folder
        # {name} in the flags is the model's name; a word that is not a flag is
        # a file to run instead.
        words = [word.format(name=problem.name) for word in shlex.split(flags)]
        files = [word for word in words if not word.startswith("-")]
        self.path = files[0] if files else case.path
        self.flags = [word for word in words if word.startswith("-")]
        self.flags += ["--mode=time", f"--threads={threads}"]
        if len(problem.trace) == 1:
            self.inputs = case.options
        else:
            shapes = ",".join("x".join(map(str, self.shape(request)))
                              for request in problem.trace)
            self.inputs = [f"--shape=0={shapes}",
                           f"--warm-up={len(problem.trace)}"]
        self.error = max(self.check(request) for request in problem.requests)
        if self.error > problem.bound:
            raise Failed(f"is wrong: relative error {self.error:.1e}")

    def shape(self, request):
        return self.problem.inputs(request)["x"].shape

    def record(self, *arguments):
        code, _, error = common.tool(self.tool, "record", self.path,
                                     *self.flags, *arguments, check=False)
        if code:
            raise Failed(error.strip().split("\n")[0][:200])

    def check(self, request):
        """Relative error of one request's results."""
        inputs = self.inputs
        if request is not None:
            path = os.path.join(self.folder, "request.npy")
            np.save(path, self.problem.inputs(request)["x"])
            inputs = [f"--input=0={path}"]
        results = pathlib.Path(self.folder, "results")
        self.record(*inputs, "--iterations=1", "--warm-up=1",
                    f"--save-results={results}")
        values = {}
        for path in results.glob("*.npy"):
            values[path.stem] = problems.load(path)
            path.unlink()
        return self.problem.error(values, request)

    def turn(self, seconds):
        path = os.path.join(self.folder, "times.json")
        self.record(*self.inputs, f"--seconds={seconds}", f"--times={path}")
        with open(path) as file:
            times = json.load(file)["iteration_ns"]
        size = len(self.problem.trace)
        # A truncated pass has another mix of requests.
        passes = [times[i:i + size]
                  for i in range(0, len(times) - size + 1, size)]
        if not passes:
            raise Failed("no whole pass of the trace: --seconds is too short")
        return [statistics.fmean(one) for one in passes]

    def close(self):
        pass


def play(contestants, rounds, seconds, gap, random):
    """Turns in an order that changes: ({name: [[ns] of each round]}, {name:
    reason} of those that failed on the way)."""
    turns, failed = {name: [] for name in contestants}, {}
    for number in range(rounds + 1):
        order = [name for name in contestants if name not in failed]
        random.shuffle(order)
        for name in order:
            # Threads of the previous contestant go to sleep.
            time.sleep(gap)
            try:
                measured = contestants[name].turn(seconds)
            except Failed as error:
                failed[name] = str(error)
                continue
            # The first round warms up.
            if number:
                turns[name].append(measured)
    return {n: t for n, t in turns.items() if n not in failed}, failed


def summarize(contestants, turns):
    """Figures of each contestant, relative to the best peer of each round."""
    medians = {name: [statistics.median(one) for one in rounds]
               for name, rounds in turns.items()}
    smallest = {name: min(map(min, rounds)) for name, rounds in turns.items()}
    rivals = [name for name in turns
              if isinstance(contestants[name], PeerProcess)
              and not contestants[name].is_bound]
    best = [min(round) for round in zip(*(medians[name] for name in rivals))]
    figures = {}
    for name in turns:
        contestant = contestants[name]
        figures[name] = dict(
            min_ns=smallest[name], median_ns=statistics.median(medians[name]),
            error=contestant.error, version=contestant.version,
            idle=contestant.idle, round_medians_ns=medians[name])
        if rivals:
            figures[name]["ratio"] = harness.ratios(medians[name], best)
            figures[name]["ratio_of_min"] = (
                smallest[name] / min(smallest[rival] for rival in rivals))
    return figures
