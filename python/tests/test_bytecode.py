# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytecode for an older MLIR, on files made by hand from the documented format."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from mlir_prof.frontends import _bytecode  # noqa: E402

#: Numbers as the format encodes them.
NUMBERS = {0: b"\x01", 1: b"\x03", 127: b"\xff", 128: b"\x02\x02",
           2 ** 14: b"\x04\x00\x02", 2 ** 56: b"\x00" + (2 ** 56).to_bytes(8, "little")}

MAP = bytes([23 * 2 + 1, 0x55])
KNOWN = bytes([22 * 2 + 1, 0x66])


def section(kind, data):
    return bytes([kind, len(data) * 2 + 1]) + data


def make_file():
    """Two attributes of dialect 0, of which one is encoded in a new way, and a type;
    and a resource that is aligned to 8 bytes."""
    attributes = KNOWN + MAP + b"i32\0"
    offsets = bytes(x * 2 + 1 for x in (2, 1, 0, 2, len(KNOWN) * 2 + 1,
                                        len(MAP) * 2 + 1, 0, 1, 4 * 2))
    data = b"ML\xefR\x0dtest\0" + section(2, attributes) + section(3, offsets)
    data += section(6, bytes(x * 2 + 1 for x in (0, 0, 1, 0, 16)) + b"\0")
    data += bytes([5 | 0x80, 16 * 2 + 1, 8 * 2 + 1])
    return data + b"\xcb" * (-len(data) % 8) + RESOURCE


#: Its alignment, its size, padding and bytes.
RESOURCE = bytes([8 * 2 + 1, 8 * 2 + 1]) + b"\xcb" * 6 + b"resource"


class Bytecode(unittest.TestCase):
    def test_numbers(self):
        for number, encoded in NUMBERS.items():
            self.assertEqual(_bytecode.write_number(number), encoded)
            reader = _bytecode.Reader(encoded)
            self.assertEqual((reader.number(), reader.at), (number, len(encoded)))

    def test_entries_become_text(self):
        data = make_file()
        self.assertEqual(_bytecode.find_unknown(data), [MAP])
        text = "affine_map<(d0) -> (d0)>"
        new = b"".join(_bytecode.rewrite(data, {MAP: text}))
        sections = {kind: bytes(content) for kind, _, content in
                    _bytecode.read_sections(_bytecode.read_header(new))}
        self.assertEqual(sections[2], KNOWN + text.encode() + b"\0i32\0")
        self.assertEqual(sections[5], RESOURCE)
        self.assertEqual(new.index(b"resource") % 8, 0)
        entries = _bytecode.read_groups(sections[3])[1]
        self.assertEqual(entries, [(0, [(2, 1), (len(text) + 1, 0)]), (0, [(4, 0)])])

    def test_alignment_that_needs_no_padding(self):
        data = b"ML\xefR\x0dtestname\0" + section(2, MAP + b"\0" * 8) + section(
            3, bytes(x * 2 + 1 for x in (1, 0, 0, 1, len(MAP) * 2 + 1)))
        data += section(6, bytes(x * 2 + 1 for x in (0, 0, 1, 0, 16)) + b"\0")
        data += bytes([5, 16 * 2 + 1]) + RESOURCE
        for length in range(1, 9):
            new = b"".join(_bytecode.rewrite(data, {MAP: "x" * length}))
            self.assertEqual(new.index(b"resource") % 8, 0)

    def test_nothing_to_replace_changes_nothing(self):
        data = make_file()
        self.assertEqual(b"".join(_bytecode.rewrite(data, {})), data)

    def test_other_files_are_errors(self):
        with self.assertRaises(_bytecode.BytecodeError):
            _bytecode.find_unknown(b"module {}")


if __name__ == "__main__":
    unittest.main()
