# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters, orders and groups of tables, with the syntax and the meaning of
`mlir-prof report`."""

from __future__ import annotations

import operator
import re
import typing

from . import _units

if typing.TYPE_CHECKING:
    from ._table import Column, Row

Find = typing.Callable[[str], "Column"]

_CONDITION = re.compile(r"([A-Za-z0-9_]+?)\s*(!=|<=|>=|=|~|<|>)\s*(.*)", re.DOTALL)
_RELATIONS: typing.Mapping[str, typing.Callable[[typing.Any, typing.Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "~": operator.contains}
#: Kinds whose natural order is from the smallest.
_ASCENDING = ("text", "number", "list", "object")


def _find(name: str, find: Find) -> Column:
    """A column by its name, which may omit "_ps"."""
    try:
        return find(name)
    except KeyError:
        try:
            return find(name + "_ps")
        except KeyError:
            raise find_error(name, find) from None


def find_error(name: str, find: Find) -> ValueError:
    """The error of an unknown column, with the names of all."""
    try:
        find(name)
    except KeyError as error:
        return ValueError(error.args[0])
    return ValueError(name)


def _parse_value(column: Column, text: str) -> typing.Any:
    if column.kind in ("text", "object"):
        return text
    try:
        if column.kind == "time":
            return _units.parse_time(text)
        if column.kind == "decimal":
            return float(text)
        if column.kind == "list":
            return [int(size) for size in text.split("x")]
        return int(text)
    except ValueError as error:
        raise ValueError(f"{column.name}: {error}") from None


def compile_condition(text: str, find: Find) -> typing.Callable[[Row], bool]:
    """A test of rows: COLUMN=VALUE, or with !=, ~ (contains), <, <=, > or >=.
    Without a value, `COLUMN=` and `COLUMN!=` ask whether it is unknown."""
    match = _CONDITION.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a condition; hint: write "
                         "COLUMN=VALUE, or !=, ~, <, <=, >, >=")
    column = _find(match[1], find)
    relation, value = match[2], match[3]
    if not value:
        if relation not in ("=", "!="):
            raise ValueError(f"{text!r} does not have a value")
        return lambda row: (row.get(column.name) is None) == (relation == "=")
    if relation == "~" and column.kind != "text":
        raise ValueError(f"{text!r}: ~ is for texts, and {column.name} is of "
                         f"kind {column.kind}")
    expected = _parse_value(column, value)
    compare = _RELATIONS[relation]

    def test(row: Row) -> bool:
        found = row.get(column.name)
        return found is not None and compare(found, expected)
    return test


def _parse_key(key: str, find: Find) -> typing.Tuple[Column, bool]:
    """A column, and whether its largest values come first."""
    name, _, direction = key.partition(":")
    is_reversed = name.startswith("-")
    column = _find(name.lstrip("-"), find)
    if direction not in ("", "asc", "desc"):
        raise ValueError(f"{key!r}: the direction is asc or desc")
    if direction:
        return column, direction == "desc"
    return column, (column.kind not in _ASCENDING) != is_reversed


def sort_rows(rows: typing.Sequence[Row], keys: typing.Sequence[str],
              find: Find) -> typing.List[Row]:
    """The rows in an order; ties keep theirs."""
    ordered = list(rows)
    for key in reversed([part for key in keys for part in key.split(",")]):
        column, is_descending = _parse_key(key, find)
        name = column.name
        known = [row for row in ordered if row.get(name) is not None]
        unknown = [row for row in ordered if row.get(name) is None]
        known.sort(key=lambda row: row[name], reverse=is_descending)
        ordered = known + unknown
    return ordered


def group_rows(rows: typing.Sequence[Row], columns: typing.Sequence[Column],
               keys: typing.Sequence[Column], weight: typing.Optional[str]
               ) -> typing.Tuple[typing.List[Column], typing.List[Row]]:
    """The columns and the rows of Table.group."""
    from ._table import Column
    sums = [column for column in columns
            if column.kind in ("time", "count") and column not in keys]
    groups: typing.Dict[typing.Tuple[typing.Any, ...], Row] = {}
    for row in rows:
        values = [row.get(key.name) for key in keys]
        group = groups.setdefault(
            tuple(repr(value) for value in values),
            {**{key.name: value for key, value in zip(keys, values)},
             "rows": 0, **{column.name: None for column in sums}})
        group["rows"] += 1
        for column in sums:
            value = row.get(column.name)
            if value is not None:
                group[column.name] = (group[column.name] or 0) + value
    times = [column.name for column in sums if column.kind == "time"]
    order = weight if weight in times else (times or ["rows"])[0]
    ordered = sorted(groups.values(), key=lambda group: -(group[order] or 0))
    return [*keys, Column("rows", "rows", "count"), *sums], ordered
