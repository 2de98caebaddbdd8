# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that a model writes: memrefs to which it stores."""

import array
import struct
import unittest

import numpy

from mlir_prof import _model
from model_common import PAIR, Compiled

#: Adds the first array to the second one, in its place.
ACCUMULATE = """
func.func @main(%a: memref<?x3xf32> loc("a"), %b: memref<?x3xf32> loc("b")) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x3xf32>) outs(%b : memref<?x3xf32>) {
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
  }
  return
}
"""

#: Each body gets %x and %y, and an index %i.
BODIES = {
    "load": ((), "%v = memref.load %x[%i] : memref<4xf32>"),
    "store": ("x", "memref.store %f, %x[%i] : memref<4xf32>"),
    "copy": ("y", "memref.copy %x, %y : memref<4xf32> to memref<4xf32>"),
    "view": ("x", """
      %v = memref.subview %x[%i] [2] [1]
        : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
      memref.store %f, %v[%i] : memref<2xf32, strided<[1], offset: ?>>"""),
    "choice": ("xy", """
      %v = arith.select %c, %x, %y : memref<4xf32>
      memref.store %f, %v[%i] : memref<4xf32>"""),
    "loop": ("xy", """
      %n = memref.dim %x, %i : memref<4xf32>
      %one = arith.constant 1 : index
      %v = scf.for %k = %i to %n step %one iter_args(%m = %x) -> memref<4xf32> {
        memref.store %f, %m[%k] : memref<4xf32>
        scf.yield %y : memref<4xf32>
      }"""),
    "result of a loop": ("y", """
      %n = memref.dim %x, %i : memref<4xf32>
      %one = arith.constant 1 : index
      %v = scf.for %k = %i to %n step %one iter_args(%m = %y) -> memref<4xf32> {
        %w = memref.load %x[%k] : memref<4xf32>
        scf.yield %m : memref<4xf32>
      }
      memref.store %f, %v[%i] : memref<4xf32>"""),
    "branch": ("y", """
      cf.cond_br %c, ^next(%y : memref<4xf32>), ^end
    ^next(%v: memref<4xf32>):
      memref.store %f, %v[%i] : memref<4xf32>
      cf.br ^end
    ^end:"""),
    "function": ("y", """
      func.call @read(%x) : (memref<4xf32>) -> ()
      func.call @write(%y, %f) : (memref<4xf32>, f32) -> ()"""),
    "result of a function": ("x", """
      %v = func.call @same(%x) : (memref<4xf32>) -> memref<4xf32>
      memref.store %f, %v[%i] : memref<4xf32>"""),
    "address": ("x", """
      %n = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
      %m = arith.index_cast %n : index to i64
      %p = llvm.inttoptr %m : i64 to !llvm.ptr
      llvm.store %f, %p : f32, !llvm.ptr"""),
    "address, read": ((), """
      %n = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
      %m = arith.index_cast %n : index to i64
      %p = llvm.inttoptr %m : i64 to !llvm.ptr
      %v = llvm.load %p : !llvm.ptr -> f32"""),
}
FUNCTIONS = """
func.func private @read(%x: memref<4xf32>) {
  %i = arith.constant 0 : index
  %v = memref.load %x[%i] : memref<4xf32>
  return
}
func.func private @write(%x: memref<4xf32>, %f: f32) {
  %i = arith.constant 0 : index
  memref.store %f, %x[%i] : memref<4xf32>
  return
}
func.func private @same(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
func.func @main(%x: memref<4xf32> loc("x"), %y: memref<4xf32> loc("y"),
                %c: i1 loc("c")) {
  %i = arith.constant 0 : index
  %f = arith.constant 7.0 : f32
  BODY
  return
}
"""


class Written(Compiled):
    def setUp(self):
        super().setUp()
        self.a = numpy.arange(6, dtype="f4").reshape(2, 3)

    def check(self, model, b):
        expected = self.a + b
        model(self.a, b)
        numpy.testing.assert_array_equal(b, expected)

    def test_an_array_is_changed_where_it_is(self):
        for isolate in (False, True):
            model = self.compile(ACCUMULATE, isolate=isolate)
            self.assertEqual(model.written, ("b",))
            self.check(model, numpy.ones((2, 3), "f4"))

    def test_a_copy_goes_back(self):
        bytes_between = numpy.zeros(2 * 3 * 4 + 1, "u1")
        for isolate in (False, True):
            model = self.compile(ACCUMULATE, isolate=isolate)
            for b in (numpy.ones((3, 2), "f4").T, numpy.ones((4, 6), "f4")[::2, ::2],
                      numpy.ones((2, 3), "f4")[::-1],
                      # Not where a float may be.
                      bytes_between[1:].view("f4").reshape(2, 3)):
                self.check(model, b)

    def test_an_output_wins_over_a_copy(self):
        """Results go to outputs after what is written, in the first call and later."""
        model = self.compile(ACCUMULATE.replace("{", "-> tensor<4xf32> {", 1).replace(
            "return", "%t = arith.constant dense<5.0> : tensor<4xf32>\n"
            "  return %t : tensor<4xf32>"))
        memory = numpy.zeros(64, "f4")
        first = -memory.ctypes.data % 64 // 4
        output = memory[first:first + 4]
        b = memory[first:first + 12].reshape(2, 6)[:, ::2]
        for _ in range(3):
            memory[:] = 0
            model(numpy.ones((2, 3), "f4"), b, out=output)
            self.assertEqual(list(output), [5] * 4)
            self.assertEqual(list(b[1]), [1] * 3)

    def test_buffers_are_written(self):
        model = self.compile("""
          func.func @main(%x: memref<3xf64> loc("x")) {
            %i = arith.constant 1 : index
            %f = arith.constant 7.0 : f64
            memref.store %f, %x[%i] : memref<3xf64>
            return
          }""")
        for x in (array.array("d", [1, 2, 3]),
                  memoryview(bytearray(struct.pack("3d", 1, 2, 3))).cast("d")):
            model(x)
            self.assertEqual(list(x), [1, 7, 3])

    def test_what_cannot_be_written_is_named(self):
        fixed = numpy.ones((2, 3), "f4")
        fixed.setflags(write=False)
        for isolate in (False, True):
            model = self.compile(ACCUMULATE, isolate=isolate)
            lent = memoryview(fixed.tobytes()).cast("f", (2, 3))
            for b, problem in ((fixed, "read-only"), (lent, "read-only"),
                               ([[1, 2, 3]], "is a list"), (None, "NoneType"),
                               (fixed.T.copy(), r"float32\[3, 2\]"),
                               (numpy.ones((2, 3), "f8"), "float64")):
                with self.assertRaisesRegex((TypeError, ValueError), problem) as raised:
                    model(self.a, b)
                self.assertRegex(str(raised.exception), r"\bb\b|'b'")
            numpy.testing.assert_array_equal(fixed, numpy.ones((2, 3)))
            # Others may be read-only.
            fixed_a, b = self.a.copy(), numpy.ones((2, 3), "f4")
            fixed_a.setflags(write=False)
            model(fixed_a, b)
            numpy.testing.assert_array_equal(b, fixed_a + 1)

    def test_arrays_that_share_memory_are_named(self):
        memory = numpy.zeros((2, 6), "f4")
        rows = numpy.zeros((4, 3), "f4")
        for isolate in (False, True):
            model = self.compile(ACCUMULATE, isolate=isolate)
            for a, b in ((memory[:, :3], memory[:, :3]), (memory[:, :3], memory[:, 2:5]),
                         (rows[:2], rows[1:3]), (rows[:2], rows[:2][::-1])):
                with self.assertRaisesRegex(
                        ValueError, "argument 'b', which the model writes, and argument "
                        "'a' share memory; hint: pass a copy"):
                    model(a, b)
            self.assertFalse(memory.any() or rows.any())
            # Their bounds overlap, and their elements do not.
            numbers = numpy.arange(12, dtype="f4").reshape(2, 6)
            expected = numbers[:, ::2] + numbers[:, 1::2]
            model(numbers[:, ::2], numbers[:, 1::2])
            numpy.testing.assert_array_equal(numbers[:, 1::2], expected)
            model(rows[:0], rows[:0])

    def test_two_written_arrays_are_apart(self):
        model = self.compile("""
          func.func @main(%x: memref<?xf32> loc("x"), %y: memref<?xf32> loc("y"),
                          %z: memref<?xf32> loc("z")) {
            %i = arith.constant 0 : index
            %f = arith.constant 7.0 : f32
            memref.store %f, %x[%i] : memref<?xf32>
            memref.store %f, %z[%i] : memref<?xf32>
            return
          }""")
        x, y, z = (numpy.zeros(4, "f4") for _ in range(3))
        with self.assertRaisesRegex(ValueError, "'z', which .* and argument 'x' share"):
            model(x, y, x[2:])
        model(x[:2], y, x[2:])
        self.assertEqual(list(x), [7, 0, 7, 0])

    def test_files_tell(self):
        path = self.folder / "accumulate.mprof"
        self.compile(ACCUMULATE).save(path)
        self.assertEqual(_model.open(str(path)).written, (1,))
        self.compile(PAIR).save(path)
        self.assertEqual(_model.open(str(path)).written, ())


class Analysis(Compiled):
    def test_stores_are_found(self):
        for name, (expected, body) in BODIES.items():
            with self.subTest(name):
                model = self.compile(FUNCTIONS.replace("BODY", body))
                self.assertEqual(model.written, tuple(expected))

    def test_what_is_not_marked_stays(self):
        """The analysis is never wrong: arrays that are not marked do not change."""
        for name, (expected, body) in BODIES.items():
            model = self.compile(FUNCTIONS.replace("BODY", body))
            for choice in (False, True):
                x, y = numpy.arange(8, dtype="f4").reshape(2, 4)
                given = {"x": x.copy(), "y": y.copy()}
                model(given["x"], given["y"], choice)
                for key, before in (("x", x), ("y", y)):
                    if key not in expected:
                        numpy.testing.assert_array_equal(given[key], before, name)

    def test_tensors_are_only_read(self):
        text = """
          func.func @main(%x: tensor<4xf32> MARK loc("x")) -> tensor<4xf32> {
            %f = arith.constant 7.0 : f32
            %i = arith.constant 0 : index
            %y = tensor.insert %f into %x[%i] : tensor<4xf32>
            return %y : tensor<4xf32>
          }"""
        x = numpy.zeros(4, "f4")
        model = self.compile(text.replace("MARK", ""))
        self.assertEqual(model.written, ())
        self.assertEqual(model(x)[0], 7)
        self.assertEqual(x[0], 0)
        marked = self.compile(text.replace("MARK", "{bufferization.writable = true}"))
        self.assertEqual(marked.written, ("x",))


if __name__ == "__main__":
    unittest.main()
