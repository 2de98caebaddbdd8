# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of iterations."""

import os
import pathlib
import random
import statistics
import sys

from cases import get_peers, harness, make_case, players

import rounds


def get_makers(options, problem, threads, folder):
    """{name: function that makes the contestant} of peers and builds."""
    case = make_case(problem, options.form)
    makers = get_peers(options, problem, threads, folder)
    errors = {}

    def make(flags):
        tool = players.PausedTool(options.tool, case, problem, threads, flags,
                                  folder, errors.get(flags))
        errors[flags] = tool.error
        return tool
    for name, flags in rounds.get_builds(options, options.pipelines).items():
        makers[name] = lambda flags=flags: make(flags)
    return makers


def count_processors():
    return len(os.sched_getaffinity(0))


def measure_speed(options, problem, threads, folder):
    makers = get_makers(options, problem, threads, folder)
    with harness.busy(count_processors() if options.busy else 0):
        result = rounds.compete(makers, options, random.Random(problem.name))
    rounds.print_figures(**result)
    return result


class BusyTurns:
    """The turns of a contestant meanwhile all processors are busy with other
    processes."""

    def __init__(self, player):
        self.player = player

    def turn(self, seconds):
        with harness.busy(count_processors()):
            return self.player.turn(seconds)

    def finish(self):
        """The contestant's own turns do that."""


def gather_for_share(options, problem, threads, folder):
    """({(name, threads): contestant}, reasons for the absence of others)."""
    makers = {}
    for count in (1, threads):
        place = pathlib.Path(folder, str(count))
        place.mkdir()
        for name, make in get_makers(options, problem, count, place).items():
            makers[name, count] = make
    return rounds.gather(makers)


def measure_share(options, problem, threads, folder):
    if threads == 1:
        sys.exit("share needs --threads of at least 2")
    ready, absent = gather_for_share(options, problem, threads, folder)
    turns = {(*key, state): player for key, one in ready.items()
             for state, player in (("quiet", one), ("busy", BusyTurns(one)))}
    try:
        times, failed = rounds.play(turns, options.rounds, options.seconds,
                                    options.gap, random.Random(problem.name))
    finally:
        for player in ready.values():
            player.close()
    absent.update(failed)
    medians = {key: [statistics.median(turn) for turn in several]
               for key, several in times.items()}
    return summarize_share(medians, threads, absent)


def summarize_share(medians, threads, absent):
    """Prints and returns, for each contestant, the times of several threads
    next to other processes, relative to those without them and to those of one
    thread next to them."""
    figures, rows = {}, []
    for name in dict.fromkeys(name for name, _, _ in medians):
        parts = [(name, threads, "busy"), (name, threads, "quiet"),
                 (name, 1, "busy")]
        if any(part not in medians for part in parts):
            continue
        several, quiet, one = (medians[part] for part in parts)
        figures[name] = dict(
            to_quiet=harness.ratios(several, quiet),
            to_one=harness.ratios(several, one),
            busy_ns=several, quiet_ns=quiet, one_busy_ns=one)
        rows.append([name, *(f"{statistics.median(values) / 1e3:.1f}"
                             for values in (quiet, several, one)),
                     harness.format_spread(figures[name]["to_quiet"], 2),
                     harness.format_spread(figures[name]["to_one"], 2)])
    harness.print_table(["contestant", "quiet [us]", "busy [us]",
                         "one thread, busy [us]", "busy/quiet",
                         "busy/one thread, busy"], rows)
    for key, reason in absent.items():
        print(f"{key}: {reason}")
    sys.stdout.flush()
    return dict(figures=figures, absent={str(k): v for k, v in absent.items()})
