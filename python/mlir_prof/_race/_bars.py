# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars of the modules' times, one for each framework."""

from __future__ import annotations

import html
import typing

from .._units import format_time
from ._rows import Rows, Share

Profiled = typing.Sequence[typing.Tuple[str, Rows]]

#: Colors that remain apart for color-blind readers (Okabe and Ito).
_COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
           "#f0e442", "#999999"]
_LEFT, _WIDTH, _BAR, _GAP, _ROWS = 220, 420, 12, 10, 24
#: Room for the text right of the longest bar.
_RIGHT = 200
_TOP = 34
_LONGEST_NAME = 32


def _find_places(names: typing.Sequence[str]) -> typing.List[int]:
    """Where the entries of the legend begin, and where it ends."""
    places = [_LEFT]
    for name in names:
        places.append(places[-1] + 30 + 7 * len(name))
    return places


def _draw_legend(names: typing.Sequence[str]) -> typing.List[str]:
    return [f'<rect x="{x}" y="8" width="10" height="10" fill="{color}"/>'
            f'<text x="{x + 14}" y="17">{html.escape(name)}</text>'
            for name, color, x in zip(names, _COLORS, _find_places(names))]


def _shorten(module: str) -> str:
    """The end of a path, which tells modules apart."""
    if len(module) <= _LONGEST_NAME:
        return module
    return "..." + module[3 - _LONGEST_NAME:]


def _draw_bar(share: Share, color: str, y: int, longest: int) -> str:
    """A bar, which is pale where the time is not its module's alone."""
    own, pale = (max(time * _WIDTH // longest, 1) if time else 0
                 for time in (share.total_ps, share.unsplit_ps))
    text = " + ".join([
        *([format_time(share.total_ps)] if own or not pale else []),
        *([f"{format_time(share.unsplit_ps)} fused with others"] if pale else [])])
    size = f'y="{y}" height="{_BAR - 2}" fill="{color}"'
    return (f'<rect x="{_LEFT}" width="{own}" {size}/>'
            + (f'<rect x="{_LEFT + own}" width="{pale}" fill-opacity="0.35" {size}/>'
               if pale else "") +
            f'<text x="{_LEFT + own + pale + 4}" y="{y + 9}" font-size="9">'
            f"{html.escape(text)}</text>")


def _draw_row(module: str, profiled: Profiled, top: int,
              longest: int) -> typing.List[str]:
    middle = top + _BAR * len(profiled) // 2 + 4
    parts = [f'<text x="{_LEFT - 8}" y="{middle}" text-anchor="end">'
             f"{html.escape(_shorten(module))}</text>"]
    for place, ((_, rows), color) in enumerate(zip(profiled, _COLORS)):
        if module in rows.modules:
            parts.append(_draw_bar(rows.modules[module], color, top + place * _BAR,
                                   longest))
    return parts


def draw(modules: typing.Sequence[str], profiled: Profiled) -> str:
    """An SVG of the rows of a race, the first ones if they are many."""
    names = [name for name, _ in profiled]
    shown, each = modules[:_ROWS], _BAR * len(names) + _GAP
    longest = max((share.total_ps + share.unsplit_ps for _, rows in profiled
                   for module, share in rows.modules.items() if module in shown),
                  default=0) or 1
    parts = _draw_legend(names)
    for place, module in enumerate(shown):
        parts += _draw_row(module, profiled, _TOP + place * each, longest)
    height = _TOP + len(shown) * each + 18
    if len(shown) < len(modules):
        parts.append(f'<text x="{_LEFT}" y="{height - 6}">{len(shown)} of '
                     f"{len(modules)} modules</text>")
    width = max(_LEFT + _WIDTH + _RIGHT, _find_places(names)[-1])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" font-size="11" '
            'font-family="sans-serif" fill="currentColor">' + "".join(parts) + "</svg>")
