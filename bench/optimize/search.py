#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time for `optimize` to find its gain, and the remaining work of a second
run.

  python bench/optimize/search.py --models FOLDER [--only=transformer]
      [--threads=1,2] [--budget=60] [--long=180] [--rounds=5]

Each model is optimized from scratch with --budget and with --long seconds, and
a second time with the decisions of the first. Three tables of the results:

- when the search ended, and from its receipts when it had 80 % of its gain and
  when 80 % of the longer search's;
- seconds of the second run, whether it tried anything, and whether it wrote the
  same file and made the same code as the first;
- the time of each build, in processes of their own whose turns alternate in an
  order that changes, beside the default build a second time as the control: what
  the tool says it gained, measured from outside.
"""

import argparse
import json
import math
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "record"), str(HERE)]

import common  # noqa: E402
import harness  # noqa: E402
import versions  # noqa: E402

#: The part of the gain that must be found early.
MOST = 0.8


class Search:
    """One run of `optimize`: its seconds, and the files it wrote."""

    def __init__(self, tool, case, threads, budget, folder, name, decisions):
        self.opt = folder / f"{name}.opt.mlir"
        receipts = folder / f"{name}.json"
        begin = time.perf_counter()
        common.tool(tool, "optimize", case.path, *case.options,
                    f"--threads={threads}", f"--budget={budget}s",
                    f"--decisions={decisions}", f"--receipts={receipts}",
                    "-o", self.opt)
        self.seconds = time.perf_counter() - begin
        self.facts = json.loads(receipts.read_text())
        self.decisions = decisions

    @property
    def tried(self):
        """Receipts of trials made in this run."""
        return [receipt for receipt in self.facts["receipts"]
                if "at_seconds" in receipt]

    def gains(self):
        """[(seconds, logarithm of the remaining time)], one for each kept
        choice, in order."""
        total, curve = 0.0, []
        for receipt in self.tried:
            if receipt["outcome"] == "kept":
                total += math.log(receipt["new_ps"] / receipt["old_ps"])
                curve.append((receipt["at_seconds"], total))
        return curve

    def seconds_until(self, ratio):
        """When the remaining time was at most `ratio`, according to the
        trials; or None."""
        for seconds, total in self.gains():
            if total <= math.log(ratio) + 1e-12:
                return seconds
        return None

    def final_ratio(self):
        """By the trials."""
        return math.exp(self.gains()[-1][1]) if self.gains() else 1.0


def most_of(ratio):
    """The remaining time when most of the gain is found."""
    return 1 - MOST * (1 - ratio)


def show(seconds):
    return "never" if seconds is None else f"{seconds:.1f}"


def print_searches(searches):
    final = searches["long"].final_ratio()
    rows = []
    for name, search in searches.items():
        whole = search.facts.get("whole", {}).get("ratio", 1.0)
        kept = sum(one["outcome"] == "kept" for one in search.tried)
        rows.append([
            name, f"{search.seconds:.1f}", len(search.tried), kept,
            f"{search.final_ratio():.3f}", f"{whole:.3f}",
            show(search.seconds_until(most_of(search.final_ratio()))),
            show(search.seconds_until(most_of(final))),
            search.facts["stopped"]])
    harness.print_table(
        ["search", "seconds", "tried", "kept", "time left, by trials",
         "by the final check", f"{MOST:.0%} of its gain at [s]",
         f"{MOST:.0%} of long at [s]", "stopped as"], rows)


def code(tool, case, options, folder):
    """The object that `record` compiles, as bytes."""
    path = folder / "code.o"
    common.tool(tool, "record", case.path, *case.options, *options,
                "--mode=time", "--no-peak", "--no-identities", "--iterations=1",
                "--warm-up=1", f"--save-object={path}")
    return path.read_bytes()


def check_second(tool, case, threads, first, budget, folder):
    """Runs the search again with the decisions of the first one."""
    options = [f"--threads={threads}", f"--decisions={first.decisions}"]
    before = code(tool, case, options, folder)
    again = Search(tool, case, threads, budget, folder, "again",
                   first.decisions)
    after = code(tool, case, options, folder)
    same = dict(file=again.opt.read_bytes() == first.opt.read_bytes(),
                code=before == after)
    print(f"second run: {again.seconds:.1f} s in all, of which search "
          f"{again.facts['search_seconds']:.1f} s; {len(again.tried)} tried; "
          + "; ".join(f"{name} {'identical' if is_same else 'DIFFERS'}"
                      for name, is_same in same.items()))
    return dict(seconds=again.seconds, tried=len(again.tried),
                search_seconds=again.facts["search_seconds"], same=same)


def time_builds(options, title, case, threads, searches, folder):
    """Builds of the default, of each search's decisions, and of its output
    file."""
    one = [*case.options, f"--threads={threads}"]
    plain = versions.Build(case.path, one)
    builds = {"default": plain, "default (A/A)": plain}
    for name, search in searches.items():
        builds[name] = versions.Build(
            case.path, one + [f"--decisions={search.decisions}"])
    builds["budget, its file"] = versions.Build(searches["budget"].opt, one)
    for build in builds.values():
        build.record(options.tool, "--mode=time", "--no-peak", "--iterations=1",
                     *case.compare())
    return versions.compare(options, title, builds, folder, "default")


def measure(options, case, threads, folder):
    title = f"{case.name}, {threads} thread{'s' if threads > 1 else ''}"
    print(f"\n{title}")
    searches = {
        name: Search(options.tool, case, threads, budget, folder, name,
                     folder / f"{name}.db")
        for name, budget in (("budget", options.budget),
                             ("long", options.long))}
    print_searches(searches)
    second = check_second(options.tool, case, threads, searches["budget"],
                          options.budget, folder)
    times = time_builds(options, title, case, threads, searches, folder)
    return dict(times=times, second=second, receipts={
        name: search.facts for name, search in searches.items()})


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", required=True,
                        help="where bench/models.py wrote to")
    parser.add_argument("--only", default="transformer")
    parser.add_argument("--threads", default="1,2", help="one or several")
    parser.add_argument("--budget", type=int, default=60)
    parser.add_argument("--long", type=int, default=180)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a turn")
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--json", help="write all figures to this file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    results = {}
    everything = os.sched_getaffinity(0)
    for threads in map(int, options.threads.split(",")):
        if threads == 1:
            harness.pin(options.cpu)
        for case in common.bench_cases(options.models):
            if case.name not in options.only.split(","):
                continue
            with tempfile.TemporaryDirectory() as folder:
                results[f"{case.name}/{threads}"] = measure(
                    options, case, threads, pathlib.Path(folder))
        os.sched_setaffinity(0, everything)
    if options.json:
        harness.write_json(options.json, dict(machine=harness.machine(),
                                              results=results))


if __name__ == "__main__":
    main()
