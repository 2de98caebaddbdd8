# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR of any source does not reach this process."""

import pathlib
import tempfile
import unittest

import numpy as np

import mlir_prof

POINTER = """
func.func @main(%i: i64) -> i64 {
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %y = llvm.load volatile %p : !llvm.ptr -> i64
  return %y : i64
}
"""
CALL = """
func.func private @getpid() -> i32
func.func @main(%i: i64) -> i32 {
  %y = func.call @getpid() : () -> i32
  return %y : i32
}
"""
CAST = """
func.func @main(%x: memref<4xf32>, %i: index) -> f32 {
  %w = memref.reinterpret_cast %x to offset: [0], sizes: [99999999], strides: [1]
      : memref<4xf32> to memref<99999999xf32>
  %y = memref.load %w[%i] : memref<99999999xf32>
  return %y : f32
}
"""
MATHEMATICS = """
func.func private @tgammaf(f32) -> f32
func.func @main(%x: f32) -> f32 {
  %y = func.call @tgammaf(%x) : (f32) -> f32
  return %y : f32
}
"""
COPY = """
func.func @main(%x: memref<?xf32> loc("x"), %y: memref<?xf32> loc("y")) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}
"""
QUOTIENTS = """
func.func @main(%x: memref<8xi32> loc("x"), %y: memref<8xi32> loc("y")) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<8xi32>, vector<8xi32>
  %b = vector.load %y[%c0] : memref<8xi32>, vector<8xi32>
  %q = arith.divsi %a, %b : vector<8xi32>
  vector.store %q, %y[%c0] : memref<8xi32>, vector<8xi32>
  return
}
"""


class Contained(unittest.TestCase):
    def compile(self, text, **options):
        return mlir_prof.compile(text, progress=False, **options)

    def test_pointers_and_unchecked_accesses_are_elsewhere(self):
        here = np.array([7, 8], np.int64)
        with self.assertLogs("mlir_prof", "WARNING") as logs:
            model = self.compile(POINTER)
        self.assertIn("llvm.inttoptr", logs.output[0])
        self.assertTrue(model.is_isolated)
        with self.assertRaises(mlir_prof.ModelError):
            model(here.ctypes.data)
        # The caller can know better.
        trusted = self.compile(POINTER, isolate=False)
        self.assertFalse(trusted.is_isolated)
        self.assertEqual(trusted(here.ctypes.data), 7)
        with self.assertLogs("mlir_prof", "WARNING") as logs:
            self.assertTrue(self.compile(CAST).is_isolated)
        self.assertIn("memref.reinterpret_cast", logs.output[0])

    def test_copies_are_checked(self):
        model = self.compile(COPY)
        self.assertFalse(model.is_isolated)
        x, y = np.arange(4, dtype="f4"), np.zeros(4, "f4")
        model(x, y)
        np.testing.assert_array_equal(y, x)
        for longer, shorter in ((x, y[:3]), (x[:3], y)):
            with self.assertRaisesRegex(mlir_prof.ModelError, "copied buffers differs"):
                model(longer, shorter)

    def test_vectors_are_divided_by_numbers(self):
        for pipeline in "default", "naive", "single-function":
            model = self.compile(QUOTIENTS, pipeline=pipeline)
            self.assertFalse(model.is_isolated)
            least = np.iinfo("i4").min
            x = np.array([7, -7, least, least, 8, 9, 10, 11], "i4")
            divisors = np.array([2, 2, -1, 1, -1, -3, 4, 5], "i4")
            y = divisors.copy()
            model(x, y)
            # The least number divided by -1 wraps, as in NumPy.
            self.assertEqual(y.tolist(), [3, -3, least, least, -8, -3, 2, 2])
            for place in 0, 7:
                y = divisors.copy()
                y[place] = 0
                with self.assertRaisesRegex(mlir_prof.ModelError, "division by zero, in "
                                            "arith.divsi"):
                    model(x, y)

    def test_what_passes_of_the_user_leave_is_checked(self):
        here = np.arange(4, dtype="f4")
        model = self.compile(COPY, pipeline="canonicalize,cse")
        self.assertFalse(model.is_isolated)
        with self.assertRaisesRegex(mlir_prof.ModelError, "copied buffers differs"):
            model(here, here[:3].copy())
        with self.assertLogs("mlir_prof", "WARNING") as logs:
            model = self.compile(COPY, pipeline="expand-strided-metadata,"
                                 "finalize-memref-to-llvm")
        self.assertIn("after the passes of the pipeline", logs.output[0])
        self.assertTrue(model.is_isolated)

    def test_a_file_is_loaded_as_it_was_saved(self):
        with self.assertLogs("mlir_prof", "WARNING"):
            model = self.compile(POINTER)
        with tempfile.TemporaryDirectory() as folder:
            path = model.save(pathlib.Path(folder) / "pointer.mprof")
            with self.assertLogs("mlir_prof", "WARNING") as logs:
                self.assertTrue(mlir_prof.load(path).is_isolated)
            self.assertIn("the model that was saved did", logs.output[0])
            self.assertFalse(mlir_prof.load(path, trust=True).is_isolated)

    def test_functions_that_take_addresses_are_elsewhere(self):
        # The second argument of C's modf is an address.
        with self.assertLogs("mlir_prof", "WARNING") as logs:
            model = self.compile(MATHEMATICS.replace("tgammaf", "modff"))
        self.assertIn("func.func", logs.output[0])
        self.assertTrue(model.is_isolated)

    def test_functions_of_the_process_are_refused(self):
        for options in (dict(), dict(isolate=False), dict(isolate=True)):
            with self.assertRaisesRegex(mlir_prof.ToolError, "getpid"):
                self.compile(CALL, **options)
        model = self.compile(MATHEMATICS)
        self.assertFalse(model.is_isolated)
        self.assertEqual(model(np.float32(5)), 24)


if __name__ == "__main__":
    unittest.main()
