#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed and memory of `mlir-prof import` against Python's protobuf.

In every round, on one processor, one after another:
  import   the whole process `mlir-prof import FILE -o OUT`, start-up included
  start    `mlir-prof --version`: what of that is the start of the process
  upb      Python's protobuf (upb) reads the file and touches every event and
           stat once; the start of Python and its imports are not counted
  read     a plain read of the file in blocks of 1 MiB: the limit

MB are 10^6 bytes of the file. Memory is measured in a separate run.
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

BLOCK = 1 << 20


def plain_read(path):
    begin = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        block = bytearray(BLOCK)
        while file.readinto(block):
            pass
    return time.perf_counter() - begin


def read_with_upb(python, path, facts):
    command = [python, f"{HERE}/read_upb.py", path]
    _, out = harness.run(command, harness.subprocess.PIPE)
    facts.update(json.loads(out))
    if facts["implementation"] != "upb":
        sys.exit(f"protobuf in {python} is {facts['implementation']}, not upb")
    return facts["seconds"]


def measure(path, arguments, out):
    """All figures of one file."""
    size = os.path.getsize(path)
    command = [arguments.tool, "import", path, "-o", out]
    facts = {}
    seconds = harness.alternate({
        "import": lambda: harness.run(command)[0],
        "start": lambda: harness.run([arguments.tool, "--version"])[0],
        "upb": lambda: read_with_upb(arguments.python, path, facts),
        "read": lambda: plain_read(path),
    }, arguments.rounds)
    seconds["net"] = [whole - start for whole, start
                      in zip(seconds["import"], seconds["start"])]
    memory = harness.peak_memory(command)
    memory["beyond_file"] = memory["max_rss"] - size
    memory["start"] = harness.peak_memory([arguments.tool, "--version"])
    rates = {name: harness.spread([size / 1e6 / value for value in values])
             for name, values in seconds.items() if name != "start"}
    return dict(
        file=path, bytes=size, events=facts["events"], stats=facts["stats"],
        output_bytes=os.path.getsize(out), seconds=seconds, mb_per_s=rates,
        import_over_upb=harness.ratios(seconds["upb"], seconds["import"]),
        read_over_import=harness.ratios(seconds["import"], seconds["read"]),
        memory=memory)


def print_result(result):
    print(f"\n{result['file']}: {result['bytes'] / 1e6:.1f} MB, "
          f"{result['events']} events, {result['stats']} stats")
    labels = {"import": "mlir-prof import", "net": "  without start-up",
              "upb": "Python protobuf", "read": "plain read"}
    rows = [[label,
             harness.format_spread(harness.spread(result["seconds"][name]), 3),
             harness.format_spread(result["mb_per_s"][name])]
            for name, label in labels.items()]
    harness.print_table(["min / median / max", "seconds", "MB/s"], rows)
    print(f"import is {harness.format_spread(result['import_over_upb'])} times "
          f"as fast as Python's protobuf; a plain read is "
          f"{harness.format_spread(result['read_over_import'])} times as fast "
          f"as import")
    memory = {name: value / 2**20 for name, value in result["memory"].items()
              if name != "start"}
    start = result["memory"]["start"]["max_rss"] / 2**20
    print(f"peak memory {memory['max_rss']:.1f} MiB, beyond the file "
          f"{memory['beyond_file']:.1f} MiB, allocated "
          f"{memory['anonymous']:.1f} MiB (the tool alone: {start:.1f} MiB)")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="xplane.pb; utils/recordings/record.py --large")
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--python", default=sys.executable,
                        help="a Python with protobuf")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=0, help="run on this one")
    parser.add_argument("--json", metavar="FILE", help="write all figures")
    arguments = parser.parse_args()
    harness.pin(arguments.cpu)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.files:
            results.append(measure(path, arguments, f"{folder}/out.mlprof"))
            print_result(results[-1])
    if arguments.json:
        harness.write_json(arguments.json, dict(
            bench="import", machine=harness.machine(),
            rounds=arguments.rounds, results=results))


if __name__ == "__main__":
    main()
