# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kinds of scopes, and what recordings consist of."""

from __future__ import annotations

import enum
import typing


class Type(enum.IntEnum):
    """The category of a scope; the first 17 have the numbers of Paddle's
    TracerEventType."""

    Operator = 0
    Dataloader = 1
    ProfileStep = 2
    CudaRuntime = 3
    Kernel = 4
    Memcpy = 5
    Memset = 6
    UserDefined = 7
    OperatorInner = 8
    Forward = 9
    Backward = 10
    Optimization = 11
    Communication = 12
    PythonOp = 13
    PythonUserDefined = 14
    DygraphKernelLaunch = 15
    StaticKernelLaunch = 16
    Pass = 17
    Model = 18


class Role(enum.IntEnum):
    """The part that a scope plays for the one around it."""

    Ordinary = 0
    #: An inner part of an op, such as `compute`.
    InnerOp = 1
    #: An op with a name of its own.
    UniqueOp = 2
    #: The work of a thread outside of those that are compared.
    Special = 3


class State(enum.IntEnum):
    """The state of a profiler at a step."""

    CLOSED = 0
    READY = 1
    RECORD = 2
    #: The last step of a window.
    RECORD_AND_RETURN = 3


class Event(typing.NamedTuple):
    """A scope, or a part of one that was suspended. Times are picoseconds from
    `anchor_ns`, nanoseconds since the epoch."""

    name: str
    type: int
    level: int
    role: int
    #: The place in the program; empty for names made at run time.
    file: str
    line: int
    #: Index into threads().
    thread: int
    #: Index of the event around it, or None.
    parent: typing.Optional[int]
    #: Index of the first part of the scope; of itself without others.
    first: int
    begin_ps: int
    end_ps: int
    #: Without what its thread did in scopes inside.
    self_ps: int
    anchor_ns: int
    #: 0 ended, 1 was suspended, 2 is open.
    ending: int
    #: Whether the parent is of another thread.
    is_linked: bool
    is_overlapping: bool
    #: Whether interval() made it.
    is_outside: bool
    #: Whether the self time is an upper bound.
    is_self_bound: bool

    @property
    def duration_ps(self) -> int:
        """From begin to end."""
        return self.end_ps - self.begin_ps


class Thread(typing.NamedTuple):
    """A thread that had scopes."""

    process: int
    #: The operating system's.
    id: int
    #: From 0, in the order of first scopes.
    number: int
    name: str
    has_ended: bool


class Row(typing.NamedTuple):
    """Scopes of one name, or path. Times are picoseconds; those without `raw`
    are without what recording took."""

    name: str
    type: int
    level: int
    role: int
    #: Index into threads(), or None if threads are merged.
    thread: typing.Optional[int]
    #: Index of the row of the scopes around them, or None.
    parent: typing.Optional[int]
    #: Number of rows around it.
    depth: int
    calls: int
    total_ps: int
    self_ps: int
    raw_total_ps: int
    raw_self_ps: int
    min_ps: int
    max_ps: int
    p50_ps: int
    p90_ps: int
    p99_ps: int
    p999_ps: int
    first_end_ps: int
    #: Scopes that have not ended, and their durations so far.
    open: int
    open_ps: int
    #: Calls inside of other ones of the row, and their durations, which are not
    #: in the totals again.
    recursive: int
    recursive_ps: int
    #: Scopes of other threads that began in these, and their durations.
    linked: int
    linked_ps: int
    #: Whether the self time is an upper bound.
    is_self_bound: bool
    #: Whether it is a part of names alone.
    is_group: bool
    #: Sums of what the calls counted, without what recording took; None where
    #: it was not asked for (Profiler's `count`) or cannot be had.
    allocations: typing.Optional[int]
    allocated_bytes: typing.Optional[int]
    cpu_time_ns: typing.Optional[int]
    cycles: typing.Optional[int]
    instructions: typing.Optional[int]
    cache_misses: typing.Optional[int]
    branch_misses: typing.Optional[int]
    page_faults: typing.Optional[int]
    context_switches: typing.Optional[int]


class ScopeTable(str):
    """A table of scopes as text; `notes` are sentences about it."""

    notes: typing.List[str]

    def __new__(cls, text: str, notes: typing.List[str]) -> ScopeTable:
        table = super().__new__(cls, text)
        table.notes = notes
        return table
