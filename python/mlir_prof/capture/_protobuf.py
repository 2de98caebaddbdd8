# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of protobuf that a request to a profiler server needs."""


def _varint(number):
    encoded = bytearray()
    while number > 0x7f:
        encoded.append(number & 0x7f | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def encode(fields):
    """A message of (number, value) pairs: integers, texts and messages as bytes."""
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts += [_varint(number << 3), _varint(value)]
        else:
            data = value.encode() if isinstance(value, str) else value
            parts += [_varint(number << 3 | 2), _varint(len(data)), data]
    return b"".join(parts)


def _read_varint(data, place):
    number = shift = 0
    while True:
        if place >= len(data) or shift > 63:
            raise ValueError("the message is cut off")
        byte = data[place]
        place += 1
        number |= (byte & 0x7f) << shift
        if byte < 0x80:
            return number, place
        shift += 7


def decode(data):
    """The (number, value) pairs of a message: integers, and bytes as
    memoryviews."""
    data = memoryview(data)
    place = 0
    while place < len(data):
        key, place = _read_varint(data, place)
        if key & 7 == 0:
            value, place = _read_varint(data, place)
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if key & 7 == 2:
                size, place = _read_varint(data, place)
            if size is None or place + size > len(data):
                raise ValueError("the message is cut off")
            value = data[place:place + size]
            place += size
        yield key >> 3, value
