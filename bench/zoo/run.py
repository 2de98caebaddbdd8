#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed, time to build, and memory of the models that zoo.py wrote.

  python bench/zoo/run.py speed FOLDER/* --threads 1,2 --control [--busy]
  python bench/zoo/run.py share FOLDER/* --threads 2 --control
  python bench/zoo/run.py ready FOLDER/* --threads 2
  python bench/zoo/run.py memory FOLDER/*

All contestants take turns in an order that changes from round to round; a
ratio is of one round, to the best peer of that round.

speed: times of iterations. Each contestant is a process that has built its
model and checked its results, and that idles between its turns. --busy keeps
every processor busy with another process meanwhile.

share: times of several threads with every processor busy, relative to the
times without other processes, which are 2 if each process gets an equal share,
and to those of one thread that also runs next to them.

ready: seconds until the first result, in a process of its own that ends then,
with the files in the page cache. The tool's are those of the whole process,
from bytecode, with an empty cache (cold) and with that of the round before
(warm, if the tool has a cache); a peer's are from reading its file, without
the start of Python. Also the peak memory of a cold build, beyond that of the
tool, which is an almost empty model's, and the size of the file.

memory: peak resident memory of a process that loads and runs the tool's saved
object, and of one that does so with a peer's file, beyond the same process
before (which is Python and NumPy); a peer's also beyond its imported package.
"""

import argparse
import os
import tempfile

from cases import harness

import problems
import rounds
from memory import measure_memory
from ready import measure_ready
from speed import measure_share, measure_speed


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("models", nargs="+", metavar="FOLDER/NAME")
    rounds.add_options(parser)
    parser.add_argument("--peers", default="onnxruntime,openvino")
    parser.add_argument("--pipelines", default="default",
                        help="builds of the tool, by --pipeline")
    parser.add_argument("--form", default="model",
                        choices=("model", "onnx"),
                        help="model.mlir or onnx.mlir")
    parser.add_argument("--busy", action="store_true")
    options = parser.parse_args()
    rounds.check_options(parser, options)
    return options


def print_summary(options, results):
    """One line for each of the tool's contestants."""
    rivals = set(options.peers.split(","))
    rows = []
    for key, result in results.items():
        figures = result["figures"]
        best = min(rivals & set(figures), default="", key=lambda name: (
            figures[name]["ratio_of_min"]))
        rows += [[key, name, best, f"{figure['ratio_of_min']:.2f}",
                  harness.format_spread(figure["ratio"], 2)]
                 for name, figure in figures.items()
                 if best and not name.startswith(tuple(rivals))]
    print()
    harness.print_table(["model/threads", "contestant", "best peer",
                         "min/best", "of the round"], rows)


MEASURES = {"speed": measure_speed, "share": measure_share,
            "ready": measure_ready, "memory": measure_memory}


def main():
    options = parse_arguments()
    results = {}
    print(f"load {os.getloadavg()[0]:.1f}, {harness.machine()['cpu']}")
    for threads in rounds.for_threads(options):
        for path in options.models:
            problem = problems.find(f"{path}/model.json")
            print(f"\n{problem.name}, {threads} "
                  f"thread{'s' if threads > 1 else ''}, load "
                  f"{os.getloadavg()[0]:.1f}")
            with tempfile.TemporaryDirectory() as folder:
                results[f"{problem.name}/{threads}"] = MEASURES[options.what](
                    options, problem, threads, folder)
            if options.json:
                harness.write_json(options.json, dict(
                    machine=harness.machine(), results=results))
    if options.what != "share":
        print_summary(options, results)


if __name__ == "__main__":
    main()
