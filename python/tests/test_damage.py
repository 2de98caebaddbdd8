# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged compiled models are refused, whatever bytes they have."""

import random
import struct
import unittest

import numpy

import mlir_prof
from mlir_prof import _container, _model
from model_common import LAYER, PAIR, Compiled, run_python

#: The sections that a process reads which runs a model; the tool reads the others.
INTERFACE, PLACES, BUILD, PROGRAM, LEVELS, OBJECT = range(1, 7)
MOST = (1 << 64) - 1

#: Opens each file of a folder, and counts those that are refused.
OPEN = """
import pathlib, sys
from mlir_prof import _load, _model
refused = 0
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        model = _model.open(str(path))
        model.arguments, model.results, model.written, model.fingerprint
    except (ValueError, MemoryError) as error:
        assert str(path) in str(error) or "of the model" in str(error), error
        refused += 1
    try:
        with open(path, "rb") as file:
            _load._container.read_structure(file, str(path))
    except ValueError:
        pass
print(refused)
"""


class File:
    """A file of several sections, which may have others, and their right hashes."""

    def __init__(self, data):
        *self.library, begin, count = struct.unpack("<6Q", data[-64:-16])
        self.code = data[:self.library[0]]
        self.sections = []
        for place in range(begin, begin + 32 * count, 32):
            kind, at, size, _ = struct.unpack("<4Q", data[place:place + 32])
            self.sections.append((kind, data[at:at + size]))

    def write(self, changed):
        """The bytes, with the sections of `changed` in the place of those of a kind."""
        data = bytearray(self.code)
        entries = []
        for kind, content in self.sections:
            content = changed.get(kind, content)
            data += bytes(-len(data) % 8)
            entries.append((kind, len(data), len(content), _container._hash(content)))
            data += content
        data += bytes(-len(data) % 8)
        directory = b"".join(struct.pack("<4Q", *entry) for entry in entries)
        head = struct.pack("<6Q", *self.library, len(data), len(entries))
        return bytes(data + directory + head + struct.pack(
            "<Q", _container._hash(directory, head)) + _container._MAGIC)


def change(content, choice):
    """The content with some bytes flipped, cut off, doubled, or extreme numbers."""
    before, content = content, bytearray(content)
    for _ in range(choice.randint(1, 3)):
        place = choice.randrange(len(content) + 1)
        kind = choice.randrange(5)
        if kind == 0 and content:
            content[place % len(content)] ^= 1 << choice.randrange(8)
        elif kind == 1:
            del content[place:place + choice.choice((1, 8, 1 << 20))]
        elif kind == 2:
            content[place:place] = content[place:place + 64] or bytes(16)
        elif kind == 3:
            place -= place % 8
            content[place:place + 8] = struct.pack("<Q", choice.choice(
                (0, 1, MOST, 1 << 63, 1 << 32, 1 << 31, 65, 1 << 60, len(content))))
        else:
            place -= place % 4
            content[place:place + 4] = struct.pack("<I", choice.choice(
                (0, 1, (1 << 32) - 1, 1 << 31, 1 << 16)))
    return bytes(content) if content != before else change(before, choice)


class Damage(Compiled):
    def setUp(self):
        super().setUp()
        self.choice = random.Random(7)
        self.files = []
        for number, text in enumerate((LAYER, PAIR)):
            path = self.compile(text, threads=2).save(self.folder / f"{number}.mprof")
            self.files.append(File(path.read_bytes()))

    def open_all(self, files):
        """The number that a process refuses, which opens all of them and lives."""
        folder = self.folder / "changed"
        folder.mkdir()
        for number, data in enumerate(files):
            (folder / f"{number}.mprof").write_bytes(data)
        result = run_python(OPEN, folder, timeout=300)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return int(result.stdout)

    def test_sections_with_right_hashes(self):
        changed = [file.write({kind: change(dict(file.sections)[kind], self.choice)})
                   for file in self.files for kind in (INTERFACE, PLACES)
                   for _ in range(150)]
        refused = self.open_all(changed)
        # Others are models with other names, sizes and places.
        self.assertGreater(refused, len(changed) // 3)
        self.assertLess(refused, len(changed))

    def test_bytes_with_wrong_hashes(self):
        for file in self.files:
            whole = bytes(file.write({}))
            tail = len(whole) - 64 - 32 * len(file.sections)
            changed = [whole[:size] for size in (1, 63, 64, 65, 127, len(whole) - 1)]
            changed += [whole + bytes(size) for size in (1, 64, 4096)]
            for _ in range(150):
                data = bytearray(whole)
                data[self.choice.randrange(tail, len(whole))] ^= \
                    1 << self.choice.randrange(8)
                changed.append(bytes(data))
            self.assertEqual(self.open_all(changed), len(changed))
            self.doCleanups()
            self.setUp()

    def test_levels_and_programs_are_not_needed_to_run(self):
        a = numpy.arange(4, dtype="i4")
        path = self.folder / "changed.mprof"
        for kind in (BUILD, PROGRAM, LEVELS, OBJECT):
            path.write_bytes(self.files[1].write(
                {kind: change(dict(self.files[1].sections)[kind], self.choice)}))
            with self.assertLogs("mlir_prof", "WARNING"):
                model = mlir_prof.load(path)
            self.assertTrue(model.is_isolated)
            numpy.testing.assert_array_equal(model(a, a)[0], a + a)

    def test_code_that_fails_ends_its_process_only(self):
        a = numpy.arange(4, dtype="i4")
        path = self.folder / "changed.mprof"
        file = self.files[1]
        whole, (size, begin, end, _) = file.code, file.library
        # All of it, the headers of the library, and what comes after the code began.
        for first, last in ((64, size), (64, 256), (size // 4, size)):
            file.code = whole[:first] + b"\xcc" * (last - first) + whole[last:]
            file.library[3] = _container._hash_more(
                _container._hash(file.code[:begin]), file.code[end:])
            path.write_bytes(file.write({}))
            with self.assertLogs("mlir_prof", "WARNING"), \
                    self.assertRaises((ValueError, mlir_prof.ModelError)):
                mlir_prof.load(path)(a, a)


if __name__ == "__main__":
    unittest.main()
