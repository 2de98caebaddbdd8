# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of the wheel, $MLIR_PROF, does everything where LLVM is not installed:
run by utils/without-llvm, or in a system that does not have it."""

import array
import glob
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

TOOL = os.environ["MLIR_PROF"]
SIZE = 32
MATMUL = """
func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>)
      -> tensor<32x32xf32>
  %product = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
      outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %product : tensor<32x32xf32>
}
"""
# A function of MLIR's library copies arrays whose rank is known at run time only.
COPY = """
func.func @main(%a: memref<4x6xf32>, %b: memref<4x6xf32>) {
  %from = memref.cast %a : memref<4x6xf32> to memref<*xf32>
  %to = memref.cast %b : memref<4x6xf32> to memref<*xf32>
  memref.copy %from, %to : memref<*xf32> to memref<*xf32>
  return
}
"""
OPENMP = ("builtin.module(one-shot-bufferize{bufferize-function-boundaries=true},"
          "convert-linalg-to-parallel-loops,convert-scf-to-openmp)")
# An op of a dialect for which no code is generated here.
FOREIGN = """
func.func @main(%a: f32) -> f32 {
  %sum = spirv.FAdd %a, %a : f32
  return %sum : f32
}
"""


def write_npy(path, values):
    """Writes a square matrix of float32."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({SIZE}, {SIZE}), }}"
    header = header.ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                     header.encode() + array.array("f", values).tobytes())


def read_npy(path):
    data = path.read_bytes()
    # Version 2 of the format.
    begin = 12 + struct.unpack_from("<I", data, 8)[0]
    return array.array("f", data[begin:]).tolist()


class StaticToolTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def run_tool(self, *arguments):
        result = subprocess.run([TOOL, *map(str, arguments)], capture_output=True,
                                encoding="utf-8",
                                env={**os.environ, "MLIR_PROF_CACHE": "off"})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_llvm_is_hidden(self):
        self.assertEqual(glob.glob("/usr/lib/llvm-*/lib/lib*"), [])
        loader = subprocess.run(["ldd", TOOL], capture_output=True, encoding="utf-8")
        self.assertNotIn("LLVM", loader.stdout)
        self.assertNotIn("not found", loader.stdout)

    def multiply(self, *options):
        """Records the product of two matrices, and checks the result and the op."""
        model = self.write("matmul.mlir", MATMUL)
        a = [((7 * i) % 11) / 4 - 1 for i in range(SIZE * SIZE)]
        b = [((5 * i) % 13) / 8 - 1 for i in range(SIZE * SIZE)]
        write_npy(self.scratch / "a.npy", a)
        write_npy(self.scratch / "b.npy", b)
        results = self.scratch / "results"
        profile = self.scratch / "run.mlprof"
        self.run_tool("record", model, f"--input=a={self.scratch / 'a.npy'}",
                      f"--input=b={self.scratch / 'b.npy'}", "--iterations=20",
                      "--mode=instrument", f"--save-results={results}", "-o", profile,
                      *options)
        # All products and sums are exact in float32.
        expected = [sum(a[row * SIZE + k] * b[k * SIZE + column] for k in range(SIZE))
                    for row in range(SIZE) for column in range(SIZE)]
        self.assertEqual(read_npy(results / "result0.npy"), expected)
        rows = json.loads(self.run_tool("report", profile, "--format=json"))
        self.assertIn("linalg.matmul", json.dumps(rows))

    def test_one_thread(self):
        self.multiply()

    def test_two_threads(self):
        self.multiply("--threads=2")

    def test_openmp(self):
        self.multiply("--threads=2", f"--pipeline={OPENMP}")

    def test_copies_of_any_rank(self):
        model = self.write("copy.mlir", COPY)
        saved = self.scratch / "copy.o"
        self.run_tool("record", model, "--iterations=3", "--mode=time",
                      f"--save-object={saved}")
        self.assertTrue(b"memrefCopy" in saved.read_bytes())

    @unittest.skipUnless(shutil.which("qemu-system-arm"), "needs QEMU for Arm")
    def test_counts_instructions_of_a_target(self):
        model = self.write("matmul.mlir", MATMUL)
        profile = self.scratch / "target.mlprof"
        # The plugin of QEMU is next to the program.
        self.run_tool("record", model, "--target=cortex-m4", "--on=qemu",
                      "--iterations=1", "-o", profile)
        rows = json.loads(self.run_tool("report", profile, "--format=json"))
        self.assertIn("linalg.matmul", json.dumps(rows))

    def test_passes_for_other_machines(self):
        self.multiply("--pipeline=builtin.module(gpu-kernel-outlining)")

    def test_reads_dialects_of_other_machines(self):
        model = self.write("foreign.mlir", FOREIGN)
        result = subprocess.run([TOOL, "record", model, "-o", self.scratch / "none"],
                                capture_output=True, encoding="utf-8")
        self.assertEqual(result.returncode, 1)
        self.assertIn("op 'spirv.FAdd' does not have a lowering", result.stderr)


if __name__ == "__main__":
    unittest.main()
