#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Savings in the search of a large model by knowing its hot ops.

  python bench/optimize/hot.py [--ops=2000] [--budget=600] [--factor=4]

Optimizes the model of large.py, 40 of whose ops take nearly all time, with its
profile: hot ops are searched, the rest is compiled for size. Then again with
all ops for speed and everything tried on all of them (--effort=all), for at
most FACTOR times as long as the first search: if the second one does not
finish, the ratio is less than 1/FACTOR, and its progress is printed. Finally,
seconds to compile and to run the results, together with the default build
twice.
"""

import argparse
import json
import pathlib
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "record"), str(HERE)]

import common  # noqa: E402
import harness  # noqa: E402
import large  # noqa: E402
import versions  # noqa: E402


def timed(tool, *arguments):
    begin = time.perf_counter()
    _, _, error = common.tool(tool, *arguments)
    return time.perf_counter() - begin, error


def compile_seconds(build, tool):
    """As reported by the tool."""
    _, _, error = common.tool(tool, "record", build.path, *build.options,
                              "--mode=time", "--no-peak", "--no-identities",
                              "--no-values", "--iterations=1", "--warm-up=1")
    return float(re.search(r" in ([0-9.]+) s:", error).group(1))


#: Everything except compiling cold ops for size.
FOR_SPEED = "algorithm,threads,fusion,tiles,versions,branches"


def search(tool, source, profile, folder, name, budget, *more):
    """Seconds of one search, and its receipts."""
    receipts = folder / f"{name}.receipts.json"
    seconds, _ = timed(
        tool, "optimize", source, f"--profile={profile}",
        f"--budget={budget:.0f}s", f"--decisions={folder}/{name}.db",
        f"--receipts={receipts}", *more)
    facts = json.loads(receipts.read_text())
    trials = [one for one in facts["receipts"] if "at_seconds" in one]
    print(f"{name}: {seconds:.1f} s, of which {facts['search_seconds']:.1f} s "
          f"for {len(trials)} trials; {facts['stopped']}")
    for one in trials:
        print(f"  {one['technique']} {one['choice']} of {len(one['ops'])} ops: "
              f"{one['outcome']} {one['reason']}")
    return dict(seconds=seconds, receipts=facts)


def search_both(options, source, folder):
    profile = folder / "run.mlprof"
    recording, _ = timed(options.tool, "record", source, "-o", profile)
    print(f"recording: {recording:.1f} s")
    hot = search(options.tool, source, profile, folder, "hot", options.budget)
    everything = search(
        options.tool, source, profile, folder, "all",
        options.factor * hot["seconds"], "--effort=all",
        f"--technique={FOR_SPEED}")
    print(f"hot to all: {hot['seconds'] / everything['seconds']:.3f}"
          + (", and that is not at its end"
             if "budget" in everything["receipts"]["stopped"] else ""))
    return dict(recording=recording, hot=hot, all=everything)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--ops", type=int, default=2000)
    parser.add_argument("--hot", type=int, default=40)
    parser.add_argument("--size", type=int, default=800)
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--factor", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="of a turn")
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--json", help="write all figures to this file")
    options = parser.parse_args()
    harness.pin(options.cpu)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        text = large.write(options.ops, options.hot, options.size, 5, "none")
        source = versions.write(folder, "large", text)
        found = search_both(options, source, folder)
        builds = {"default": versions.Build(source, []),
                  "default (A/A)": versions.Build(source, []),
                  "optimized": versions.Build(
                      source, [f"--decisions={folder}/hot.db"])}
        compiled = {name: compile_seconds(build, options.tool)
                    for name, build in builds.items()}
        print("seconds to compile: " + ", ".join(
            f"{name} {seconds:.1f}" for name, seconds in compiled.items()))
        times = versions.compare(options, f"{options.ops} ops", builds, folder,
                                 "default")
    if options.json:
        harness.write_json(options.json, dict(
            machine=harness.machine(), search=found, compile_seconds=compiled,
            times=times))


if __name__ == "__main__":
    main()
