# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites MLIR's bytecode so that MLIR 22 reads it.

A newer MLIR encodes attributes of the builtin dialect for which MLIR 22 expects text:
affine maps and sets, and strided layouts. Their entries are replaced by their text. The
format is documented at https://mlir.llvm.org/docs/BytecodeFormat.
"""

import io
import mmap

#: The last version in which properties are attributes: properties as they are in memory
#: differ between versions of MLIR.
VERSION = 4

#: The kinds of sections that are read.
ATTRIBUTES, OFFSETS, RESOURCES, RESOURCE_OFFSETS = 2, 3, 5, 6

#: The kind of a resource with bytes of its own alignment.
BLOB = 0

#: The first code of a builtin attribute that MLIR 22 does not know.
FIRST_UNKNOWN = 23

#: Bytes of a mapped file that are written at once.
STEP = 16 << 20

ALIGNED = 0x80
PADDING = b"\xcb"


class BytecodeError(ValueError):
    """The bytecode is not as documented."""


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = memoryview(data), at

    def number(self):
        """A number whose length is in the low bits of its first byte."""
        first = self.data[self.at]
        length = 9 if first == 0 else (first & -first).bit_length()
        raw = bytes(self.data[self.at:self.at + length])
        self.at += length
        if length == 9:
            return int.from_bytes(raw[1:], "little")
        return int.from_bytes(raw, "little") >> length

    def bytes(self, length):
        self.at += length
        if self.at > len(self.data):
            raise BytecodeError("the bytecode ends too early")
        return self.data[self.at - length:self.at]


def write_number(value):
    length = max(1, -(-value.bit_length() // 7))
    if length > 8:
        return b"\0" + value.to_bytes(8, "little")
    return (((value << 1) | 1) << (length - 1)).to_bytes(length, "little")


def read_sections(reader):
    """Yields (kind, alignment, data); the alignment is 0 if there is none."""
    while reader.at < len(reader.data):
        kind = reader.bytes(1)[0]
        length = reader.number()
        alignment = reader.number() if kind & ALIGNED else 0
        if alignment:
            reader.at += -reader.at % alignment
        yield kind & ~ALIGNED, alignment, reader.bytes(length)


def write_section(out, kind, alignment, data):
    """Appends a section to the list of parts `out`, and returns its length."""
    size = sum(map(len, out))
    head = bytes([kind | (ALIGNED if alignment else 0)]) + write_number(len(data))
    if alignment:
        head += write_number(alignment)
        head += PADDING * (-(size + len(head)) % alignment)
    out += [head, data]


def read_header(data):
    """The reader behind the header, which is the magic number, the version and the
    producer's name."""
    reader = Reader(data)
    if bytes(reader.bytes(4)) != b"ML\xefR":
        raise BytecodeError("the file is not MLIR bytecode")
    reader.number()
    while reader.bytes(1)[0]:
        pass
    return reader


def read_groups(offsets):
    """The entries of the attributes and types, in groups of one dialect: [dialect,
    [(size, is encoded)]]; and the number of attributes and of types."""
    reader = Reader(offsets)
    counts = reader.number(), reader.number()
    groups, left = [], sum(counts)
    while left > 0:
        dialect, count = reader.number(), reader.number()
        entries = [divmod(reader.number(), 2) for _ in range(count)]
        groups.append((dialect, entries))
        left -= count
    return counts, groups


def is_unknown(entry):
    """Whether an encoded entry has a code that MLIR 22 does not know. The codes of
    other dialects, and of types, are smaller."""
    return FIRST_UNKNOWN <= Reader(entry).number() < FIRST_UNKNOWN + 3


def find_unknown(data):
    """The encoded entries that MLIR 22 does not know."""
    sections = {kind: content for kind, _, content in read_sections(read_header(data))}
    (attributes, _), groups = read_groups(sections[OFFSETS])
    reader, found = Reader(sections[ATTRIBUTES]), []
    for _, entries in groups:
        for size, encoded in entries:
            entry = bytes(reader.bytes(size))
            if attributes > 0 and encoded and is_unknown(entry):
                found.append(entry)
            attributes -= 1
    return found


def replace(data, offsets, texts):
    """The sections of attributes and offsets with texts in place of entries."""
    counts, groups = read_groups(offsets)
    reader, parts = Reader(data), []
    out = [write_number(count) for count in counts]
    for dialect, entries in groups:
        out += [write_number(dialect), write_number(len(entries))]
        for size, encoded in entries:
            entry = bytes(reader.bytes(size))
            text = texts.get(entry) if encoded else None
            if text is not None:
                entry, encoded = text.encode() + b"\0", 0
            parts.append(entry)
            out.append(write_number(len(entry) * 2 + encoded))
    return b"".join(parts), b"".join(out)


def find_alignment(resources, offsets):
    """The largest alignment of a resource: the section states it only if it needs
    padding where it is."""
    reader, blobs, largest = Reader(offsets), Reader(resources), 0
    reader.number()  # of external groups, which are like the others
    while reader.at < len(reader.data):
        reader.number()  # the group's dialect
        for _ in range(reader.number()):
            reader.number()  # the resource's key
            size, kind = reader.number(), reader.bytes(1)[0]
            blob = blobs.bytes(size)
            if kind == BLOB:
                largest = max(largest, Reader(blob).number())
    return largest


def rewrite(data, texts):
    """The parts of the bytecode with the texts of encoded entries in their place."""
    reader = read_header(data)
    out = [bytes(reader.data[:reader.at])]
    sections = list(read_sections(reader))
    content = {kind: data for kind, _, data in sections}
    new = dict(zip((ATTRIBUTES, OFFSETS),
                   replace(content[ATTRIBUTES], content[OFFSETS], texts)))
    for kind, alignment, data in sections:
        if kind == RESOURCES:
            alignment = find_alignment(data, content[RESOURCE_OFFSETS])
        write_section(out, kind, alignment, new.get(kind, data))
    return out


def read_attribute(op, attribute):
    """The value of an attribute of an op, or None for one that the bindings do not know:
    a constant of complex numbers."""
    try:
        return op.attributes[attribute] if isinstance(attribute, str) else attribute.attr
    except TypeError:
        return None


def find_texts(ir, module):
    """The texts of the affine maps of a module by their encoding, which a module with
    nothing else shows."""
    maps = {}

    def visit(op):
        for attribute in op.attributes:
            value = read_attribute(op, attribute)
            for each in value if isinstance(value, ir.ArrayAttr) else [value]:
                if isinstance(each, ir.AffineMapAttr):
                    maps[str(each)] = each
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return {encode(ir, each): text for text, each in maps.items()}


def encode(ir, attribute):
    """The encoding of an attribute, or None if it is text."""
    with attribute.context, ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["builtin.only"] = attribute
    return next(iter(find_unknown(get_bytes(module))), None)


def get_bytes(module):
    file = io.BytesIO()
    module.operation.write_bytecode(file, desired_version=VERSION)
    return file.getbuffer()


def write_part(out, part, source):
    """Writes bytes of a mapped file, which do not stay in memory."""
    for at in range(0, len(part), STEP):
        out.write(part[at:at + STEP])
        if len(part) > STEP:
            source.madvise(mmap.MADV_DONTNEED)


def write(ir, module, path):
    """Writes a module for MLIR 22; `ir` is the module of MLIR's Python bindings. Its
    weights, which may be most of the memory that there is, are not copied."""
    texts = find_texts(ir, module)
    raw = path.with_name(path.name + ".raw")
    module.operation.write_bytecode(str(raw), desired_version=VERSION)
    with open(raw, "rb") as file:
        source = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    raw.unlink()
    with open(path, "wb") as out:
        for part in rewrite(source, texts):
            write_part(out, part, source)
