# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads FlatBuffers, as far as models of TensorFlow Lite need it.

The format is documented at https://flatbuffers.dev/internals. A file of any bytes ends
in a FlatBufferError at worst.
"""

from __future__ import annotations

import struct
import typing


class FlatBufferError(ValueError):
    """The bytes are not as documented."""


class Buffer:
    """The bytes of a file, in which numbers may be replaced."""

    def __init__(self, data: bytes) -> None:
        self.data = bytearray(data)

    def number(self, format: str, at: int) -> int:
        """The number at a place; `format` is that of the module struct."""
        try:
            return int(struct.unpack_from(f"<{format}", self.data, at)[0])
        except struct.error as error:
            raise FlatBufferError("an offset leads out of the file") from error

    def follow(self, at: int) -> int:
        """The place that the offset at a place leads to."""
        return at + self.number("I", at)

    def root(self) -> Table:
        return Table(self, self.follow(0))


class Table(typing.NamedTuple):
    """A table; fields are counted from 0, and each may be absent."""

    buffer: Buffer
    at: int

    def place(self, field: int) -> typing.Optional[int]:
        """Where a field is, or None."""
        numbers = self.at - self.buffer.number("i", self.at)
        if numbers < 0:
            raise FlatBufferError("an offset leads out of the file")
        entry = 4 + 2 * field
        if entry + 2 > self.buffer.number("H", numbers):
            return None
        offset = self.buffer.number("H", numbers + entry)
        return self.at + offset if offset else None

    def number(self, field: int, format: str, default: int = 0) -> int:
        place = self.place(field)
        return default if place is None else self.buffer.number(format, place)

    def vector(self, field: int, size: int) -> typing.List[int]:
        """The places of the elements of a vector; `size` is that of an element, in
        bytes."""
        place = self.place(field)
        if place is None:
            return []
        start = self.buffer.follow(place)
        count = self.buffer.number("I", start)
        if start + 4 + count * size > len(self.buffer.data):
            raise FlatBufferError("a vector ends beyond the file")
        return [start + 4 + size * number for number in range(count)]

    def numbers(self, field: int) -> typing.List[int]:
        """A vector of int32."""
        return [self.buffer.number("i", at) for at in self.vector(field, 4)]

    def tables(self, field: int) -> typing.List[Table]:
        """A vector of tables."""
        return [Table(self.buffer, self.buffer.follow(at))
                for at in self.vector(field, 4)]

    def text(self, field: int) -> str:
        places = self.vector(field, 1)
        return bytes(self.buffer.data[at] for at in places).decode(errors="replace")
