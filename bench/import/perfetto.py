#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed and memory of `mlir-prof import` of a Perfetto trace, which is written
first (perfetto_trace.py); its totals are checked.

In every round, on one processor, one after another:
  import   the whole process `mlir-prof import FILE -o OUT`, start-up included
  start    `mlir-prof --version`: what of that is the start of the process
  read     a plain read of the file in blocks of 1 MiB: the limit
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import harness
from run import plain_read


def check(tool, profile, facts):
    """Counts and sums of all slices, as the writer knows them."""
    text = subprocess.run([tool, "import", profile, "--format=json", "-o", "-"],
                          check=True, capture_output=True).stdout
    run = json.loads(text)["runs"][0]
    totals = [event["total"] for event in run["events"]]
    found = (sum(int(total["count"]) for total in totals),
             sum(int(total["sum"]) for total in totals))
    if found != (facts["slices"], facts["ns"] * 1000):
        sys.exit(f"imported {found}, written {facts}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mb", type=float, default=100)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=0, help="run on this one")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, out = f"{folder}/trace.pftrace", f"{folder}/out.mlprof"
        facts = json.loads(subprocess.run(
            [sys.executable, f"{HERE}/perfetto_trace.py", path,
             f"--mb={arguments.mb}"], check=True, capture_output=True).stdout)
        harness.pin(arguments.cpu)
        command = [arguments.tool, "import", path, "-o", out]
        seconds = harness.alternate({
            "import": lambda: harness.run(command)[0],
            "start": lambda: harness.run([arguments.tool, "--version"])[0],
            "read": lambda: plain_read(path),
        }, arguments.rounds)
        check(arguments.tool, out, facts)
        memory = harness.peak_memory(command)
    print(f"{facts['bytes'] / 1e6:.1f} MB, {facts['slices']} slices")
    harness.print_speeds(facts["bytes"], seconds)
    print(f"peak memory {memory['max_rss'] / 2**20:.1f} MiB, allocated "
          f"{memory['anonymous'] / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
