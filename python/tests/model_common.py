# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models for the tests of compiled models, and a cache of their own."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import mlir_prof

#: relu(x * w + b) of any number of rows; locations are those of a framework.
LAYER = """
func.func @main(%x: tensor<?x16xf32> loc("x"), %w: tensor<16x8xf32> loc("w"),
                %b: tensor<8xf32> loc("b")) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x16xf32>
  %empty = tensor.empty(%rows) : tensor<?x8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %product = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8xf32>)
    outs(%filled : tensor<?x8xf32>) -> tensor<?x8xf32> loc("layer/product")
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %b : tensor<?x8xf32>, tensor<8xf32>)
      outs(%empty : tensor<?x8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %sum = arith.addf %p, %q : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
  } -> tensor<?x8xf32> loc("layer/relu")
  return %result : tensor<?x8xf32>
}
"""

#: Sum and difference of two arrays.
PAIR = """
func.func @main(%a: tensor<4xi32> loc("a"), %b: tensor<4xi32> loc("b"))
    -> (tensor<4xi32>, tensor<4xi32>) {
  %sum = arith.addi %a, %b : tensor<4xi32>
  %difference = arith.subi %a, %b : tensor<4xi32>
  return %sum, %difference : tensor<4xi32>, tensor<4xi32>
}
"""

#: Fails unless its argument is positive.
CHECK = """
func.func @main(%x: i64 loc("x")) -> i64 {
  %zero = arith.constant 0 : i64
  %good = arith.cmpi sgt, %x, %zero : i64
  cf.assert %good, "x is not positive" loc("guard")
  return %x : i64
}
"""

#: Counts its calls.
COUNTER = (pathlib.Path(__file__).resolve().parents[2] /
           "examples/counter.mlir").read_text()


class Compiled(unittest.TestCase):
    """A cache for all tests of the class, and a folder for each."""

    @classmethod
    def setUpClass(cls):
        cls._cache = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._cache.cleanup)
        cls.cache = pathlib.Path(cls._cache.name)
        patch = mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(cls.cache))
        patch.start()
        cls.addClassCleanup(patch.stop)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, text, **options):
        return mlir_prof.compile(text, progress=False, **options)


def run_python(program, *arguments, **options):
    """Runs a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], text=True,
        capture_output=True, env=dict(os.environ, PYTHONPATH=os.pathsep.join(
            filter(None, sys.path))), **options)
