# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result of a race."""

from __future__ import annotations

import json
import typing

from .._picture import Picture
from .._table import Column, Table
from ._rows import Rows, Share


#: How many of the sets of fused ops are shown; `fused` has all.
_FUSED = 20


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


def _find_best(shares: typing.Mapping[str, Share]) -> str:
    """The framework with the least time, which times that are not split can only add
    to; empty if they may change the order."""
    if not shares:
        return ""
    best = min(shares, key=lambda name: shares[name].total_ps + shares[name].unsplit_ps)
    most = shares[best].total_ps + shares[best].unsplit_ps
    others = [share.total_ps for name, share in shares.items() if name != best]
    return best if most <= min(others, default=most) else ""


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
            Column("error", "error", "text"), Column("note", "note", "text")],
            has_one_unit=True)

    def _list_profiled(self) -> typing.List[typing.Tuple[str, Rows]]:
        return [(entry.name, entry.rows) for entry in self.entries if entry.rows]

    @property
    def rows(self) -> Table:
        """The model's modules, with the time per call in each framework by its own
        profiler. `NAME_ps` is own time and, where the profiler's ops can be split, the
        estimated parts of what ran as one with other modules; `NAME_fused_ps` is the
        time of the latter, whole. `best` is the fastest framework; it is empty if times
        that cannot be split leave it open."""
        profiled = self._list_profiled()
        columns = [Column("module", "module", "text"), Column("best", "best", "text")]
        for name, _ in profiled:
            columns += [Column(f"{name}_ps", name, "time", "ps"),
                        Column(f"{name}_fused_ps", f"{name} fused", "time", "ps")]
        rows = [self._make_row(module, profiled) for module in self._modules]
        if profiled:
            key = f"{profiled[-1][0]}_ps"
            rows.sort(key=lambda row: -(row[key] or 0))
        return Table(rows, columns, has_one_unit=True)

    @staticmethod
    def _make_row(module: str, profiled: typing.Sequence[typing.Tuple[str, Rows]]
                  ) -> typing.Dict[str, typing.Any]:
        shares = {name: rows.modules[module] for name, rows in profiled
                  if module in rows.modules}
        row: typing.Dict[str, typing.Any] = {"module": module,
                                             "best": _find_best(shares)}
        for name, _ in profiled:
            share = shares.get(name)
            row[f"{name}_ps"] = share.total_ps if share else None
            row[f"{name}_fused_ps"] = share.shared_ps if share else None
        return row

    @property
    def fused(self) -> Table:
        """Ops of several modules of the model that ran as one in a framework, and their
        time per call. No part of it was measured for one of the modules alone."""
        rows = [{"framework": name, "time_ps": fused.time_ps,
                 "modules": " + ".join(fused.modules)}
                for name, found in self._list_profiled() for fused in found.fused]
        return Table(rows, [Column("framework", "framework", "text"),
                            Column("time_ps", "time", "time", "ps"),
                            Column("modules", "ran as one", "text")],
                     has_one_unit=True)

    @property
    def totals(self) -> Table:
        """All time per call that each framework's own profiler measured for ops, the
        part of it that ran as one over several modules, and the part that belongs to
        no op of the model."""
        rows = []
        for entry in self.entries:
            found = entry.rows
            rows.append({"framework": entry.name,
                         "total_ps": found.total_ps if found else None,
                         "fused_ps": (sum(fused.time_ps for fused in found.fused)
                                      if found else None),
                         "unjoined_ps": found.unjoined_ps if found else None,
                         "note": entry.no_rows})
        return Table(rows, [Column("framework", "framework", "text"),
                            Column("total_ps", "total", "time", "ps"),
                            Column("fused_ps", "fused", "time", "ps"),
                            Column("unjoined_ps", "not joined", "time", "ps"),
                            Column("note", "note", "text")], has_one_unit=True)

    def picture(self) -> Picture:
        """The rows as bars."""
        from ._bars import draw
        return Picture(draw(self.rows["module"], self._list_profiled()))

    def to_json(self, indent: typing.Optional[int] = None) -> str:
        """Everything, with the times of all calls in nanoseconds."""
        return json.dumps({
            "reference": self.reference, "threads": self.threads,
            "times": self.times.to_list(), "rows": self.rows.to_list(),
            "fused": self.fused.to_list(), "totals": self.totals.to_list(),
            "rounds_ns": {entry.name: [list(times) for times in entry.rounds]
                          for entry in self.entries if entry.rounds}}, indent=indent)

    def _show_rows(self) -> Table:
        """The rows without columns of frameworks that fused nothing."""
        rows = self.rows
        return Table(rows, [column for column in rows.columns
                            if not column.name.endswith("_fused_ps") or
                            any(rows[column.name])], has_one_unit=True)

    def _list_tables(self) -> typing.List[Table]:
        tables = [self.times]
        if self._list_profiled():
            tables += [self._show_rows(), *filter(None, [self.fused.top(_FUSED)]), self.totals]
        return tables

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self._list_tables()))

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self._list_tables())
