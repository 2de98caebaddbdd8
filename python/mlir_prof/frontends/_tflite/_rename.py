# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that the converter lacks, or lowers to others than TensorFlow Lite computes,
become custom ones in the file: it hands these on, and `_custom` writes them in TOSA."""

from __future__ import annotations

import struct
import typing

from .._source import FrontEndError
from ._custom import CUSTOM, Operator
from ._flatbuffer import Table
from ._model import Model

#: The operator of which only the name says what it is.
BUILTIN_CUSTOM = 32


def code_of(table: Table) -> int:
    """The number of an operator, in the field of files of before or after version 3a."""
    return max(table.number(0, "b"), table.number(3, "i"))


def operators_of(model: Model) -> typing.Iterator[typing.Tuple[int, Operator]]:
    """The operators of all graphs, with the places of their codes."""
    for graph in model.graphs:
        tensors = graph.tables(0)
        for table in graph.tables(3):
            yield table.number(0, "I"), Operator(table, tensors)


def append_code(data: bytearray, name: str) -> int:
    """Appends the code of a custom operator; returns its place."""
    data.extend(bytes(-len(data) % 8))
    # Sizes of this list and of the table, and where the fields are in the table.
    fields = struct.pack("<HHHHHH", 12, 16, 12, 4, 0, 8)
    place = len(data) + len(fields)
    encoded = name.encode()
    data += fields
    # How far the list is, the offset of the name, and both numbers of the operator.
    data += struct.pack("<iIiI", len(fields), 12, BUILTIN_CUSTOM, BUILTIN_CUSTOM)
    data += struct.pack("<I", len(encoded)) + encoded + b"\0"
    data.extend(bytes(-len(data) % 4))
    return place


def rename(model: Model) -> typing.Dict[str, Operator]:
    """Renames what `_custom` writes; returns the operators by the name of their first
    result, which is their location in TOSA."""
    found: typing.Dict[int, typing.List[Operator]] = {}
    for place, operator in operators_of(model):
        found.setdefault(place, []).append(operator)
    renamed = {}
    for place, where in enumerate(model.buffer.root().vector(1, 4)):
        code = code_of(Table(model.buffer, model.buffer.follow(where)))
        operators = found.get(place, [])
        if code not in CUSTOM or not any(map(CUSTOM[code].is_needed, operators)):
            continue
        if not all(map(CUSTOM[code].is_taken, operators)):
            raise FrontEndError(f"{CUSTOM[code].name} is there of floating-point numbers "
                                "and of quantized ones; hint: convert the model with one "
                                "of them")
        target = append_code(model.buffer.data, CUSTOM[code].name)
        struct.pack_into("<I", model.buffer.data, where, target - where)
        renamed.update((operator.name, operator) for operator in operators)
    return renamed
