# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of TensorFlow Lite, made by hand from the documented format."""

import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from mlir_prof.frontends import FrontEndError  # noqa: E402
from mlir_prof.frontends._tflite import _custom, _flatbuffer, _model, _rename  # noqa: E402


class Builder:
    """Writes a FlatBuffer from its root on: each part behind those that refer to it."""

    def __init__(self):
        self.data = bytearray(b"\0\0\0\0TFL3")

    def table(self, at, fields):
        """Writes a table, to which `at` refers; `fields` are bytes of 4, or functions
        that write what the field at a place refers to, or None."""
        numbers = len(self.data)
        sizes = [0 if field is None else 4 + 4 * place
                 for place, field in enumerate(fields)]
        self.data += struct.pack(f"<HH{len(sizes)}H", 4 + 2 * len(sizes),
                                 4 + 4 * len(sizes), *sizes)
        self.data += bytes(-len(self.data) % 4)
        start = len(self.data)
        if at is not None:
            self.point(at)
        self.data += struct.pack("<i", start - numbers) + bytes(4 * len(fields))
        for place, field in enumerate(fields):
            where = start + 4 + 4 * place
            if isinstance(field, bytes):
                self.data[where:where + 4] = field
            elif field:
                field(where)

    def point(self, at):
        struct.pack_into("<I", self.data, at, len(self.data) - at)

    def text(self, text):
        return lambda at: self.vector(text.encode() + b"\0", len(text))(at)

    def vector(self, content, count):
        def write(at):
            self.point(at)
            self.data += struct.pack("<I", count) + content
            self.data += bytes(-len(self.data) % 4)
        return write

    def numbers(self, *values):
        return self.vector(struct.pack(f"<{len(values)}i", *values), len(values))

    def tables(self, *all_fields):
        def write(at):
            self.point(at)
            self.data += struct.pack("<I", len(all_fields))
            first = len(self.data)
            self.data += bytes(4 * len(all_fields))
            for place, fields in enumerate(all_fields):
                self.table(first + 4 * place, fields)
        return write


def number(value):
    return struct.pack("<i", value)


def make_file():
    """A graph of one exact GELU, with an open batch."""
    out = Builder()
    tensors = [[out.numbers(1, 4), number(0), number(0), out.text(name), None, None,
                None, out.numbers(-1, 4)] for name in ("x:0", "y")]
    code = [number(127), None, number(1), number(150)]
    options = lambda at: out.table(at, [number(0)])
    operator = [number(0), out.numbers(0), out.numbers(1), number(116), options]
    graph = [out.tables(*tensors), out.numbers(0), out.numbers(1), out.tables(operator)]
    signature = [out.tables([out.text("x"), number(0)]), None, None, None, number(0)]
    out.table(0, [number(3), out.tables(code), out.tables(graph), None, None, None, None,
                  out.tables(signature)])
    return bytes(out.data)


class File(unittest.TestCase):
    def test_names_types_and_sizes(self):
        model = _model.Model(make_file())
        self.assertEqual(model.names, ["x"])
        self.assertEqual([tensor.name for tensor in model.outputs], ["y"])
        notes = model.choose_sizes({})
        self.assertRegex(notes[0], "x dimension 0")
        value = model.inputs[0].describe("x")
        self.assertEqual((value.dtype, value.shape), ("float32", (1, 4)))

    def test_open_sizes(self):
        model = _model.Model(make_file())
        self.assertEqual(model.choose_sizes({"x": [5, 4]}), [])
        read = _model.Model(bytes(model.buffer.data))
        for tensor in (*read.inputs, *read.outputs):
            self.assertEqual((tensor.sizes, tensor.open), ([5, 4], []))
        for wrong in ([1, 3], [1], [1, 4, 1]):
            with self.assertRaisesRegex(FrontEndError, "hint"):
                _model.Model(make_file()).choose_sizes({"x": wrong})

    def test_an_operator_becomes_a_custom_one(self):
        model = _model.Model(make_file())
        self.assertEqual(list(_rename.rename(model)), ["y"])
        read = _model.Model(bytes(model.buffer.data))
        code, = read.buffer.root().tables(1)
        self.assertEqual(_rename.code_of(code), _rename.BUILTIN_CUSTOM)
        self.assertEqual(code.text(1), "GELU")

    def test_custom_ops_are_written_in_tosa(self):
        operators = _rename.rename(_model.Model(make_file()))
        type_ = "tensor<2x4xf32>"
        text = _custom.expand(
            '    %7 = tosa.custom %arg0 {domain_name = "TFL", implementation_attrs = "", '
            f'operator_name = "GELU"}} : ({type_}) -> {type_} loc(#loc2)\n',
            {"#loc2": "y"}, operators)
        self.assertIn("tosa.erf", text)
        self.assertNotIn("tosa.custom", text)
        self.assertRegex(text.splitlines()[-1], r"^%7 = tosa.mul .* loc\(#loc2\)$")

    def test_any_bytes_end_in_an_error(self):
        content = make_file()
        for length in range(8, len(content)):
            self.read(content[:length])
        for place in range(8, len(content)):
            for byte in (0, 0x7f, 0x80, 0xff):
                self.read(content[:place] + bytes([byte]) + content[place + 1:])
        with self.assertRaises(_flatbuffer.FlatBufferError):
            _model.Model(b"")

    def read(self, content):
        try:
            model = _model.Model(content)
            model.choose_sizes({})
            _rename.rename(model)
        except (_flatbuffer.FlatBufferError, FrontEndError):
            pass


if __name__ == "__main__":
    unittest.main()
