# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seconds until the first result of a process."""

import os
import pathlib
import subprocess
import tempfile
import time

from cases import get_peers, harness, make_case, players, summarize

import peers
import rounds

#: The environment's variable that names the tool's cache.
CACHE = "MLIR_PROF_CACHE"

#: A model with as little to build as possible.
EMPTY = """func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}
"""


class Builds:
    """Processes of the tool that build a model and run it once."""

    def __init__(self, options, problem, threads, folder):
        case = make_case(problem, options.form)
        path = os.path.join(folder, f"{problem.name}.mlirbc")
        translator = pathlib.Path(options.tool).with_name("mlir-prof-opt")
        harness.run([str(translator), case.path, "--emit-bytecode", "-o", path])
        #: Bytes: the peak of the last process.
        self.folder, self.memory = folder, 0
        self.weights = os.path.getsize(path)
        self.command = [
            options.tool, "record", path, "--mode=time", "--iterations=1",
            "--warm-up=0", f"--threads={threads}", *case.options,
            *(f"--compare=result{i}={file}" for i, file
              in enumerate(problem.result_paths()))]
        self.empty = os.path.join(folder, "empty.mlir")
        pathlib.Path(self.empty).write_text(EMPTY, encoding="utf-8")

    def measure_peak(self, flags):
        """Bytes: the peak of a build with an empty cache, which has just run,
        and that of the tool, which builds next to nothing."""
        peak, command = self.memory, self.command
        self.command = [*command[:2], self.empty, "--mode=time",
                        "--iterations=1", "--warm-up=0"]
        try:
            self.run_cold(flags)
        finally:
            self.command = command
        return {"peak": peak, "tool": self.memory, "weights": self.weights,
                "beyond": peak - self.memory - self.weights}

    def run(self, flags, cache):
        """Seconds of the process."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as notes:
            begin = time.perf_counter()
            child = subprocess.Popen(
                [*self.command, *flags.split()], stderr=notes,
                stdout=subprocess.DEVNULL, env={**os.environ, CACHE: cache})
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - begin
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode:
                notes.seek(0)
                raise players.Failed(notes.read().strip().split("\n")[-1][:200])
        self.memory = usage.ru_maxrss * 1024
        return seconds

    def run_cold(self, flags):
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            return self.run(flags, cache)

    def make_warm(self, flags):
        """A function that runs with a filled cache, or None."""
        cache = tempfile.mkdtemp(dir=self.folder)
        self.run(flags, cache)
        return (lambda: self.run(flags, cache)) if os.listdir(cache) else None


def measure_ready(options, problem, threads, folder):
    builds = Builds(options, problem, threads, folder)
    contestants, absent, memory = {}, {}, {}
    for name, flags in rounds.get_builds(options, options.pipelines).items():
        try:
            warm = builds.make_warm(flags)
        except players.Failed as error:
            absent[name] = str(error)
            continue
        memory[name] = builds.measure_peak(flags)
        contestants[f"{name}, cold"] = lambda f=flags: builds.run_cold(f)
        if warm:
            contestants[f"{name}, warm"] = warm
        else:
            absent[f"{name}, warm"] = "this build does not have a cache"
    for name, start in get_peers(options, problem, threads, folder).items():
        def run(start=start):
            peer = start()
            peer.close()
            return peer.facts["ready"]
        try:
            run()
            contestants[name] = run
        except (players.Failed, peers.Missing) as error:
            absent[name] = str(error)
    seconds = harness.take_turns(contestants, options.rounds, problem.name)
    result = summarize(seconds, set(options.peers.split(",")), absent, "s", 1)
    for name, parts in memory.items():
        parts = {part: f"{bytes_ / 1e6:.0f}" for part, bytes_ in parts.items()}
        print("{0}: peak memory of a cold build {peak} MB: {tool} of the tool, "
              "{weights} of the file, {beyond} beyond".format(name, **parts))
    return dict(result, memory=memory)
