#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a compressed trace for `mlir-prof import`.

FILE is not compressed; this script first compresses it in a temporary folder.
In every round, on one processor, one after another:
  plain    the whole process `mlir-prof import FILE -o OUT`
  gzip     the same of the compressed file
  zlib     zlib alone inflates that file, which is in memory (inflate.cpp)

Inflating in import is `gzip` without `plain`, a little less than it is: the
compressed file is the shorter one to hash. MB are 10^6 bytes, inflated.
"""

import argparse
import gzip
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import harness
import native


def compress(path, out, level):
    with open(path, "rb") as source, \
            gzip.open(out, "wb", compresslevel=level) as target:
        shutil.copyfileobj(source, target, 1 << 20)


def measure(path, arguments, folder):
    program = native.build(arguments.compiler, "inflate", "z", folder)
    packed = f"{folder}/{os.path.basename(path)}.gz"
    compress(path, packed, arguments.level)

    def command(file):
        return [arguments.tool, "import", file, "-o", f"{folder}/out.mlprof"]
    seconds = harness.alternate({
        "plain": lambda: harness.run(command(path))[0],
        "gzip": lambda: harness.run(command(packed))[0],
        "zlib": lambda: native.measure(program, packed),
    }, arguments.rounds)
    size, packed_size = os.path.getsize(path), os.path.getsize(packed)
    memory = harness.peak_memory(command(packed))
    print(f"{path}: {size / 1e6:.1f} MB, {packed_size / 1e6:.1f} MB compressed")
    harness.print_speeds(size, seconds)
    costs = [with_gzip - plain for with_gzip, plain
             in zip(seconds["gzip"], seconds["plain"])]
    print(f"inflating in import takes "
          f"{harness.format_spread(harness.ratios(costs, seconds['zlib']), 2)}"
          f" of zlib alone; allocated {memory['anonymous'] / 2**20:.1f} MiB")
    return dict(file=os.path.basename(path), bytes=size, packed=packed_size,
                seconds=seconds, memory=memory)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=0, help="run on this one")
    parser.add_argument("--json", metavar="FILE", help="write all figures")
    arguments = parser.parse_args()
    harness.pin(arguments.cpu)
    results = []
    for path in arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            results.append(measure(path, arguments, folder))
    if arguments.json:
        harness.write_json(arguments.json, dict(
            bench="import-gzip", machine=harness.machine(),
            rounds=arguments.rounds, results=results))


if __name__ == "__main__":
    main()
