# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result of a race."""

from __future__ import annotations

import json
import typing

from .._picture import Picture
from .._table import Column, Table
from ._rows import Rows


class Entry(typing.NamedTuple):
    """The part of one framework."""

    name: str
    version: str = ""
    #: Why it did not race; empty if it did.
    reason: str = ""
    #: Times of calls in nanoseconds, by round.
    rounds: typing.Sequence[typing.Sequence[int]] = ()
    #: The largest difference to the reference, relative to its largest element.
    error: float = 0.0
    rows: typing.Optional[Rows] = None
    #: Why it does not have rows; empty if it has.
    no_rows: str = ""


def _to_median(values: typing.Sequence[int]) -> int:
    ordered = sorted(values)
    return ordered[len(ordered) // 2] * 1000


class Race:
    """Times of frameworks, as tables."""

    def __init__(self, entries: typing.Sequence[Entry], reference: str,
                 modules: typing.Sequence[str], threads: int) -> None:
        self.entries = list(entries)
        #: The framework whose results the others are compared with.
        self.reference = reference
        self.threads = threads
        self._modules = modules

    @property
    def times(self) -> Table:
        """Whole calls without profilers: minimum and median in picoseconds, and the
        median as a ratio to the best. A framework that did not race has a note."""
        medians = {entry.name: _to_median(sum(map(list, entry.rounds), []))
                   for entry in self.entries if entry.rounds}
        best = min(medians.values(), default=0)
        rows = [{"framework": entry.name, "version": entry.version,
                 "min_ps": min(map(min, entry.rounds)) * 1000 if entry.rounds else None,
                 "median_ps": medians.get(entry.name),
                 "ratio_ppm": (medians[entry.name] * 10 ** 6 // best
                               if entry.name in medians else None),
                 "error": f"{entry.error:.1e}" if entry.rounds else "",
                 "note": entry.reason} for entry in self.entries]
        return Table(rows, [
            Column("framework", "framework", "text"),
            Column("version", "version", "text"),
            Column("min_ps", "minimum", "time", "ps"),
            Column("median_ps", "median", "time", "ps"),
            Column("ratio_ppm", "to best", "ratio", "ppm"),
            Column("error", "error", "text"), Column("note", "note", "text")])

    def _list_profiled(self) -> typing.List[typing.Tuple[str, Rows]]:
        return [(entry.name, entry.rows) for entry in self.entries if entry.rows]

    @property
    def rows(self) -> Table:
        """The model's modules, with the time per call in each framework by its own
        profiler. `NAME_ps` is own time and estimated parts of what ran as one with
        other modules; `NAME_fused_ps` is the time of the latter, whole."""
        profiled = self._list_profiled()
        columns = [Column("module", "module", "text"), Column("best", "best", "text")]
        for name, _ in profiled:
            columns += [Column(f"{name}_ps", name, "time", "ps"),
                        Column(f"{name}_fused_ps", "fused", "time", "ps")]
        rows = [self._make_row(module, profiled) for module in self._modules]
        if profiled:
            key = f"{profiled[-1][0]}_ps"
            rows.sort(key=lambda row: -(row[key] or 0))
        return Table(rows, columns)

    @staticmethod
    def _make_row(module: str, profiled: typing.Sequence[typing.Tuple[str, Rows]]
                  ) -> typing.Dict[str, typing.Any]:
        row: typing.Dict[str, typing.Any] = {"module": module, "best": ""}
        best = None
        for name, rows in profiled:
            share = rows.modules.get(module)
            row[f"{name}_ps"] = share.total_ps if share else None
            row[f"{name}_fused_ps"] = share.shared_ps if share else None
            if share and (best is None or share.total_ps < best):
                best, row["best"] = share.total_ps, name
        return row

    @property
    def totals(self) -> Table:
        """All time per call that each framework's own profiler measured for ops, and
        the part of it that belongs to no op of the model."""
        rows = []
        for entry in self.entries:
            found = entry.rows
            rows.append({"framework": entry.name,
                         "total_ps": found.total_ps if found else None,
                         "unjoined_ps": found.unjoined_ps if found else None,
                         "note": entry.no_rows})
        return Table(rows, [Column("framework", "framework", "text"),
                            Column("total_ps", "total", "time", "ps"),
                            Column("unjoined_ps", "not joined", "time", "ps"),
                            Column("note", "note", "text")])

    def picture(self) -> Picture:
        """The rows as bars."""
        from ._bars import draw
        return Picture(draw(self.rows))

    def to_json(self, indent: typing.Optional[int] = None) -> str:
        """Everything, with the times of all calls in nanoseconds."""
        return json.dumps({
            "reference": self.reference, "threads": self.threads,
            "times": self.times.to_list(), "rows": self.rows.to_list(),
            "totals": self.totals.to_list(),
            "rounds_ns": {entry.name: [list(times) for times in entry.rounds]
                          for entry in self.entries if entry.rounds}}, indent=indent)

    def _list_tables(self) -> typing.List[Table]:
        tables = [self.times]
        if self._list_profiled():
            tables += [self.rows, self.totals]
        return tables

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self._list_tables()))

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self._list_tables())
