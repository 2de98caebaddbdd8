#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processor time of importing files, compared with md5sum of the same files.

User and system time of whole processes: other work on the machine matters less
than to wall-clock time. xplane_file.py writes files to try.
"""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import harness


def processor_seconds(command):
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command[0]} failed on {command[-1]}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--tool", action="append",
                        help="one or several builds; default build/bin/mlir-prof")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    tools = arguments.tool or ["build/bin/mlir-prof"]
    print(harness.machine()["cpu"])
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.files:
            seconds = harness.alternate({
                **{tool: lambda tool=tool: processor_seconds(
                    [tool, "import", "-o", f"{folder}/out.mlprof", path])
                   for tool in tools},
                "md5sum": lambda: processor_seconds(["md5sum", path]),
            }, arguments.rounds)
            size = os.path.getsize(path)
            print(f"\n{path}: {size / 1e6:.1f} MB")
            harness.print_speeds(size, seconds)
            for tool in tools:
                ratios = harness.ratios(seconds["md5sum"], seconds[tool])
                print(f"{tool} is {harness.format_spread(ratios, 2)} times as "
                      "fast as md5sum")


if __name__ == "__main__":
    main()
