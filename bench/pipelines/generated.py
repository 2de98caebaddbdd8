#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correctness and speed of models with awkward shapes.

  python bench/generated.py FOLDER
  python bench/pipelines/generated.py FOLDER/*.json

Builds each model by the default and the naive pipeline, checks the results,
and prints the default's time against that of the naive one and of ONNX
Runtime, whose turns alternate, and how these ratios are distributed. For a
FILE.mlir the naive results are the reference. With --json the run may be split
into parts: an existing file is extended, and --summary only prints it.
--contestant adds builds, as for run.py, compared with the default one.
"""

import argparse
import json
import math
import os
import random
import re
import statistics
import sys
import tempfile

import problems

import common  # noqa: E402
import contestants as players  # noqa: E402
import harness  # noqa: E402
import peers  # noqa: E402
import rounds  # noqa: E402

DEFAULT, NAIVE, PEER, LIMIT = "default", "naive", "onnxruntime", "onednn"
#: The naive build takes part in all rounds if the default takes more than this
#: fraction of its time; otherwise it is far slower.
CLOSE = 0.5


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE.json|FILE.mlir")
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2, help="of a turn")
    parser.add_argument("--gap", type=float, default=0.1)
    parser.add_argument("--cpu", type=int, default=0)
    parser.add_argument("--check-only", action="store_true",
                        help="whether results are right, without times")
    parser.add_argument("--contestant", action="append", default=[],
                        metavar="NAME=OPTIONS")
    parser.add_argument("--bound", action="store_true",
                        help="also oneDNN's products and convolutions")
    parser.add_argument("--json")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds needs at least 1")
    return options


def make_problem(path):
    """(problem, case of the tool)."""
    if path.endswith(".json"):
        problem = problems.find(path)
        inputs = problem.input_paths().values()
        return problem, common.Case(
            problem.name, problem.path(".mlir"),
            [f"--input={i}={file}" for i, file in enumerate(inputs)])
    problem = problems.UnknownProblem(path)
    # The data that flows through the model is mostly its first argument. With
    # values near zero, norms and residuals cancel, and only rounding errors
    # remain.
    with open(path) as file:
        is_float = re.search(r"func\.func (public )?@\w+\(%\w+: "
                             r"tensor<[\dx]+f32>", file.read())
    inputs = ["--input=0=random:1:-1.7:1.7"] if is_float else []
    return problem, common.Case(problem.name, path, inputs)


def gather(options, path, folder):
    problem, case = make_problem(path)
    builds = {NAIVE: "--pipeline=naive --warm-up=1", DEFAULT: ""}
    builds.update(text.split("=", 1) for text in options.contestant)
    ready, absent = {}, {}

    def add(name, make):
        try:
            ready[name] = make()
        except (players.Failed, peers.Missing) as error:
            absent[name] = str(error)
    for name, flags in builds.items():
        add(name, lambda: players.Tool(options.tool, case, problem,
                                       options.threads, flags, folder))
    facts = {} if options.check_only else getattr(problem, "facts", {})
    rivals = [PEER] if facts.get("onnx") else []
    rivals += [LIMIT] if options.bound and facts.get("steps") else []
    for name in rivals:
        add(name, lambda: players.PeerProcess(name, problem, options.threads,
                                              folder))
    return ready, absent


def time_all(options, ready, seed):
    """({name: [median of each round]}, {name: reason of failure})."""
    slow = {}
    if NAIVE in ready and DEFAULT in ready:
        naive = ready.pop(NAIVE)
        slow = {NAIVE: [naive.turn(options.seconds)]}
        quick = ready[DEFAULT].turn(options.seconds)
        if min(quick) > CLOSE * min(slow[NAIVE][0]):
            ready[NAIVE] = naive
            slow = {}
    turns, failed = rounds.play(ready, options.rounds, options.seconds,
                                options.gap, random.Random(seed))
    medians = {name: [statistics.median(one) for one in rounds]
               for name, rounds in {**turns, **slow}.items()}
    return medians, failed


def measure(options, path):
    with tempfile.TemporaryDirectory() as folder:
        ready, absent = gather(options, path, folder)
        errors = {name: one.error for name, one in ready.items()}
        everyone, medians = list(ready.values()), {}
        try:
            if not options.check_only:
                medians, failed = time_all(options, ready, path)
                absent.update(failed)
        except players.Failed as error:
            absent[DEFAULT] = str(error)
        finally:
            for contestant in everyone:
                contestant.close()
    return dict(errors=errors, absent=absent, medians_ns=medians)


def get_ratio(result, above, below):
    """Spread over rounds of two contestants' ratio, if both have times."""
    a, b = (result["medians_ns"].get(name) for name in (above, below))
    if not a or not b:
        return None
    # The naive build may have had one turn only.
    if len(a) != len(b):
        b = [statistics.median(b)] * len(a)
    return harness.ratios(a, b)


def format_ratio(spread):
    return harness.format_spread(spread, 3) if spread else "-"


def print_models(results, extra):
    rows = []
    for name, result in results.items():
        time = result["medians_ns"].get(DEFAULT)
        error = result["errors"].get(DEFAULT)
        rows.append([
            name, "-" if error is None else f"{error:.1e}",
            f"{statistics.median(time) / 1e3:.1f}" if time else "-",
            *(format_ratio(get_ratio(result, DEFAULT, other))
              for other in (NAIVE, PEER, LIMIT)),
            *(format_ratio(get_ratio(result, other, DEFAULT))
              for other in extra)])
    harness.print_table(["model", "error", "default [us]", "to naive",
                         "to ONNX Runtime", "to the oneDNN bound",
                         *(f"{other} to default" for other in extra)], rows)
    for name, result in results.items():
        for contestant, reason in result["absent"].items():
            print(f"{name}, {contestant}: {reason}")


def print_distribution(results, above, below):
    found = sorted((get_ratio(result, above, below)["median"], name)
                   for name, result in results.items()
                   if get_ratio(result, above, below))
    if not found:
        print(f"{above} to {below}: no model")
        return
    values = [value for value, _ in found]
    mean = math.exp(statistics.fmean(map(math.log, values)))
    last = len(values) - 1
    marks = "  ".join(f"{share:.0%} {values[round(share * last)]:.3f}"
                      for share in (0, .1, .25, .5, .75, .9, 1))
    slower = [f"{name} {value:.2f}" for value, name in found if value > 1]
    print(f"{above} to {below}, {len(values)} models: {marks}; geometric mean "
          f"{mean:.3f}; slower: {', '.join(slower) or 'none'}")


def main():
    options = parse_arguments()
    results = {}
    if options.json and os.path.exists(options.json):
        with open(options.json) as file:
            results = json.load(file)["results"]
    if options.threads == 1:
        harness.pin(options.cpu)
    for path in [] if options.summary else options.files:
        name = os.path.splitext(path)[0]
        name = (os.path.basename(name) if path.endswith(".json")
                else "/".join(name.split("/")[-2:]))
        print(f"  {name} ...", file=sys.stderr, flush=True)
        results[name] = measure(options, path)
        if options.json:
            harness.write_json(options.json, dict(machine=harness.machine(),
                                                  results=results))
    extra = [text.split("=", 1)[0] for text in options.contestant]
    print_models(results, extra)
    print_distribution(results, DEFAULT, NAIVE)
    print_distribution(results, DEFAULT, PEER)
    print_distribution(results, DEFAULT, LIMIT)
    for other in extra:
        print_distribution(results, other, DEFAULT)
    right = sum(DEFAULT in result["errors"] for result in results.values())
    print(f"right: {right} of {len(results)}")
    sys.exit(right != len(results))


if __name__ == "__main__":
    main()
