# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantities as text, in the form that the tool prints."""

from __future__ import annotations

import fractions
import re
import typing


class Unit(typing.NamedTuple):
    """A unit of time or of a rate."""

    name: str
    #: Its length in picoseconds, or the rate in units per second.
    size: int


_TIMES = (Unit("ps", 1), Unit("ns", 10**3), Unit("us", 10**6),
          Unit("ms", 10**9), Unit("s", 10**12))
_RATES = (Unit("1/s", 1), Unit("k/s", 10**3), Unit("M/s", 10**6),
          Unit("G/s", 10**9), Unit("T/s", 10**12))
_TIME = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(ps|ns|us|ms|s)?\s*")
MILLIONTHS = Unit("", 10**6)


def _choose(units: typing.Sequence[Unit], largest: int) -> Unit:
    fitting = [unit for unit in units if unit.size <= abs(largest)]
    return fitting[-1] if fitting else units[0]


def choose_time_unit(ps: int) -> Unit:
    """The largest of ps, ns, us, ms and s in which `ps` is at least 1."""
    return _choose(_TIMES, ps)


def choose_rate_unit(per_second: int) -> Unit:
    """The largest unit in which `per_second` is at least 1."""
    return _choose(_RATES, per_second)


def format_in(value: int, unit: Unit) -> str:
    """`value` in `unit` with three decimals, rounded half away from zero; without
    decimals if the unit is 1."""
    if unit.size == 1:
        return str(value)
    thousandths = (abs(value) * 2000 + unit.size) // (2 * unit.size)
    sign = "-" if value < 0 and thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03}"


def format_time(ps: int) -> str:
    """`ps` with its own unit, such as "248.717 ms"."""
    unit = choose_time_unit(ps)
    return f"{format_in(ps, unit)} {unit.name}"


def format_percent(part: int, whole: int) -> str:
    """`part` of `whole` in percent with one decimal; empty if `whole` is not
    positive."""
    if whole <= 0:
        return ""
    tenths = (abs(part) * 2000 + whole) // (2 * whole)
    sign = "-" if part < 0 and tenths else ""
    return f"{sign}{tenths // 10}.{tenths % 10} %"


def parse_time(text: str) -> int:
    """The picoseconds of "1500", "1.5ns" or "2 ms"; plain numbers are ps.

    Raises ValueError on anything else, and on parts of a picosecond."""
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a time; hint: write 1.5ms")
    size = next(unit.size for unit in _TIMES if unit.name == (match[2] or "ps"))
    ps = fractions.Fraction(match[1]) * size
    if ps.denominator != 1:
        raise ValueError(f"{text!r} has a part of a picosecond")
    return int(ps)
