# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of models of TensorFlow Lite: the arguments and results of their main graph, and
the sizes that they leave open. Fields have the numbers of TensorFlow's schema.fbs, version 3."""

from __future__ import annotations

import struct
import typing

from .._source import FrontEndError, Value
from ._flatbuffer import Buffer, FlatBufferError, Table

#: The file identifier, behind the offset of the root.
IDENTIFIER = b"TFL3"

#: NumPy's names of the element types, by their numbers; None for those that no array
#: has.
DTYPES: typing.List[typing.Optional[str]] = [
    "float32", "float16", "int32", "uint8", "int64", None, "bool", "int16", "complex64",
    "int8", "float64", "complex128", "uint64", None, None, "uint32", "uint16", "int4",
    "bfloat16"]

Sizes = typing.Sequence[int]


class Tensor:
    """A tensor of a graph."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.name = table.text(3)

    @property
    def sizes(self) -> typing.List[int]:
        """Those that the file states, also in the place of open ones."""
        return [abs(size) for size in self.table.numbers(0)]

    @property
    def open(self) -> typing.List[int]:
        """The dimensions whose size each call may choose."""
        return [place for place, (_, size) in enumerate(
            zip(self.table.numbers(0), self.table.numbers(7))) if size < 0]

    def set_size(self, place: int, size: int) -> None:
        for field in (0, 7):
            where = self.table.vector(field, 4)
            struct.pack_into("<i", self.table.buffer.data, where[place], size)

    def describe(self, name: str) -> Value:
        number = self.table.number(1, "b")
        dtype = DTYPES[number] if 0 <= number < len(DTYPES) else None
        if dtype is None:
            raise FrontEndError(f"the tensor {name} has elements that are no numbers; "
                                "hint: convert the model without strings and resources")
        return Value(name, dtype, tuple(self.sizes))


class Model:
    """The main graph, which is the first."""

    def __init__(self, data: bytes) -> None:
        if data[4:8] != IDENTIFIER:
            raise FlatBufferError("the file is no model of TensorFlow Lite")
        self.buffer = Buffer(data)
        root = self.buffer.root()
        self.graphs = root.tables(2)
        if not self.graphs:
            raise FlatBufferError("the file has no graph")
        tensors = [Tensor(table) for table in self.graphs[0].tables(0)]
        self.inputs, self.outputs = (
            [self._find(tensors, number) for number in self.graphs[0].numbers(field)]
            for field in (1, 2))
        self.names = self._read_names(root)

    @staticmethod
    def _find(tensors: typing.List[Tensor], number: int) -> Tensor:
        if not 0 <= number < len(tensors):
            raise FlatBufferError(f"there is no tensor {number}")
        return tensors[number]

    def _read_names(self, root: Table) -> typing.List[str]:
        """The names of the inputs: those of the signature of the main graph, if it has
        one."""
        numbers = self.graphs[0].numbers(1)
        names = {number: tensor.name for number, tensor in zip(numbers, self.inputs)}
        for signature in root.tables(7):
            if signature.number(4, "I") == 0:
                names.update((each.number(1, "I"), each.text(0))
                             for each in signature.tables(0))
        return [names[number] for number in numbers]

    def choose_sizes(self, given: typing.Mapping[str, Sizes]) -> typing.List[str]:
        """Makes all sizes static: those of the inputs are `given` by name, else what the
        file states; returns notes. Open sizes within the graph are multiples of the
        batch, which the file states for a batch of 1 or more."""
        factors = {}
        for name, tensor in zip(self.names, self.inputs):
            factors.update(find_factors(name, tensor, given.get(name)))
        if len(set(factors.values())) > 1:
            raise FrontEndError("the sizes that the file leaves open are not all the same "
                                f"multiple of those it states: {factors}; hint: convert "
                                "the model with static shapes")
        factor = next(iter(factors.values()), 1)
        for graph in self.graphs:
            for tensor in map(Tensor, graph.tables(0)):
                for place in tensor.open:
                    tensor.set_size(place, tensor.sizes[place] * factor)
        return [f"{name} is left open by the file, and is what it states"
                for name in factors if name.split(" ")[0] not in given]


def find_factors(name: str, tensor: Tensor, given: typing.Optional[Sizes]
                 ) -> typing.Dict[str, int]:
    """Finds for each open dimension of an input the multiple of its stated size."""
    stated = tensor.sizes
    wanted = stated if given is None else list(given)
    differ = [place for place, (one, other) in enumerate(zip(stated, wanted))
              if one != other]
    if len(wanted) != len(stated) or not set(differ) <= set(tensor.open) or any(
            wanted[place] % stated[place] for place in differ):
        raise FrontEndError(
            f"the argument {name} has the shape {wanted}, and the model is made for "
            f"{stated}; hint: pass that shape, or convert the model with another one")
    return {f"{name} dimension {place}": wanted[place] // max(stated[place], 1)
            for place in tensor.open}
