# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars of the modules' times, one for each framework."""

from __future__ import annotations

import html
import typing

from .._table import Table
from .._units import format_time

#: Colors that remain apart for color-blind readers (Okabe and Ito).
_COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
           "#f0e442", "#999999"]
_LEFT, _WIDTH, _BAR, _GAP, _ROWS = 220, 420, 12, 10, 24


def _find_names(table: Table) -> typing.List[str]:
    return [column.title for column in table.columns
            if column.kind == "time" and not column.name.endswith("_fused_ps")]


def _draw_legend(names: typing.Sequence[str]) -> typing.List[str]:
    parts, x = [], _LEFT
    for name, color in zip(names, _COLORS):
        parts.append(f'<rect x="{x}" y="8" width="10" height="10" fill="{color}"/>'
                     f'<text x="{x + 14}" y="17">{html.escape(name)}</text>')
        x += 30 + 7 * len(name)
    return parts


def _draw_row(row: typing.Mapping[str, typing.Any], names: typing.Sequence[str],
              top: int, longest: int) -> typing.List[str]:
    middle = top + _BAR * len(names) // 2 + 4
    parts = [f'<text x="{_LEFT - 8}" y="{middle}" text-anchor="end">'
             f'{html.escape(row["module"][-30:])}</text>']
    for place, (name, color) in enumerate(zip(names, _COLORS)):
        time = row[f"{name}_ps"]
        if time is None:
            continue
        y, width = top + place * _BAR, max(time * _WIDTH // longest, 1)
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="{width}" height="{_BAR - 2}" '
                     f'fill="{color}"/><text x="{_LEFT + width + 4}" y="{y + 9}" '
                     f'font-size="9">{html.escape(format_time(time))}</text>')
    return parts


def draw(table: Table) -> str:
    """An SVG of the rows of a race, the first ones if they are many."""
    names = _find_names(table)
    rows = table.to_list()[:_ROWS]
    longest = max((row[f"{name}_ps"] or 0 for row in rows for name in names),
                  default=0) or 1
    height = 30 + len(rows) * (_BAR * len(names) + _GAP)
    width = max(_LEFT + _WIDTH + 90, _LEFT + sum(30 + 7 * len(name) for name in names))
    parts = _draw_legend(names)
    for place, row in enumerate(rows):
        parts += _draw_row(row, names, 30 + place * (_BAR * len(names) + _GAP), longest)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" font-size="11" '
            'font-family="sans-serif" fill="currentColor">' + "".join(parts) + "</svg>")
