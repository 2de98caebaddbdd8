# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models, as the extension mlir_prof._model runs them."""

import ctypes
import gc
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

import numpy as np

from mlir_prof import _model, tool

ADD = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = arith.addf %x, %y : tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
"""
DOUBLE = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = arith.addf %x, %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
"""
PICK = """
func.func @main(%x: tensor<4xf32>, %i: index) -> f32 {
  %size = arith.constant 4 : index
  %fits = arith.cmpi ult, %i, %size : index
  cf.assert %fits, "no such element"
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return %y : f32
}
"""
WILD = """
func.func @main(%i: i64) -> f32 {
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %y = llvm.load volatile %p : !llvm.ptr -> f32
  return %y : f32
}
"""
FAR = """
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<?x64xf32>, %rows: tensor<?xi64>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %rows, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#row, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<?xi64>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%i, %j] : tensor<?x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
"""
UNEQUAL = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>)
    outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}
"""
DIVIDE = """
func.func @main(%x: tensor<4096xi32>, %y: tensor<4096xi32>) -> tensor<4096xi32> {
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.div ins(%x, %y : tensor<4096xi32>, tensor<4096xi32>)
    outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  return %z : tensor<4096xi32>
}
"""
COUNT = """
ml_program.global private mutable @count(0 : i64) : i64
func.func @main() -> i64 {
  %one = arith.constant 1 : i64
  %count = ml_program.global_load @count : i64
  %next = arith.addi %count, %one : i64
  ml_program.global_store @count = %next : i64
  return %next : i64
}
"""
#: One addition after the other, on numbers that stay the same.
LONG = """
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>, %n: index)
    -> tensor<256x256xf32> {
  %begin = arith.constant 0 : index
  %step = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>)
    -> tensor<256x256xf32>
  %y = scf.for %i = %begin to %n step %step iter_args(%a = %x)
      -> (tensor<256x256xf32>) {
    %p = linalg.matmul ins(%a, %w : tensor<256x256xf32>, tensor<256x256xf32>)
      outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
    scf.yield %p : tensor<256x256xf32>
  }
  return %y : tensor<256x256xf32>
}
"""
WEIGHTS = """
func.func @main(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %w = arith.constant dense_resource<weights> : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x64xf32>)
    outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
{-# dialect_resources: { builtin: { weights: "0xWEIGHTS" } } #-}
"""


def make_typed(element, op):
    """Adds a number to each element, and returns the number too."""
    return f"""
func.func @main(%x: tensor<3x5x{element}>, %s: {element})
    -> (tensor<3x5x{element}>, {element}) {{
  %e = tensor.empty() : tensor<3x5x{element}>
  %y = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}}
      ins(%x : tensor<3x5x{element}>) outs(%e : tensor<3x5x{element}>) {{
  ^bb0(%a: {element}, %b: {element}):
    %c = {op} %a, %s : {element}
    linalg.yield %c : {element}
  }} -> tensor<3x5x{element}>
  return %y, %s : tensor<3x5x{element}>, {element}
}}
"""


class Number(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    """A tensor of DLPack."""
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                ("ndim", ctypes.c_int32), ("dtype", Number),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Exchange(ctypes.Structure):
    """The functions of DLPack's exchange API."""
    _fields_ = [("version", ctypes.c_uint32 * 2), ("previous", ctypes.c_void_p),
                *((name, ctypes.c_void_p)
                  for name in ("allocate", "lend", "adopt", "view", "stream"))]


class Lent:
    """A tensor of a library that has nothing but the exchange API."""

    def __init__(self, *values):
        self.memory = (ctypes.c_float * len(values))(*values)
        self.shape = (ctypes.c_int64 * 1)(len(values))
        self.negates = False

    def is_neg(self):
        return self.negates

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
    def view(self, tensor):
        tensor[0] = Tensor(ctypes.addressof(self.memory), (1, 0), 1, (2, 32, 1),
                           self.shape)
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Managed), ctypes.c_void_p)
    def adopt(managed, array):
        tensor = managed[0].tensor
        values = ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float))
        made = Lent(*values[:tensor.shape[0]])
        managed[0].deleter(ctypes.addressof(managed[0]))
        # The caller's reference.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
        ctypes.c_void_p.from_address(array).value = id(made)
        return 0

    @classmethod
    def offer(cls, major):
        """Offers the functions by a structure of a major version, which refers to
        that of version 1."""
        found = [Exchange((1, 1), None, None, None, *(
            ctypes.cast(function, ctypes.c_void_p)
            for function in (cls.adopt, cls.view)), None)]
        if major > 1:
            found.append(Exchange((major, 0), ctypes.addressof(found[0])))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
        cls.found = found
        cls.__dlpack_c_exchange_api__ = make(ctypes.addressof(found[-1]),
                                             b"dlpack_exchange_api", None)


#: Reads all of %y, then of %x in the other order.
CROSS = """
func.func @main(%x: tensor<64xf32> loc("x"), %y: tensor<64xf32> loc("y"))
    -> (tensor<64xf32>, tensor<64xf32>) {
  %sum = arith.addf %x, %y : tensor<64xf32>
  %empty = tensor.empty() : tensor<64xf32>
  %other = linalg.generic {
      indexing_maps = [affine_map<(i) -> (63 - i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %a : f32
      linalg.yield %c : f32
  } -> tensor<64xf32>
  return %sum, %other : tensor<64xf32>, tensor<64xf32>
}
"""

#: The sum of %x and itself, and its square, in an order that %swap chooses.
SWAP = """
func.func @main(%swap: i1 loc("swap"), %x: tensor<64xf32> loc("x"))
    -> (tensor<64xf32>, tensor<64xf32>) {
  %sum = arith.addf %x, %x : tensor<64xf32>
  %square = arith.mulf %x, %x : tensor<64xf32>
  %r:2 = scf.if %swap -> (tensor<64xf32>, tensor<64xf32>) {
    scf.yield %square, %sum : tensor<64xf32>, tensor<64xf32>
  } else {
    scf.yield %sum, %square : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}
"""


def make_aligned(shape):
    """An array of zeros at a multiple of 64 bytes."""
    size = 4 * int(np.prod(shape))
    room = np.zeros(size + 64, "u1")
    at = -room.ctypes.data % 64
    return room[at:at + size].view("f4").reshape(shape)


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.made = {}

    def compile(self, text, *options):
        """The file of the compiled `text`, made once."""
        key = (text, options)
        if key not in self.made:
            source = self.folder / f"model{len(self.made)}.mlir"
            source.write_text(text, encoding="utf-8")
            self.made[key] = source.with_suffix(".mprof")
            tool.run("compile", source, "-o", self.made[key], *options)
        return self.made[key]

    def open(self, text, *options, threads=0):
        return _model.open(self.compile(text, *options), threads)

    # Arguments and results.

    def test_describes_its_arguments(self):
        model = self.open(ADD)
        self.assertEqual(model.arguments, (("x", "float32", (None, 4)),
                                           ("y", "float32", (None, 4))))
        self.assertEqual(model.results, (("result0", "float32", (None, 4)),))
        self.assertEqual((model.state_bytes, model.threads), (0, 1))

    def test_exchanges_arrays_without_calls_of_python(self):
        model = self.open(DOUBLE)
        for major in (1, 2):
            Lent.offer(major)
            (result,) = model.run([Lent(1, 2, 3)], like=Lent)
            self.assertEqual(list(result.memory), [2, 4, 6])
            output = Lent(0, 0, 0)
            model.run([Lent(1, 2, 3)], [output])
            self.assertEqual(list(output.memory), [2, 4, 6])

    def test_refuses_memory_of_other_numbers(self):
        Lent.offer(1)
        lazy = Lent(1, 2, 3)
        lazy.negates = True
        with self.assertRaisesRegex(BufferError, "argument 'x' is a view that negates"):
            self.open(DOUBLE).run([lazy])

    def test_reads_what_a_lazy_array_stands_for(self):
        class Negated(Lent):
            def resolve_conj(self):
                return self

            def resolve_neg(self):
                return Negated(*(-number for number in self.memory))

        Negated.offer(1)
        lazy = Negated(1, 2, 3)
        lazy.negates = True
        model = self.open(DOUBLE)
        (result,) = model.run([lazy])
        self.assertEqual(np.asarray(result).tolist(), [-2, -4, -6])
        # The numbers written there would stand for others.
        with self.assertRaisesRegex(BufferError, "output 'result0' is a view"):
            model.run([lazy], [lazy])

    def test_repeats_calls_of_known_kinds(self):
        Lent.offer(1)
        caller = self.open(DOUBLE).make_caller(None)
        x = np.float32([1, 2, 3])
        self.assertIs(caller((x,)), NotImplemented)
        caller.add((np.ndarray,), None, np.asarray, None)
        self.assertEqual(caller((x,)).tolist(), [2, 4, 6])
        caller.add((Lent,), None, None, Lent)
        self.assertEqual(list(caller((Lent(1, 2, 3),)).memory), [2, 4, 6])
        caller.add((list,), lambda lists: [np.float32(lists[0])], np.asarray, None)
        self.assertEqual(caller(([4, 5, 6],)).tolist(), [8, 10, 12])
        out = np.zeros(3, "f4")
        self.assertIs(caller(([4, 5, 6],), (out,))[0], out)
        self.assertEqual(out.tolist(), [8, 10, 12])
        for arguments in ((x, x), (), ((1, 2, 3),)):
            self.assertIs(caller(arguments), NotImplemented)

    def test_calls_have_the_structure_of_their_results(self):
        caller = self.open(make_typed("f32", "arith.addf")).make_caller(
            lambda results: {"s": results[1], "y": results[0]})
        caller.add((np.ndarray, float), None, np.asarray, None)
        results = caller((np.ones((3, 5), "f4"), 2.))
        self.assertEqual(list(results), ["s", "y"])
        self.assertEqual((float(results["s"]), float(results["y"].sum())), (2, 45))

    def test_errors_of_repeated_calls_are_those_of_calls(self):
        def fail(_):
            raise KeyError("no such thing")
        model = self.open(DOUBLE)
        x = np.float32([1, 2, 3])
        for give, unflatten in ((fail, None), (None, fail)):
            caller = model.make_caller(unflatten)
            caller.add((np.ndarray,), None, give, None)
            with self.assertRaisesRegex(KeyError, "no such thing"):
                caller((x,))
        caller = model.make_caller(None)
        caller.add((np.ndarray,), None, None, None)
        with self.assertRaisesRegex(ValueError, r"argument 'x' is float32\[2\]"):
            caller((x[:2],))
        for wrong in ((), ([x],), ((x,), [x]), ((x,), (x,), (x,))):
            with self.assertRaisesRegex(TypeError, "takes a tuple of arguments"):
                caller(*wrong)
        with self.assertRaisesRegex(TypeError, "like is not a type"):
            caller.add((np.ndarray,), None, None, int)

    def test_new_kinds_replace_the_oldest(self):
        model = self.open(DOUBLE)
        caller = model.make_caller(None)
        kinds = [type(f"Kind{number}", (), {}) for number in range(9)]
        for kind in kinds:
            caller.add((kind,), lambda _: [np.float32([1, 2, 3])], np.asarray, None)
        known = [caller((kind(),)) is not NotImplemented for kind in kinds]
        self.assertEqual(known, sorted(known))
        self.assertEqual((known[0], known[-1]), (False, True))
        # Neither kinds nor what they refer to outlive the caller, also in a cycle.
        references = [weakref.ref(kinds[-1])]
        caller.add((int,), lambda _, own=caller: None, None, None)
        del caller, kind, kinds
        gc.collect()
        self.assertIsNone(references[0]())

    def test_refuses_integers_of_the_other_sign(self):
        model = self.open(DIVIDE)
        signed, unsigned = np.full(4096, 6, "i4"), np.full(4096, 3, "u4")
        # The code does not tell.
        for x in (signed, unsigned):
            self.assertEqual(int(np.asarray(model.run([x, unsigned])[0])[0]),
                             int(x[0]) // 3)
        with self.assertRaisesRegex(ValueError, "1 signs for 2 arguments"):
            model.set_signs("s")
        model.set_signs("su")
        self.assertEqual(int(np.asarray(model.run([signed, unsigned])[0])[0]), 2)
        for arguments, name, found in (([unsigned, unsigned], "x", "uint32"),
                                       ([signed, signed], "y", "int32")):
            with self.assertRaisesRegex(
                    TypeError, rf"argument '{name}' is {found}\[4096\]"):
                model.run(arguments)

    def test_refuses_types_that_do_not_make_arrays(self):
        for like in (int, 3):
            with self.assertRaisesRegex(TypeError, "__dlpack_c_exchange_api__"):
                self.open(DOUBLE).run([np.ones(3, "f4")], None, like)
        for wrong in ({}, {"inputs": [], "output": []}):
            with self.assertRaisesRegex(TypeError, "inputs, outputs=None, like"):
                self.open(DOUBLE).run(**wrong)

    def test_takes_dynamic_sizes(self):
        model = self.open(ADD)
        for rows in (0, 1, 3, 1000):
            x = np.random.rand(rows, 4).astype("f4")
            (result,) = model.run([x, x])
            self.assertEqual(result.shape, (rows, 4))
            np.testing.assert_array_equal(np.asarray(result), x + x)

    def test_takes_arrays_of_any_layout(self):
        model = self.open(ADD)
        x = np.random.rand(8, 8).astype("f4")
        fixed = np.ascontiguousarray(x[:, :4])
        fixed.flags.writeable = False
        cases = [fixed, x[:, :4], x[::-1, ::2], x.T[:, 4:],
                 np.frombuffer(b"." + fixed.tobytes(), "u1")[1:].view("f4")
                 .reshape(8, 4)]
        for copies, case in enumerate(cases):
            (result,) = model.run((case, fixed))
            np.testing.assert_array_equal(np.asarray(result), case + fixed)
            self.assertEqual(model.copies, copies)

    def test_takes_dlpack_and_buffers(self):
        class Only:
            """An array that has DLPack alone, of either version."""

            def __init__(self, array, **fixed):
                self.array, self.fixed = array, fixed

            def __dlpack__(self, **wanted):
                return self.array.__dlpack__(**{**wanted, **self.fixed})

        class Old:
            """One from before versions."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

        model = self.open(ADD)
        x = np.random.rand(2, 4).astype("f4")
        view = memoryview(bytearray(x.tobytes())).cast("f", (2, 4))
        for case in (Only(x), Old(x), view, model.run([x, x * 0])[0]):
            (result,) = model.run([case, x])
            np.testing.assert_array_equal(np.asarray(result), x + x)

    def test_has_all_types(self):
        for element, name, op in [
                ("f16", "float16", "arith.addf"), ("f64", "float64", "arith.addf"),
                ("i8", "int8", "arith.addi"), ("i16", "int16", "arith.addi"),
                ("i64", "int64", "arith.addi"), ("index", "int64", "arith.addi"),
                ("i1", "bool", "arith.xori"),
                ("complex<f32>", "complex64", "complex.add"),
                ("complex<f64>", "complex128", "complex.add")]:
            with self.subTest(element=element):
                model = self.open(make_typed(element, op))
                self.assertEqual(model.arguments[0][1], name)
                x = np.arange(15).reshape(3, 5).astype(name)
                number = np.array(1, name)
                for given in (number, number[()]):
                    array, same = map(np.asarray, model.run([x, given]))
                    self.assertEqual(array.dtype, x.dtype)
                    expected = x ^ number if name == "bool" else x + number
                    np.testing.assert_array_equal(array, expected)
                    self.assertEqual(same, number)

    def test_takes_unsigned_numbers_for_signless_ones(self):
        model = self.open(make_typed("i8", "arith.addi"))
        x = np.full((3, 5), 250, "u1")
        array, _ = model.run([x, 3])
        np.testing.assert_array_equal(np.asarray(array).view("u1"), x + 3)
        np.testing.assert_array_equal(
            np.asarray(model.run([x, 255])[1]).view("u1"), 255)

    def test_names_arguments_that_do_not_fit(self):
        model = self.open(ADD)
        x = np.zeros((2, 4), "f4")
        for error, text, arguments in [
                (TypeError, r"takes 2 arguments, not 1", [x]),
                (TypeError, r"'y' is float64\[2, 4\]; expected float32\[\?, 4\]",
                 [x, x.astype("f8")]),
                (ValueError, r"'x' is float32\[2, 3\]; expected", [x[:, :3], x]),
                (ValueError, r"'x' is float32\[8\]; expected", [x.reshape(8), x]),
                (TypeError, r"'y' is a str; expected an array", [x, "text"])]:
            with self.assertRaisesRegex(error, text):
                model.run(arguments)
        with self.assertRaisesRegex(OverflowError, "'s' does not fit i8"):
            self.open(make_typed("i8", "arith.addi")).run(
                [np.zeros((3, 5), "i1"), 256])

    def test_refuses_other_devices(self):
        class Device:
            def __dlpack__(self, **_):
                raise BufferError("it is on device 3")

        x = np.zeros((2, 4), "f4")
        with self.assertRaisesRegex(BufferError, "device 3"):
            self.open(ADD).run([x, Device()])

    def test_writes_into_outputs(self):
        model = self.open(ADD)
        x = np.random.rand(6, 4).astype("f4")
        wide = np.zeros((6, 8), "f4")
        for output in (np.zeros((6, 4), "f4"), wide[:, ::2]):
            (result,) = model.run([x, x], outputs=[output])
            self.assertIs(result, output)
            np.testing.assert_array_equal(output, x + x)
        np.testing.assert_array_equal(wide[:, 1::2], 0)
        with self.assertRaisesRegex(ValueError, r"output 'result0' is"):
            model.run([x, x], [np.zeros((5, 4), "f4")])
        output.flags.writeable = False
        with self.assertRaisesRegex((TypeError, BufferError), "read"):
            model.run([x, x], [output])

    def test_stores_results_in_outputs(self):
        model = self.open(ADD)
        for rows in (6, 6, 900, 1):
            x = np.random.rand(rows, 4).astype("f4")
            output = make_aligned(x.shape)
            before = model.placed
            model.run([x, x], [output])
            np.testing.assert_array_equal(output, x + x)
        # The first call tells where the result comes from.
        self.assertEqual((before, model.placed), (2, 3))

    def test_outputs_may_be_arguments(self):
        model = self.open(CROSS)
        x, y = make_aligned((64,)), make_aligned((64,))
        for _ in range(3):
            x[:], y[:] = np.arange(64), 1
            model.run([x, y], [y, x])
            np.testing.assert_array_equal(y, np.arange(64) + 1)
            np.testing.assert_array_equal(x, np.arange(64)[::-1] * 2)
        self.assertEqual(model.placed, 0)

    def test_results_change_their_places(self):
        """Which of two arrays becomes which result depends on an argument."""
        model = self.open(SWAP)
        x = np.arange(64, dtype="f4")
        for is_swapped in (True, True, False, True, False, False):
            outputs = [make_aligned(x.shape) for _ in range(2)]
            model.run([is_swapped, x], outputs)
            expected = (x * x, x + x) if is_swapped else (x + x, x * x)
            np.testing.assert_array_equal(outputs, expected)

    def test_keeps_arguments_that_their_list_loses(self):
        class Forgetful:
            """An array that empties the list in which it is passed."""

            def __dlpack__(self, **options):
                inputs.clear()
                return np.ones((2, 4), np.float32).__dlpack__(**options)

        inputs = [Forgetful(), np.full((2, 4), 2, np.float32)]
        outputs = [np.zeros((2, 4), np.float32)]
        result, = self.open(ADD).run(inputs, outputs)
        self.assertEqual(inputs, [])
        self.assertIs(result, outputs[0])
        self.assertEqual(result.tolist(), [[3] * 4] * 2)

    def test_refuses_versions_that_are_no_pair(self):
        result, = self.open(ADD).run([np.zeros((1, 4), np.float32)] * 2)
        with self.assertRaisesRegex(TypeError, "max_version is a int"):
            result.__dlpack__(max_version=1)

    def test_results_outlive_their_model(self):
        model = self.open(ADD)
        x = np.random.rand(1000, 4).astype("f4")
        results = [np.asarray(model.run([x, x * n])[0]) for n in range(8)]
        capsules = [np.from_dlpack(model.run([x, x * n])[0]) for n in range(8)]
        del model
        gc.collect()
        for kept in (results, capsules):
            for number, result in enumerate(kept):
                np.testing.assert_array_equal(result, x + x * number)

    # Constants, variables and threads.

    def test_has_its_constants_once(self):
        weights = np.random.randint(-4, 4, (64, 64)).astype("f4")
        alignment = (4).to_bytes(4, "little")
        path = self.compile(WEIGHTS.replace(
            "WEIGHTS", (alignment + weights.tobytes()).hex()))
        x = np.random.randint(-4, 4, (8, 64)).astype("f4")
        (result,) = _model.open(path).run([x])
        np.testing.assert_array_equal(np.asarray(result), x @ weights)
        # The packed weights, and nothing that is nearly as large.
        self.assertLess(path.stat().st_size, 2.5 * weights.nbytes + 48 * 1024)

    def test_keeps_variables(self):
        first, second = self.open(COUNT), self.open(COUNT)
        self.assertEqual(first.state_bytes, 64)
        count = lambda model: int(np.asarray(model.run([])[0]))
        self.assertEqual([count(first) for _ in range(3)], [1, 2, 3])
        self.assertEqual(count(second), 1)
        first.reset()
        self.assertEqual((count(first), count(second)), (1, 2))

    def test_runs_on_threads_at_once(self):
        x = np.random.rand(256, 256).astype("f4")
        w = np.eye(256, dtype="f4")
        for options, threads in [((), 0), (("--threads=2",), 2)]:
            model = self.open(LONG, *options, threads=threads)
            wrong = []

            def work(scale):
                for _ in range(5):
                    (result,) = model.run([x * scale, w, 3])
                    if not (np.asarray(result) == x * scale).all():
                        wrong.append(scale)

            workers = [threading.Thread(target=work, args=(scale,))
                       for scale in (1, 2, 4, 8)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            self.assertEqual(wrong, [])

    def test_counts_calls_of_threads(self):
        model = self.open(COUNT)
        workers = [threading.Thread(
            target=lambda: [model.run([]) for _ in range(500)]) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(int(np.asarray(model.run([])[0])), 2001)

    # Failures.

    def test_failed_assertions_are_exceptions(self):
        model = self.open(PICK)
        x = np.arange(4, dtype="f4")
        for _ in range(100):
            with self.assertRaisesRegex(
                    _model.ModelError,
                    r"no such element, in cf.assert at .*model\d+.mlir:5"):
                model.run([x, 4])
        self.assertEqual(float(np.asarray(model.run([x, 3])[0])), 3)

    def test_wild_accesses_are_exceptions(self):
        model = self.open(WILD)
        x = np.arange(4, dtype="f4")
        with self.assertRaisesRegex(_model.ModelError,
                                    r"SIGSEGV.*llvm.load at .*:4"):
            model.run([1 << 44])
        self.assertEqual(float(np.asarray(model.run([x[2:].ctypes.data])[0])), 2)

    def test_indices_out_of_range_are_exceptions(self):
        x = np.arange(10 * 64, dtype="f4").reshape(10, 64)
        for threads in (1, 2):
            model = self.open(FAR, f"--threads={threads}")
            for rows in ([3, 9, 0], [], [1] * 4096):
                rows = np.array(rows, "i8")
                np.testing.assert_array_equal(
                    np.asarray(model.run([x, rows])[0]), x[rows])
            for place, row in ((0, 10), (4095, -1), (77, 1 << 60)):
                rows = np.full(4096, 2, "i8")
                rows[place] = row
                with self.assertRaisesRegex(
                        _model.ModelError, "index is out of range for dimension 0, "
                        r"in linalg.generic at .*mlir:8"):
                    model.run([x, rows])
            # Without columns nothing is read.
            self.assertEqual(np.asarray(model.run(
                [x[:0], np.zeros(0, "i8")])[0]).shape, (0, 64))

    def test_sizes_that_do_not_fit_are_exceptions(self):
        model = self.open(UNEQUAL)
        x = np.arange(9, dtype="f4")
        np.testing.assert_array_equal(np.asarray(model.run([x, x])[0]), x + x)
        for y in (x[:8], x[:1], np.arange(10, dtype="f4")):
            with self.assertRaisesRegex(
                    _model.ModelError, "dimension 0 of operand 1 differs from "
                    r"dimension 0 of operand 0, in linalg.add at .*mlir:6"):
                model.run([x, y])

    def test_divisions_by_zero_are_exceptions(self):
        x, y = np.arange(4096, dtype="i4"), np.full(4096, 3, "i4")
        for threads in (1, 2):
            model = self.open(DIVIDE, f"--threads={threads}")
            # On either thread.
            for place in (0, 4095):
                y[place] = 0
                with self.assertRaisesRegex(_model.ModelError,
                                            "division by zero, in linalg.div at"):
                    model.run([x, y])
                y[place] = 3
            np.testing.assert_array_equal(np.asarray(model.run([x, y])[0]), x // 3)

    def test_other_faults_end_the_process(self):
        code = ("import os, signal, sys\nfrom mlir_prof import _model\n"
                "_model.open(sys.argv[1])\nos.kill(os.getpid(), signal.SIGSEGV)")
        done = subprocess.run([sys.executable, "-c", code, self.compile(ADD)])
        self.assertEqual(done.returncode, -signal.SIGSEGV)

    def test_interrupts_end_a_call(self):
        x = np.random.rand(256, 256).astype("f4")
        w = np.eye(256, dtype="f4")
        # Shells start jobs in the background with interrupts ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for threads in (1, 2):
            model = self.open(LONG, f"--threads={threads}", threads=threads)
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            begin = time.monotonic()
            # A day, if nothing ends it.
            with self.assertRaises(KeyboardInterrupt):
                model.run([x, w, 1 << 40])
            self.assertLess(time.monotonic() - begin, 60)
            timer.join()
            (result,) = model.run([x, w, 2])
            np.testing.assert_array_equal(np.asarray(result), x)

    # Files.

    def test_takes_a_file_that_replaced_another(self):
        path = self.folder / "replaced.mprof"
        x = np.arange(4, dtype="f4").reshape(1, 4)
        shutil.copy(self.compile(ADD), path)
        before = _model.open(path)
        other = ADD.replace("addf", "mulf")
        shutil.copy(self.compile(other), path.with_suffix(".new"))
        os.replace(path.with_suffix(".new"), path)
        after = _model.open(path)
        np.testing.assert_array_equal(np.asarray(before.run([x, x])[0]), x + x)
        np.testing.assert_array_equal(np.asarray(after.run([x, x])[0]), x * x)

    def test_refuses_damaged_files(self):
        whole = self.compile(ADD).read_bytes()
        path = self.folder / "damaged.mprof"
        library, _, _, _, directory, count = struct.unpack("<6Q", whole[-64:-16])
        sections = [struct.unpack("<4Q", whole[at:at + 32])
                    for at in range(directory, directory + 32 * count, 32)]
        self.assertEqual(directory + 32 * count, len(whole) - 64)
        cases = [whole[:-1], whole[:len(whole) // 2], whole + b" ", b"", b"x" * 64]
        # The library, the interface, the places of ops, the directory, the footer:
        # all that this process reads.
        for begin, end in [(0, library), (directory, len(whole)),
                           *((at, at + size) for kind, at, size, _ in sections
                             if kind in (1, 2))]:
            for place in range(begin, end, max(1, (end - begin) // 40)):
                changed = bytearray(whole)
                changed[place] ^= 1
                cases.append(bytes(changed))
        for data in cases:
            path.write_bytes(data)
            with self.assertRaisesRegex(ValueError, "damaged.mprof: is"):
                _model.open(path)
        with self.assertRaisesRegex(ValueError, "No such file"):
            _model.open(self.folder / "missing.mprof")

    def test_refuses_other_versions(self):
        data = bytearray(self.compile(ADD).read_bytes())
        self.assertEqual(data[-8:], b"MLPRMOD2")
        data[-1:] = b"9"
        path = self.folder / "other.mprof"
        path.write_bytes(data)
        with self.assertRaisesRegex(ValueError, "another version"):
            _model.open(path)


if __name__ == "__main__":
    unittest.main()
