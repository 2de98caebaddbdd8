# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contestants: the tool, and processes of peers."""

import json
import os
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import tempfile
import time

import numpy as np

import common
import peers
import problems

#: Time that a process that is suspended between turns warms up.
WARM_UP_SECONDS = 0.5


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
        self.facts = facts
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

    def finish(self):
        pass

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

    def __init__(self, tool, case, problem, threads, flags, folder,
                 error=None):
        """`error`: the known error of the same build, if it was checked."""
        self.tool, self.problem, self.folder = tool, problem, folder
        # {name} in the flags is the model's name; a word that is not a flag is
        # a file to run instead.
        words = [word.format(name=problem.name) for word in shlex.split(flags)]
        files = [word for word in words if not word.startswith("-")]
        self.path = files[0] if files else case.path
        self.flags = [word for word in words if word.startswith("-")]
        self.flags.append("--mode=time")
        if not any(flag.startswith("--threads=") for flag in self.flags):
            self.flags.append(f"--threads={threads}")
        if len(problem.trace) == 1:
            self.inputs = case.options
        else:
            shapes = ",".join("x".join(map(str, self.shape(request)))
                              for request in problem.trace)
            self.inputs = [f"--shape=0={shapes}",
                           f"--warm-up={len(problem.trace)}"]
        self.error = error if error is not None else max(
            self.check(request) for request in problem.requests)
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

    def finish(self):
        pass

    def close(self):
        pass


class PausedTool(Tool):
    """`mlir-prof record --mode=time` in one process, which is suspended
    between its turns: for models that take long to build.

    A turn's times are known only after `finish`, so `turn` returns a list that
    is filled then.
    """

    #: An iteration in which the process was suspended takes at least this
    #: part of the pause, since threads stop late.
    PART_OF_PAUSE = 0.9
    READY_SECONDS = 600

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.turns, self.pauses = [], []
        handle, self.times = tempfile.mkstemp(".json", dir=self.folder)
        os.close(handle)
        command = [str(self.tool), "record", self.path, *self.flags,
                   *self.inputs, "--seconds=1e6", f"--times={self.times}"]
        self.child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, encoding="utf-8")
        self.wait_until_built()
        self.suspend()

    def wait_until_built(self):
        """Reads the notes up to the one that the model is built."""
        end = time.monotonic() + self.READY_SECONDS
        while time.monotonic() < end:
            line = self.child.stderr.readline()
            # A model that was found in the cache does not state a time.
            if found := re.search(r"built with .*?(?: in ([\d.]+) s|$)", line):
                self.build_seconds = float(found[1] or 0)
                while self.child.poll() is None and not self.models():
                    time.sleep(0.01)
                # The warm-up, which each process does on its own.
                time.sleep(WARM_UP_SECONDS)
                return
            if not line:
                break
        self.close()
        raise Failed("ended early or was not built in time")

    def models(self):
        """The processes of the model."""
        path = f"/proc/{self.child.pid}/task/{self.child.pid}/children"
        with open(path) as file:
            return [int(text) for text in file.read().split()]

    def signal(self, number):
        """To the tool and its model. SIGTSTP would reach both, but not in the
        background of a terminal."""
        for process in [*self.models(), self.child.pid]:
            os.kill(process, number)

    def suspend(self):
        if self.child.poll() is not None:
            raise Failed("ended early")
        self.signal(signal.SIGSTOP)
        self.pauses.append(time.monotonic())

    def resume(self):
        self.signal(signal.SIGCONT)
        self.pauses[-1] = time.monotonic() - self.pauses[-1]

    def turn(self, seconds):
        self.resume()
        time.sleep(seconds)
        self.suspend()
        self.turns.append([])
        return self.turns[-1]

    def finish(self):
        """Ends the process and fills the turns."""
        # Each pause must be longer than any iteration.
        shortest = min(self.pauses[:-1], default=0)
        time.sleep(max(0, shortest + self.pauses[-1] - time.monotonic()))
        self.resume()
        self.child.send_signal(signal.SIGINT)
        self.child.wait()
        try:
            with open(self.times) as file:
                times = json.load(file)["iteration_ns"]
        except (OSError, ValueError) as error:
            raise Failed(f"did not write its times: {error}") from error
        self.divide(times)

    def find(self, times, pauses):
        """The iterations in which it was suspended, which are the longest
        ones; None if they are too short for that."""
        order = sorted(range(len(times)), key=lambda i: times[i])
        found = sorted(order[len(times) - len(pauses):])
        fits = len(found) == len(pauses) and all(
            times[i] >= pause * 1e9 * self.PART_OF_PAUSE
            for i, pause in zip(found, pauses))
        return found if fits else None

    def divide(self, times):
        """Fills the turns with the iterations between pauses. The first pause
        may have been in the warm-up, which is not in `times`."""
        marks = self.find(times, self.pauses)
        if marks is None and (later := self.find(times, self.pauses[1:])):
            marks = [-1, *later]
        if marks is None:
            raise Failed("its pauses were not found in its times; a turn or a "
                         "gap is too short")
        for turn, first, last in zip(self.turns, marks, marks[1:]):
            turn += times[first + 1:last]
        if not all(self.turns):
            raise Failed("a turn without an iteration: --seconds is too short")

    def close(self):
        # Its model, which is in its own group, dies with it.
        self.child.kill()
        self.child.wait()
        self.child.stderr.close()
