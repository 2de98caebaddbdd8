# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables as text."""

from __future__ import annotations

import json
import typing
import unicodedata

from . import _units

if typing.TYPE_CHECKING:
    from ._table import Column, Table

#: Longer cells are cut in the middle.
_WIDEST = 100
#: Kinds that are shown on the left of their columns, or after the amounts.
_LEFT = ("text", "object")
_NAMES = ("text", "number", "list", "object")


def printable(text: str) -> str:
    """`text` without control characters, which could steer a terminal."""
    return "".join(
        character if unicodedata.category(character)[0] != "C"
        else f"\\u{{{ord(character):x}}}" for character in text)


def _cut(text: str) -> str:
    if len(text) <= _WIDEST:
        return text
    half = (_WIDEST - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def choose_unit(table: Table, column: Column) -> typing.Optional[_units.Unit]:
    """The unit in which the largest number of a column is not below 1, or that of all
    such columns."""
    if column.kind not in ("time", "rate"):
        return None
    columns = ([each for each in table.columns if each.kind == column.kind]
               if table.has_one_unit else [column])
    largest = max((abs(row[each.name]) for each in columns for row in table
                   if row.get(each.name) is not None), default=0)
    return (_units.choose_time_unit if column.kind == "time" else
            _units.choose_rate_unit)(largest)


def heading(column: Column, unit: typing.Optional[_units.Unit]) -> str:
    """The title, with the unit."""
    return f"{column.title} [{unit.name}]" if unit else column.title


def format_cell(value: typing.Any, column: Column,
                unit: typing.Optional[_units.Unit]) -> str:
    """A cell as text; `unit` is that of choose_unit."""
    if value is None:
        return "-"
    if unit:
        return _units.format_in(value, unit)
    if column.kind == "ratio":
        return _units.format_in(value, _units.MILLIONTHS)
    if column.kind == "share":
        return _units.format_percent(value, _units.MILLIONTHS.size)
    if column.kind == "list":
        return " x ".join(map(str, value))
    if isinstance(value, str):
        return printable(value)
    return json.dumps(value, ensure_ascii=False)


def arrange(table: Table) -> typing.List[Column]:
    """The columns in the order of reports: numbers first, names last."""
    return sorted(table.columns, key=lambda column: column.kind in _NAMES)


def footer(table: Table) -> typing.List[str]:
    """Sentences below the rows."""
    if not table.matched:
        return ["no rows"]
    if table.matched > len(table):
        return [f"{len(table)} of {table.matched} rows"]
    return []


def to_text(table: Table) -> str:
    """The table; each column has one unit."""
    cells: typing.List[typing.List[str]] = []
    if table.weight:
        name, total = table.weight
        cells.append(["share", *(_units.format_percent(row.get(name) or 0, total)
                                 for row in table)])
    is_left = [False] * len(cells)
    for column in arrange(table):
        unit = choose_unit(table, column)
        cells.append([heading(column, unit),
                      *(_cut(format_cell(row.get(column.name), column, unit))
                        for row in table)])
        is_left.append(column.kind in _LEFT)
    widths = [max(map(len, column)) for column in cells]
    lines = ["  ".join(
        text.ljust(width) if left else text.rjust(width)
        for text, width, left in zip(line, widths, is_left)).rstrip()
        for line in zip(*cells)]
    return "\n".join([*(line for line in lines if line), *footer(table)])
