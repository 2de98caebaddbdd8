# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables: rows with columns that have names, kinds and units."""

from __future__ import annotations

import json
import typing

from . import _table_text

if typing.TYPE_CHECKING:
    import pandas
    import pyarrow

Row = typing.Dict[str, typing.Any]

#: The kind of a column by the end of its name; docs/json.md has the convention.
_SUFFIXES = {"_ps": "time", "_ppm": "ratio", "_per_second": "rate",
             "_bytes": "count"}
_UNITS = {"time": "ps", "ratio": "ppm", "share": "ppm", "rate": "per_second"}


class Column(typing.NamedTuple):
    """A column of a Table."""

    #: The key in rows and in JSON, such as "total_ps".
    name: str
    #: The heading, such as "total".
    title: str
    #: "text", "number" (an index or id), "count", "time", "rate", "ratio",
    #: "share", "list", "decimal", or "object" for JSON values of other shapes.
    kind: str
    #: The unit of its integers: "ps", "ppm", "per_second", or empty.
    unit: str = ""


def _find_kind(values: typing.Iterable[typing.Any]) -> str:
    for value in values:
        if isinstance(value, str):
            return "text"
        if isinstance(value, bool):
            return "object"
        if isinstance(value, int):
            return "count"
        if isinstance(value, float):
            return "decimal"
        if value is not None:
            return "object"
    return "text"


def describe_columns(rows: typing.Sequence[Row],
                     kinds: typing.Mapping[str, str]) -> typing.List[Column]:
    """The columns of rows that do not come with a description. `kinds` are
    those that names do not tell."""
    columns = []
    for name in dict.fromkeys(key for row in rows for key in row):
        suffix = next((end for end in _SUFFIXES if name.endswith(end)), "")
        kind = kinds.get(name) or _SUFFIXES.get(suffix) or _find_kind(
            row.get(name) for row in rows)
        title = name[:-len(suffix)] if suffix in ("_ps", "_ppm") else name
        columns.append(Column(name, title.replace("_", " "), kind,
                              _UNITS.get(kind, "")))
    return columns


class Table(typing.Sequence[Row]):
    """Rows as dictionaries, in order. Times are integers in picoseconds, ratios
    in parts per million; `columns` has the units. An unknown figure is None.

    A table is a sequence of rows: `len(table)`, `table[0]["total_ps"]`,
    `for row in table`; `table["total_ps"]` is a column as a list. `print(table)`
    shows times in a readable unit, and notebooks show it with heat."""

    def __init__(self, rows: typing.Iterable[Row],
                 columns: typing.Optional[typing.Sequence[Column]] = None, *,
                 kinds: typing.Optional[typing.Mapping[str, str]] = None,
                 document: typing.Optional[typing.Mapping[str, typing.Any]] = None,
                 weight: typing.Optional[typing.Tuple[str, int]] = None,
                 matched: typing.Optional[int] = None,
                 has_one_unit: bool = False) -> None:
        self._rows = list(rows)
        self.columns: typing.Tuple[Column, ...] = tuple(
            describe_columns(self._rows, kinds or {}) if columns is None
            else columns)
        #: Everything of the tool's JSON document but the rows.
        self.document: typing.Mapping[str, typing.Any] = dict(document or {})
        #: The column that shares are parts of, and its total over all rows.
        self.weight = weight
        #: The number of rows from which these were selected, by page or number.
        self.matched = len(self._rows) if matched is None else matched
        #: Whether times of all columns are shown in one unit, to be compared.
        self.has_one_unit = has_one_unit

    @classmethod
    def from_document(cls, document: typing.Mapping[str, typing.Any]) -> Table:
        """The table of a document of the schema mlir-prof.report."""
        weight = document.get("weight")
        return cls(document["rows"],
                   [Column(column["name"], column["title"], column["kind"],
                           column.get("unit", ""))
                    for column in document["columns"]],
                   document={key: value for key, value in document.items()
                             if key != "rows"},
                   weight=(weight["column"], weight["total"]) if weight else None,
                   matched=document["matched"])

    def _with(self, rows: typing.Iterable[Row],
              matched: typing.Optional[int] = None) -> Table:
        return Table(rows, self.columns, document=self.document,
                     weight=self.weight, matched=matched,
                     has_one_unit=self.has_one_unit)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> typing.Iterator[Row]:
        return iter(self._rows)

    @typing.overload
    def __getitem__(self, key: int) -> Row: ...
    @typing.overload
    def __getitem__(self, key: slice) -> Table: ...
    @typing.overload
    def __getitem__(self, key: str) -> typing.List[typing.Any]: ...

    def __getitem__(self, key: typing.Union[int, slice, str]) -> typing.Any:
        if isinstance(key, str):
            self.column(key)
            return [row.get(key) for row in self._rows]
        if isinstance(key, slice):
            return self._with(self._rows[key], self.matched)
        return self._rows[key]

    def column(self, name: str) -> Column:
        """The description of a column. Raises KeyError, with all names, if there
        is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"there is no column {name!r}; hint: there are "
                       + ", ".join(column.name for column in self.columns))

    # --------------------------------------------------------------------------
    # Selections
    # --------------------------------------------------------------------------

    def filter(self, *conditions: typing.Union[
            str, typing.Callable[[Row], typing.Any]]) -> Table:
        """The rows that satisfy all conditions: functions of a row, or texts as
        those of `mlir-prof report --filter`, such as "total_ps>2ms".

        Raises ValueError for a text that is not a condition."""
        from ._table_query import compile_condition
        tests = [condition if callable(condition) else
                 compile_condition(condition, self.column)
                 for condition in conditions]
        return self._with(row for row in self._rows
                          if all(test(row) for test in tests))

    def sort(self, *keys: str) -> Table:
        """Sorts by columns in their natural direction: times, counts and ratios
        from the largest, texts and numbers from the smallest. "-name" is the
        reverse; "name:asc" and "name:desc" say it. Unknown values come last."""
        from ._table_query import sort_rows
        return self._with(sort_rows(self._rows, keys, self.column), self.matched)

    def top(self, count: int) -> Table:
        """The first rows."""
        return self._with(self._rows[:count], self.matched)

    def page(self, number: int, size: int = 50) -> Table:
        """Page `number`, from 1, of `size` rows."""
        if number < 1 or size < 1:
            raise ValueError(f"page {number} of {size} rows; both are from 1")
        return self._with(self._rows[(number - 1) * size:number * size],
                          self.matched)

    def group(self, *names: str) -> Table:
        """Adds up times and counts of rows that are equal in these columns, by
        decreasing sums of the time that shares are parts of, or else of the first
        one. `rows` is how many they were."""
        from ._table_query import group_rows
        columns, rows = group_rows(self._rows, self.columns,
                                   [self.column(name) for name in names],
                                   self.weight[0] if self.weight else None)
        return Table(rows, columns, document=self.document, weight=self.weight)

    # --------------------------------------------------------------------------
    # Forms
    # --------------------------------------------------------------------------

    def to_list(self) -> typing.List[Row]:
        """A copy of the rows."""
        return [dict(row) for row in self._rows]

    def to_json(self, indent: typing.Optional[int] = None) -> str:
        """The JSON document, in the schema that it came in."""
        return json.dumps({**self.document, "rows": self._rows}, indent=indent,
                          ensure_ascii=False)

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with these columns; `attrs["units"]` has their units.

        Raises ImportError without pandas."""
        from ._table_frames import to_pandas
        return to_pandas(self)

    def to_arrow(self) -> pyarrow.Table:
        """A table of Arrow; the metadata of each field has "kind" and "unit".

        Raises ImportError without pyarrow."""
        from ._table_frames import to_arrow
        return to_arrow(self)

    def __repr__(self) -> str:
        return _table_text.to_text(self)

    def _repr_html_(self) -> str:
        from ._table_html import to_html
        return to_html(self)
