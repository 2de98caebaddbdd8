#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed and memory of `mlir-prof import` on trace events (Chrome JSON).

In every round, on one processor, one after another:
  import   the whole process `mlir-prof import FILE -o OUT`, start-up included
  walk     simdjson walks over all events on demand, without loading the file
           (walk.cpp, compiled first)
  python   Python's json.load, without its start; of the first --python-mb of the
           file's events, scaled, as it takes minutes and gigabytes otherwise

Make a file with utils/recordings/torch/large.py 500 OUT.json. MB are 10^6
bytes. Memory, measured in a separate run, is that allocated in addition to the
mapped file.
"""

import argparse
import json
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import harness
import native


def read_with_python(path, limit, folder):
    """Seconds for the whole file, scaled from its first `limit` bytes."""
    piece = f"{folder}/piece.json"
    if not os.path.exists(piece):
        with open(path) as file:
            text = file.read(limit)
        if len(text) == limit:
            text = text[:text.rindex("},\n") + 1] + "]}"
        with open(piece, "w") as file:
            file.write(text)
    begin = time.perf_counter()
    with open(piece) as file:
        json.load(file)
    seconds = time.perf_counter() - begin
    return seconds * os.path.getsize(path) / os.path.getsize(piece)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--python-mb", type=int, default=20)
    parser.add_argument("--cpu", type=int, default=0, help="run on this one")
    parser.add_argument("--json", metavar="FILE", help="write all figures")
    arguments = parser.parse_args()
    harness.pin(arguments.cpu)
    size = os.path.getsize(arguments.file)
    with tempfile.TemporaryDirectory() as folder:
        program = native.build(arguments.compiler, "walk", "simdjson", folder)
        command = [arguments.tool, "import", arguments.file, "-o",
                   f"{folder}/out.mlprof"]
        seconds = harness.alternate({
            "import": lambda: harness.run(command)[0],
            "walk": lambda: native.measure(program, arguments.file),
            "python": lambda: read_with_python(
                arguments.file, arguments.python_mb * 1000000, folder),
        }, arguments.rounds)
        memory = harness.peak_memory(command)
    print(f"{arguments.file}: {size / 1e6:.1f} MB")
    harness.print_speeds(size, seconds)
    over_walk = harness.ratios(seconds["walk"], seconds["import"])
    over_python = harness.ratios(seconds["python"], seconds["import"])
    print(f"import is {harness.format_spread(over_walk, 2)} of simdjson's walk "
          f"and {harness.format_spread(over_python)} times Python's json")
    print(f"allocated {memory['anonymous'] / 2**20:.1f} MiB")
    if arguments.json:
        harness.write_json(arguments.json, dict(
            bench="import-json", machine=harness.machine(), bytes=size,
            seconds=seconds, memory=memory))


if __name__ == "__main__":
    main()
