# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times of a profiler by the modules of the model."""

from __future__ import annotations

import collections
import typing

Names = typing.Sequence[str]


class Share(typing.NamedTuple):
    """The time of a module per call, in picoseconds."""

    #: Times of ops that are its own, and its part of those that ran as one with others.
    total_ps: int
    #: Times of its ops that ran as one with ops of other modules, whole.
    shared_ps: int


class Rows(typing.NamedTuple):
    """Measurements of a profiler, per call."""

    modules: typing.Dict[str, Share]
    #: All time of ops, and that of ops which belong to no op of the model.
    total_ps: int
    unjoined_ps: int


def list_modules(name: str) -> typing.List[str]:
    """The modules that hold an op, outermost first: of "a/b/op", "a" and "a/b"."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[:end + 1]) for end in range(len(parts))]


def split(time: int, count: int) -> typing.List[int]:
    """Parts that add up to the time."""
    return [time // count + (place < time % count) for place in range(count)]


def add_set(names: Names, time: int, totals: "collections.Counter[str]",
            shared: "collections.Counter[str]") -> None:
    """Adds the time of ops that ran as one: equal parts for them, for want of more."""
    owners = [list_modules(name) for name in names]
    for modules, part in zip(owners, split(time, len(names))):
        totals.update(dict.fromkeys(modules, part))
    for module in {module for modules in owners for module in modules}:
        if not all(module in modules for modules in owners):
            shared[module] += time


def from_sets(sets: typing.Sequence[typing.Tuple[Names, int]], calls: int,
              known: typing.Container[str]) -> Rows:
    """The rows of sets of names. Sets without a module that is `known` are not
    joined."""
    totals: "collections.Counter[str]" = collections.Counter()
    shared: "collections.Counter[str]" = collections.Counter()
    unjoined = 0
    for names, time in sets:
        joined = [name for name in names
                  if any(module in known for module in list_modules(name))]
        if joined:
            add_set(joined, time, totals, shared)
        else:
            unjoined += time
    return Rows({module: Share(time // calls, shared[module] // calls)
                 for module, time in totals.items()},
                sum(time for _, time in sets) // calls, unjoined // calls)


def from_profile(rows: typing.Iterable[typing.Mapping[str, typing.Any]],
                 total_ps: int, unjoined_ps: int, calls: int) -> Rows:
    """The rows of a report by module path."""
    return Rows({row["key"]: Share(row["total_ps"] // calls,
                                   row["shared_ps"] // calls) for row in rows},
                total_ps // calls, unjoined_ps // calls)


def find_modules(keys: typing.Iterable[str]) -> typing.List[str]:
    """The keys of a report by module path that are modules: that hold others."""
    return sorted({module for key in keys for module in list_modules(key)})
