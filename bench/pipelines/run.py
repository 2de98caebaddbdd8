#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of compiled models against other compilers and runtimes.

  python bench/pipelines/run.py --models FOLDER --threads 1,2

Contestants take turns in an order that changes from round to round: each peer
in a separate process that checked its results against the float64 reference,
warmed up, and idles between its turns; the tool as `record --mode=time`. The
figure of a turn is its median (for mlp_dyn: over passes of the trace, of the
mean request). A ratio is of one round, to the best peer of that round: its min
/ median / max over the rounds, and that of the smallest times of all. With one
thread all are pinned to one processor. Peers that are not installed are
listed.

--contestant adds builds: NAME=OPTIONS of `record`, with a file first to run in
the model's place; {name} is the model's name:

  --contestant 'direct=--max-error=0' \\
  --contestant 'optimized=out/{name}.opt.mlir --decisions=decisions.db'
"""

import argparse
import os
import random
import sys
import tempfile

import problems

import common  # noqa: E402
import contestants as players  # noqa: E402
import harness  # noqa: E402
import peers  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", required=True,
                        help="where bench/models.py wrote to")
    parser.add_argument("--kind", default="const", choices=("const", "args"))
    parser.add_argument("--threads", default="1", help="one or several: 1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a turn")
    parser.add_argument("--gap", type=float, default=0.3,
                        help="seconds between turns, for pools to fall asleep")
    parser.add_argument("--cpu", type=int, default=0,
                        help="the processor of one thread")
    parser.add_argument("--only", default="mlp,cnn,transformer,mlp_dyn")
    parser.add_argument("--peers", default=",".join(peers.PEERS))
    parser.add_argument("--pipelines", default="default",
                        help="builds of the tool, by --pipeline")
    parser.add_argument("--contestant", action="append", default=[],
                        metavar="NAME=OPTIONS")
    parser.add_argument("--control", action="store_true",
                        help="the first build a second time, as A/A control")
    parser.add_argument("--json", help="write all figures to this file")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds needs at least 1")
    return options


def get_builds(options):
    """{name: options of record} of the tool's contestants."""
    builds = {f"mlir-prof {pipeline}": f"--pipeline={pipeline}"
              for pipeline in filter(None, options.pipelines.split(","))}
    for text in options.contestant:
        name, _, flags = text.partition("=")
        builds[f"mlir-prof {name}"] = flags
    if options.control and builds:
        name, flags = next(iter(builds.items()))
        builds[f"{name} (A/A)"] = flags
    return builds


def gather(options, case, threads, folder):
    """({name: contestant}, {name: reason for its absence})."""
    problem = problems.Problem(case.name)
    ready, absent = {}, {}

    def add(name, make):
        print(f"  {name} ...", file=sys.stderr, flush=True)
        try:
            ready[name] = make()
        except peers.Missing as error:
            absent[name] = f"missing: {error}"
        except players.Failed as error:
            absent[name] = f"failed: {error}"
    for name in filter(None, options.peers.split(",")):
        add(name, lambda: players.PeerProcess(name, problem, threads, folder))
    for name, flags in get_builds(options).items():
        add(name, lambda: players.Tool(options.tool, case, problem, threads,
                                       flags, folder))
    return ready, absent


def print_figures(figures, absent):
    rows = []
    for name, figure in sorted(figures.items(),
                               key=lambda item: item[1]["median_ns"]):
        ratio = figure.get("ratio")
        rows.append([
            name, f"{figure['min_ns'] / 1e3:.1f}",
            f"{figure['median_ns'] / 1e3:.1f}",
            f"{figure['ratio_of_min']:.3f}" if ratio else "",
            harness.format_spread(ratio, 3) if ratio else "",
            "(bound)" if figure["error"] is None else f"{figure['error']:.1e}",
            figure["version"]])
    harness.print_table(["contestant", "min [us]", "median [us]",
                         "min/best", "median/best of the round", "error",
                         "version"], rows)
    for name, reason in absent.items():
        print(f"{name}: {reason}")
    for name, figure in figures.items():
        if figure["idle"] > players.DISTURBS:
            print(f"{name}: used {figure['idle']:.0%} of a processor between "
                  "its turns")


def measure(options, case, threads):
    with tempfile.TemporaryDirectory() as folder:
        ready, absent = gather(options, case, threads, folder)
        try:
            turns, failed = players.play(ready, options.rounds, options.seconds,
                                         options.gap, random.Random(case.name))
        finally:
            for contestant in ready.values():
                contestant.close()
    absent.update({name: f"failed: {why}" for name, why in failed.items()})
    figures = players.summarize(ready, turns)
    print(f"\n{case.name}, {threads} thread{'s' if threads > 1 else ''}")
    print_figures(figures, absent)
    sys.stdout.flush()
    return dict(figures=figures, absent=absent)


def main():
    options = parse_arguments()
    unknown = set(filter(None, options.peers.split(","))) - set(peers.PEERS)
    if unknown:
        sys.exit(f"no such peer: {', '.join(unknown)}; there are: "
                 f"{', '.join(peers.PEERS)}")
    results = {}
    for threads in map(int, options.threads.split(",")):
        everything = os.sched_getaffinity(0)
        if threads == 1:
            # Inherited by children.
            harness.pin(options.cpu)
        for case in common.bench_cases(options.models, options.kind):
            if case.name in options.only.split(","):
                results[f"{case.name}/{threads}"] = measure(options, case,
                                                            threads)
        os.sched_setaffinity(0, everything)
    if options.json:
        harness.write_json(options.json, dict(machine=harness.machine(),
                                              results=results))


if __name__ == "__main__":
    main()
