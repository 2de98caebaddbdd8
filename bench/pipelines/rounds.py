# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rounds in which contestants take turns, and their figures."""

import os
import statistics
import sys
import time

import harness
import peers
from contestants import Failed, PeerProcess

#: A processor share between turns above which a peer is disturbing.
DISTURBS = 0.05

#: End of the name of a build that takes part twice.
CONTROL = " (A/A)"


def add_options(parser):
    """Those of all programs with rounds."""
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--threads", default="1", help="one or several: 1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a turn")
    parser.add_argument("--gap", type=float, default=0.3,
                        help="seconds between turns, for pools to fall asleep")
    parser.add_argument("--cpu", type=int, default=0,
                        help="the processor of one thread")
    parser.add_argument("--contestant", action="append", default=[],
                        metavar="NAME=OPTIONS")
    parser.add_argument("--control", action="store_true",
                        help="the first build a second time, as A/A control")
    parser.add_argument("--json", help="write all figures to this file")


def check_options(parser, options):
    if options.rounds < 1:
        parser.error("--rounds needs at least 1")
    chosen = set(filter(None, options.peers.split(",")))
    if unknown := chosen - set(peers.PEERS):
        parser.error(f"no such peer: {', '.join(unknown)}; there are: "
                     f"{', '.join(peers.PEERS)}")


def get_builds(options, pipelines):
    """{name: options of record} of the tool's contestants."""
    builds = {f"mlir-prof {pipeline}": f"--pipeline={pipeline}"
              for pipeline in filter(None, pipelines.split(","))}
    for text in options.contestant:
        name, _, flags = text.partition("=")
        builds[f"mlir-prof {name}"] = flags
    if options.control and builds:
        name, flags = next(iter(builds.items()))
        builds[name + CONTROL] = flags
    return builds


def for_threads(options):
    """Yields each number of threads; with one, this process and so all
    children are bound to one processor."""
    everything = os.sched_getaffinity(0)
    for threads in map(int, options.threads.split(",")):
        if threads == 1:
            harness.pin(options.cpu)
        yield threads
        os.sched_setaffinity(0, everything)


def gather(makers):
    """({name: contestant}, {name: reason for its absence}) of {name:
    function}."""
    ready, absent = {}, {}
    for name, make in makers.items():
        print(f"  {name} ...", file=sys.stderr, flush=True)
        try:
            ready[name] = make()
        except peers.Missing as error:
            absent[name] = f"missing: {error}"
        except Failed as error:
            absent[name] = f"failed: {error}"
    return ready, absent


def play(contestants, rounds, seconds, gap, random):
    """Turns in an order that changes: ({name: [[ns] of each round]}, {name:
    reason} of those that failed on the way)."""
    turns, failed = {name: [] for name in contestants}, {}
    for number in range(rounds + 1):
        order = [name for name in contestants if name not in failed]
        random.shuffle(order)
        for name in order:
            # Threads of the previous contestant go to sleep.
            time.sleep(gap)
            try:
                measured = contestants[name].turn(seconds)
            except Failed as error:
                failed[name] = str(error)
                continue
            # The first round warms up.
            if number:
                turns[name].append(measured)
    for name in turns:
        try:
            contestants[name].finish()
        except Failed as error:
            failed.setdefault(name, str(error))
    return {n: t for n, t in turns.items() if n not in failed}, failed


def summarize(contestants, turns):
    """Figures of each contestant, relative to the best peer of each round."""
    medians = {name: [statistics.median(one) for one in rounds]
               for name, rounds in turns.items()}
    smallest = {name: min(map(min, rounds)) for name, rounds in turns.items()}
    rivals = [name for name in turns
              if isinstance(contestants[name], PeerProcess)
              and not contestants[name].is_bound]
    best = [min(round) for round in zip(*(medians[name] for name in rivals))]
    figures = {}
    for name in turns:
        contestant = contestants[name]
        figures[name] = dict(
            min_ns=smallest[name], median_ns=statistics.median(medians[name]),
            error=contestant.error, version=contestant.version,
            idle=contestant.idle, round_medians_ns=medians[name])
        if rivals:
            figures[name]["ratio"] = harness.ratios(medians[name], best)
            figures[name]["ratio_of_min"] = (
                smallest[name] / min(smallest[rival] for rival in rivals))
    return figures


def compete(makers, options, random):
    """Figures of all contestants that {name: function} makes, and reasons for
    the absence of others. `options` has the number of `rounds`, and the
    seconds of a turn and of a `gap`."""
    ready, absent = gather(makers)
    try:
        turns, failed = play(ready, options.rounds, options.seconds,
                             options.gap, random)
    finally:
        for contestant in ready.values():
            contestant.close()
    absent.update({name: f"failed: {why}" for name, why in failed.items()})
    return dict(figures=summarize(ready, turns), absent=absent)


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
        if figure["idle"] > DISTURBS:
            print(f"{name}: used {figure['idle']:.0%} of a processor between "
                  "its turns")
    sys.stdout.flush()
