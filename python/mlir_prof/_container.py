# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models as files: sections that Python adds to them.

docs/compiled-models.md and prof_model_file.h define the layout: a library, sections, a
directory of them, and a footer at the end. Readers skip sections that they do not
know."""

from __future__ import annotations

import hmac
import io
import json
import struct
import typing

#: The nesting of arguments and results, and the framework, as JSON.
STRUCTURE = 0x100
#: The keyed hash of the file, with zeros in its own place.
SEAL = 0x101

_MAGIC = b"MLPRMOD2"
_SECTION = struct.Struct("<QQQQ")
_FOOTER = struct.Struct("<QQQQQQQ8s")
_SEAL_BYTES = 32
_MASK = (1 << 64) - 1
_MOST_SECTIONS = 1024


class NotAModel(ValueError):
    """A file is not a compiled model, or is damaged."""


class Section(typing.NamedTuple):
    """An entry of the directory."""

    kind: int
    offset: int
    size: int
    hash: int


def _hash_more(value: int, data: bytes) -> int:
    """prof_model_hash_more."""
    for (word,) in struct.iter_unpack("<Q", data + bytes(-len(data) % 8)):
        value = (value ^ word) * 0x9fb21c651e98df25 & _MASK
        value ^= value >> 29
    value = (value ^ len(data)) * 0x9fb21c651e98df25 & _MASK
    return value ^ value >> 29


def _hash(*parts: bytes) -> int:
    value = 0x6d6c69722d70726f
    for part in parts:
        value = _hash_more(value, part)
    return value


class Tail:
    """The directory and the footer of a file."""

    def __init__(self, file: typing.BinaryIO, name: str) -> None:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - _FOOTER.size))
        data = file.read(_FOOTER.size)
        if len(data) < _FOOTER.size or not data[:-1].endswith(_MAGIC[:-1]):
            raise NotAModel(f"{name}: is not a compiled model, or it is cut off")
        if not data.endswith(_MAGIC):
            raise NotAModel(f"{name}: is a compiled model of another version of "
                            "mlir-prof; hint: compile the model again")
        *self.library, self.offset, count, _, _ = _FOOTER.unpack(data)
        end = size - _FOOTER.size
        if count > _MOST_SECTIONS or not (
                0 <= self.offset <= end - count * _SECTION.size):
            raise NotAModel(f"{name}: is damaged: its directory does not fit")
        file.seek(self.offset)
        self.sections = [Section(*entry) for entry in _SECTION.iter_unpack(
            file.read(count * _SECTION.size))]
        for section in self.sections:
            if section.offset + section.size > self.offset:
                raise NotAModel(f"{name}: is damaged: a section does not fit")

    def find(self, kind: int) -> typing.Optional[Section]:
        return next((entry for entry in self.sections if entry.kind == kind), None)

    def pack(self, offset: int) -> bytes:
        """The directory, at `offset`, and the footer."""
        directory = b"".join(_SECTION.pack(*entry) for entry in self.sections)
        head = struct.pack("<QQQQQQ", *self.library, offset, len(self.sections))
        return (directory + head + struct.pack("<Q", _hash(directory, head)) + _MAGIC)


def _copy(source: typing.BinaryIO, size: int,
          writes: typing.Sequence[typing.Callable[[bytes], typing.Any]]) -> None:
    source.seek(0)
    while size:
        block = source.read(min(size, 1 << 20))
        if not block:
            raise NotAModel("the file ended while it was read")
        for write in writes:
            write(block)
        size -= len(block)


def read_structure(file: typing.BinaryIO, name: str) -> typing.Dict[str, typing.Any]:
    """The section STRUCTURE; empty if there is none."""
    section = Tail(file, name).find(STRUCTURE)
    if section is None:
        return {}
    file.seek(section.offset)
    try:
        document = json.loads(file.read(section.size))
    except (ValueError, RecursionError):
        raise NotAModel(f"{name}: is damaged: its structure is not JSON") from None
    return document if isinstance(document, dict) else {}


def write_sealed(source: typing.BinaryIO, target: typing.BinaryIO, name: str,
                 structure: typing.Mapping[str, typing.Any], key: bytes) -> None:
    """Copies a model with a new structure, and the keyed hash of all of it."""
    tail = Tail(source, name)
    own = [entry.offset for entry in tail.sections
           if entry.kind in (STRUCTURE, SEAL)]
    tail.sections = [entry for entry in tail.sections
                     if entry.kind not in (STRUCTURE, SEAL)]
    begin = min([tail.offset, *own])
    data = json.dumps(structure, separators=(",", ":")).encode()
    data += b" " * (-len(data) % 8)
    at = begin + -begin % 8
    tail.sections += [Section(STRUCTURE, at, len(data), _hash(data)),
                      Section(SEAL, at + len(data), _SEAL_BYTES,
                              _hash(bytes(_SEAL_BYTES)))]
    end = tail.pack(at + len(data) + _SEAL_BYTES)
    digest = hmac.new(key, digestmod="sha256")
    _copy(source, begin, [digest.update, target.write])
    digest.update(bytes(at - begin) + data + bytes(_SEAL_BYTES) + end)
    seal = digest.digest()
    tail.sections[-1] = tail.sections[-1]._replace(hash=_hash(seal))
    target.write(bytes(at - begin) + data + seal)
    target.write(tail.pack(at + len(data) + _SEAL_BYTES))


def is_sealed(file: typing.BinaryIO, name: str, key: bytes) -> bool:
    """Whether the holder of the key wrote the file, as it is."""
    tail = Tail(file, name)
    section = tail.find(SEAL)
    if (section is None or section != tail.sections[-1] or
            section.size != _SEAL_BYTES or
            section.offset + _SEAL_BYTES != tail.offset):
        return False
    file.seek(section.offset)
    seal = file.read(_SEAL_BYTES)
    stored = tail.pack(tail.offset)
    file.seek(tail.offset)
    if file.read() != stored:
        return False
    tail.sections[-1] = section._replace(hash=_hash(bytes(_SEAL_BYTES)))
    digest = hmac.new(key, digestmod="sha256")
    _copy(file, section.offset, [digest.update])
    digest.update(bytes(_SEAL_BYTES) + tail.pack(tail.offset))
    return hmac.compare_digest(digest.digest(), seal)
