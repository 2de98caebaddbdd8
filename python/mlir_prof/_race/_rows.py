# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times of a profiler by the modules of the model."""

from __future__ import annotations

import collections
import typing

Names = typing.Sequence[str]
Sets = typing.Sequence[typing.Tuple[Names, int]]

#: The module of an op that is in none.
TOP = "(top)"
#: The key of ops without a path, in reports by module path.
UNNAMED = "(unnamed)"


class Share(typing.NamedTuple):
    """The time of a row, a module or an op, per call, in picoseconds."""

    #: Times of ops that are its own, and its part of those that ran as one with
    #: others where the profile estimates it.
    total_ps: int
    #: Times of its ops that ran as one with ops of other modules, whole.
    shared_ps: int
    #: The part of shared_ps of which total_ps does not have an estimate.
    unsplit_ps: int = 0


class Fused(typing.NamedTuple):
    """Ops of several modules that ran as one."""

    modules: typing.Tuple[str, ...]
    #: Their time per call.
    time_ps: int


class Rows(typing.NamedTuple):
    """Measurements of a profiler, per call."""

    modules: typing.Dict[str, Share]
    #: All time of ops, and that of ops which belong to no op of the model.
    total_ps: int
    unjoined_ps: int
    #: By decreasing times.
    fused: typing.Sequence[Fused] = ()


def list_modules(name: str) -> typing.List[str]:
    """The modules that hold an op, outermost first: of "a/b/op", "a" and "a/b"."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[:end + 1]) for end in range(len(parts))]


def list_rows(name: str, known: typing.Container[str]) -> typing.List[str]:
    """The rows of an op, outermost first: those that are `known`, modules or ops."""
    return [row for row in (*list_modules(name), name) if row in known]


def find_fused(sets: Sets, calls: int,
               known: typing.Container[str]) -> typing.List[Fused]:
    """The sets with ops of several rows; equal ones are added up."""
    times: "collections.Counter[typing.Tuple[str, ...]]" = collections.Counter()
    for names, time in sets:
        modules = {[TOP, *list_rows(name, known)][-1] for name in names}
        if len(modules) > 1:
            times[tuple(sorted(modules))] += time
    return [Fused(modules, time // calls) for modules, time in times.most_common()]


def add_set(owners: typing.Sequence[typing.Sequence[str]], time: int,
            own: "collections.Counter[str]",
            shared: "collections.Counter[str]") -> None:
    """Adds the time of ops that ran as one, of which each has its rows: to the rows
    that have all of them, and as shared to those that have some."""
    for row in {row for rows in owners for row in rows}:
        (own if all(row in rows for rows in owners) else shared)[row] += time


def from_sets(sets: Sets, calls: int, known: typing.Container[str]) -> Rows:
    """The rows of sets of names. Sets without a row that is `known` are not joined.
    Times of ops that ran as one with ops of other rows are not split: there is nothing
    to do it by."""
    own: "collections.Counter[str]" = collections.Counter()
    shared: "collections.Counter[str]" = collections.Counter()
    joined = []
    for names, time in sets:
        owners = [list_rows(name, known) for name in names]
        if any(owners):
            joined.append((names, time))
            add_set(owners, time, own, shared)
    total = sum(time for _, time in sets)
    return Rows({row: Share(own[row] // calls, shared[row] // calls,
                            shared[row] // calls) for row in own | shared},
                total // calls, (total - sum(time for _, time in joined)) // calls,
                find_fused(joined, calls, known))


def from_profile(rows: typing.Iterable[typing.Mapping[str, typing.Any]], sets: Sets,
                 total_ps: int, unjoined_ps: int, calls: int,
                 known: typing.Container[str]) -> Rows:
    """The rows of a report by module path, and of the paths of ops that ran as one."""
    return Rows({row["key"]: Share(row["total_ps"] // calls,
                                   row["shared_ps"] // calls) for row in rows},
                total_ps // calls, unjoined_ps // calls,
                find_fused(sets, calls, known))


def find_modules(keys: typing.Iterable[str]) -> typing.List[str]:
    """The rows of ops with these paths, keys of a report by module path: the modules,
    or the ops if there is none."""
    paths = {key for key in keys if key != UNNAMED}
    return sorted({module for path in paths for module in list_modules(path)} or paths)
