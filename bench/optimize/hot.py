#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What knowing the hot ops saves of the search of a large model.

  python bench/optimize/hot.py [--ops=2000] [--budget=120]

Optimises the model of large.py, 40 of whose ops take nearly all time, with its
profile. Prints the seconds of recording and of the search and what it tried;
then, beside the default build twice, seconds to compile and to run the result.
What a search over all ops would take is an estimate, and said to be one: each
different product of the model tried as often as the hot one was, at the mean
cost of a trial. No search can do less without knowing what is hot.
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
    """As the tool says them."""
    _, _, error = common.tool(tool, "record", build.path, *build.options,
                              "--mode=time", "--no-peak", "--no-identities",
                              "--no-values", "--iterations=1", "--warm-up=1")
    return float(re.search(r" in ([0-9.]+) s:", error).group(1))


def count_products(text):
    """Of different shapes: decisions about the same ones are one."""
    return len(set(re.findall(r"linalg\.matmul.*?ins\([^:]*: ([^)]*)\)", text)))


def search(options, source, text, folder):
    profile, receipts = folder / "run.mlprof", folder / "receipts.json"
    recording, _ = timed(options.tool, "record", source, "-o", profile)
    seconds, _ = timed(
        options.tool, "optimize", source, f"--profile={profile}",
        f"--budget={options.budget}s", f"--decisions={folder}/decisions.db",
        f"--receipts={receipts}")
    facts = json.loads(receipts.read_text())
    trials = [one for one in facts["receipts"] if "at_seconds" in one]
    of_products = [one for one in trials if one["technique"] == "tiles"]
    each = facts["search_seconds"] / max(1, len(trials))
    products = count_products(text)
    estimate = (seconds - facts["search_seconds"]
                + each * max(1, len(of_products)) * products)
    print(f"recording {recording:.1f} s; optimize {seconds:.1f} s, of which "
          f"{facts['search_seconds']:.1f} s for {len(trials)} trials "
          f"({len(of_products)} of tiles), {each:.1f} s each; "
          f"{facts['stopped']}")
    for one in trials:
        print(f"  {one['technique']} {one['choice']} of {len(one['ops'])} ops: "
              f"{one['outcome']} {one['reason']}")
    print(f"a search over the tiles of all {products} products, estimated: "
          f"{estimate:.0f} s; with the profile {seconds / estimate:.3f} of it")
    return dict(recording=recording, seconds=seconds, receipts=facts,
                estimated_all=estimate)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--ops", type=int, default=2000)
    parser.add_argument("--hot", type=int, default=40)
    parser.add_argument("--size", type=int, default=800)
    parser.add_argument("--budget", type=int, default=120)
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
        found = search(options, source, text, folder)
        builds = {"default": versions.Build(source, []),
                  "default (A/A)": versions.Build(source, []),
                  "optimised": versions.Build(
                      source, [f"--decisions={folder}/decisions.db"])}
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
