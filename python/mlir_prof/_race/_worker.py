# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process of a contestant: answers requests, a line of JSON each."""

import json
import os
import pathlib
import sys
import time

import numpy

from . import contestants


def time_calls(contestant, seconds):
    """The times of calls, in nanoseconds, for about `seconds`; at least three."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        begin = time.perf_counter_ns()
        contestant.call()
        times.append(time.perf_counter_ns() - begin)
    return times


class Worker:
    def __init__(self):
        self.contestant = None

    def prepare(self, name, path, inputs, threads):
        arrays = [numpy.load(each) for each in inputs]
        module = contestants.load(name)
        self.contestant = module.Contestant(pathlib.Path(path), arrays, threads)
        # The first call may compile.
        for _ in range(3):
            self.contestant.call()
        return {"version": self.contestant.version}

    def results(self, folder):
        paths = []
        for number, result in enumerate(self.contestant.results()):
            paths.append(os.path.join(folder, f"result{number}.npy"))
            numpy.save(paths[-1], result)
        return paths

    def time(self, seconds):
        return time_calls(self.contestant, seconds)

    def record(self, folder, calls):
        recording = self.contestant.record(pathlib.Path(folder), calls)
        return {**recording._asdict(),
                "profile": recording.profile and str(recording.profile)}

    def answer(self, line):
        request = json.loads(line)
        try:
            return {"result": getattr(self, request.pop("do"))(**request)}
        except Exception as error:  # a framework can fail in any way
            return {"error": f"{type(error).__name__}: {error}"}


def main():
    # Output of libraries must not come between the answers.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker()
    for line in sys.stdin:
        print(json.dumps(worker.answer(line)), file=output, flush=True)


if __name__ == "__main__":
    main()
