# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel loops that run by OpenMP, in processes that do not have it."""

import unittest

import numpy

import mlir_prof
from model_common import Compiled

PARALLEL = """
func.func @main(%x: memref<1000xf32> loc("x"), %y: memref<1000xf32> loc("y")) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %a = memref.load %x[%i] : memref<1000xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %y[%i] : memref<1000xf32>
    scf.reduce(%a : f32) {
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        scf.reduce.return %s : f32
    }
  }
  return %sum : f32
}
"""

#: A loop of the dialect omp with a schedule.
OMP = """
omp.critical.declare @lock
func.func @main(%x: memref<1000xf32> loc("x"), %y: memref<1000xf32> loc("y")) {
  %c0 = arith.constant 0 : TYPE
  %c1 = arith.constant 1 : TYPE
  %n = arith.constant 1000 : TYPE
  %chunk = arith.constant 7 : TYPE
  omp.parallel {
    omp.wsloop SCHEDULE {
      omp.loop_nest (%k) : TYPE = (%c0) to (%n) step (%c1) {
        %i = INDEX
        %a = memref.load %x[%i] : memref<1000xf32>
        %b = arith.addf %a, %a : f32
        omp.critical(@lock) {
          memref.store %b, %y[%i] : memref<1000xf32>
          omp.terminator
        }
        omp.yield
      }
    }
    omp.barrier
    omp.terminator
  }
  return
}
"""


class Loops(Compiled):
    def setUp(self):
        super().setUp()
        self.x = numpy.arange(1000, dtype="f4")

    def test_loops_and_reductions(self):
        for threads in (1, 2):
            model = self.compile(PARALLEL, threads=threads)
            y = numpy.zeros(1000, "f4")
            self.assertEqual(model(self.x, y), self.x.sum())
            numpy.testing.assert_array_equal(y, 2 * self.x)

    def test_schedules(self):
        for kind in ("i32", "i64"):
            for schedule in ("", "schedule(static)",
                             f"schedule(static = %chunk : {kind})"):
                text = OMP.replace("SCHEDULE", schedule).replace("TYPE", kind).replace(
                    "INDEX", f"arith.index_cast %k : {kind} to index")
                model = self.compile(text)
                y = numpy.zeros(1000, "f4")
                model(self.x, y)
                numpy.testing.assert_array_equal(y, 2 * self.x, schedule)

    def test_others_are_refused_by_name(self):
        text = OMP.replace("SCHEDULE", "schedule(dynamic)").replace(
            "TYPE", "i64").replace("INDEX", "arith.index_cast %k : i64 to index")
        with self.assertRaisesRegex(mlir_prof.ToolError, "__kmpc_dispatch_init"):
            self.compile(text)


if __name__ == "__main__":
    unittest.main()
