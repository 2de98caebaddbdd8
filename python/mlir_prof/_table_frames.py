# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of other libraries."""

from __future__ import annotations

import importlib
import json
import typing

if typing.TYPE_CHECKING:
    import pandas
    import pyarrow
    from ._table import Column, Table

_INTEGERS = ("number", "count", "time", "rate", "ratio", "share")


def _require(name: str, method: str) -> typing.Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"Table.{method} needs the package {name}; hint: pip "
                          f"install {name}") from error


def _cells(table: Table, column: Column) -> typing.List[typing.Any]:
    """Values of one type: JSON for objects of any shape."""
    values = table[column.name]
    if column.kind != "object":
        return values
    return [None if value is None else json.dumps(value, ensure_ascii=False)
            for value in values]


def to_pandas(table: Table) -> pandas.DataFrame:
    """Integers that may be unknown are of pandas' type Int64."""
    library = _require("pandas", "to_pandas")
    frame = library.DataFrame({
        column.name: library.array(
            _cells(table, column),
            dtype="Int64" if column.kind in _INTEGERS else
            "Float64" if column.kind == "decimal" else object)
        for column in table.columns})
    frame.attrs["units"] = {column.name: column.unit for column in table.columns
                            if column.unit}
    return frame  # type: ignore[no-any-return]


def to_arrow(table: Table) -> pyarrow.Table:
    """Integers are int64, lists are lists of int64."""
    arrow = _require("pyarrow", "to_arrow")

    def choose_type(column: Column) -> typing.Any:
        if column.kind in _INTEGERS:
            return arrow.int64()
        if column.kind == "decimal":
            return arrow.float64()
        return arrow.list_(arrow.int64()) if column.kind == "list" else arrow.string()

    schema = arrow.schema([
        arrow.field(column.name, choose_type(column),
                    metadata={"kind": column.kind, "unit": column.unit})
        for column in table.columns])
    return arrow.table(
        [_cells(table, column) for column in table.columns], schema=schema)
