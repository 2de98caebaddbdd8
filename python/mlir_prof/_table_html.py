# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables in notebooks."""

from __future__ import annotations

import html
import typing

from . import _table_text

if typing.TYPE_CHECKING:
    from ._table import Row, Table

#: More rows make notebooks slow.
_MOST_ROWS = 200


def _heat(row: Row, table: Table) -> str:
    """The style of the cell that shows a row's part of the whole: a bar of that
    length, from yellow to red."""
    if not table.weight or table.weight[1] <= 0:
        return ""
    name, total = table.weight
    share = min(max((row.get(name) or 0) / total, 0), 1)
    hue = round(50 * (1 - share))
    return (f' style="background:linear-gradient(to right,hsl({hue},90%,70%) '
            f'{100 * share:.1f}%,transparent 0)"')


def to_html(table: Table) -> str:
    """The table as HTML; every text is escaped."""
    columns = [(column, _table_text.choose_unit(table, column))
               for column in _table_text.arrange(table)]
    lines = ['<table class="mlir-prof">', "<thead><tr>"]
    lines += [f"<th>{html.escape(_table_text.heading(column, unit))}</th>"
              for column, unit in columns]
    lines.append("</tr></thead><tbody>")
    for row in table[:_MOST_ROWS]:
        lines.append("<tr>")
        for column, unit in columns:
            cell = html.escape(_table_text.format_cell(
                row.get(column.name), column, unit))
            heat = (_heat(row, table) if table.weight and
                    column.name == table.weight[0] else "")
            side = "left" if column.kind in ("text", "object") else "right"
            lines.append(f'<td align="{side}"{heat}>{cell}</td>')
        lines.append("</tr>")
    lines.append("</tbody></table>")
    notes = _table_text.footer(table[:_MOST_ROWS])
    lines += [f"<p>{html.escape(note)}</p>" for note in notes]
    return "".join(lines)
