# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which steps are recorded."""

from __future__ import annotations

import typing

from ._types import State

#: The state of a step.
Schedule = typing.Callable[[int], State]

#: States in which scopes are recorded.
RECORDING = (State.RECORD, State.RECORD_AND_RETURN)


def schedule(closed: int, ready: int, record: int, repeat: int = 0,
             skip_first: int = 0) -> Schedule:
    """A schedule for Profiler: after `skip_first` steps, `repeat` windows (0:
    without end) of `closed` steps that are not recorded, `ready` steps before
    recording, and `record` steps that are."""
    counts = dict(closed=closed, ready=ready, record=record, repeat=repeat,
                  skip_first=skip_first)
    for name, count in counts.items():
        least = 1 if name == "record" else 0
        if not isinstance(count, int) or count < least:
            raise ValueError(f"{name} is {count!r}; it is a number from {least}")
    period = closed + ready + record

    def get_state(step: int) -> State:
        if step < skip_first:
            return State.CLOSED
        window, place = divmod(step - skip_first, period)
        if (repeat and window >= repeat) or place < closed:
            return State.CLOSED
        if place < closed + ready:
            return State.READY
        return State.RECORD if place < period - 1 else State.RECORD_AND_RETURN

    return get_state


def record_between(begin: int, end: int) -> Schedule:
    """The schedule of the steps from `begin` until before `end`: one window,
    with a step READY before it."""
    if not 0 <= begin < end:
        raise ValueError(f"steps are recorded from {begin} until before {end}; "
                         "the first is from 0 and below the second")
    ready = min(begin, 1)
    return schedule(begin - ready, ready, end - begin, repeat=1)


def as_schedule(given: typing.Union[
        None, Schedule, typing.Tuple[int, int]]) -> Schedule:
    """The function from step to State that a Profiler's `schedule` stands for."""
    if given is None:
        return lambda step: State.RECORD
    if not callable(given):
        return record_between(*given)

    def get_state(step: int) -> State:
        state = given(step)
        # Members of other enumerations with these numbers count as well.
        return State(getattr(state, "value", state))
    return get_state
