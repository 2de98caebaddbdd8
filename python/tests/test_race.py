# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races: the join of times and the results, without frameworks."""

import json
import pathlib
import tempfile
import unittest
from unittest import mock

import numpy

import mlir_prof
from mlir_prof._race import _main, _onnx_names, _rows, _run, contestants
from mlir_prof._race._result import Entry, Race

MODEL = """
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%fill : tensor<64x64xf32>) -> tensor<64x64xf32> loc("net/up/matmul")
  return %y : tensor<64x64xf32>
}
"""


class Rows(unittest.TestCase):
    def test_modules_of_a_name(self):
        self.assertEqual(_rows.list_modules("a/b/op"), ["a", "a/b"])
        self.assertEqual(_rows.list_modules("op"), [])
        self.assertEqual(_rows.find_modules(["a", "a/b", "a/b/op", "c/op"]),
                         ["a", "a/b", "c"])

    def test_sets_add_up(self):
        sets = [(["a/up/x", "a/up/y"], 100), (["a/up/x", "a/down/z"], 41),
                (["b/q"], 7), (["elsewhere"], 5)]
        rows = _rows.from_sets(sets, 1, {"a", "a/up", "a/down", "b"})
        self.assertEqual(rows.total_ps, 153)
        self.assertEqual(rows.unjoined_ps, 5)
        self.assertEqual(rows.modules["a"], (141, 0))
        self.assertEqual(rows.modules["a/up"], (121, 41))
        self.assertEqual(rows.modules["a/down"], (20, 41))
        self.assertEqual(rows.modules["b"], (7, 0))

    def test_names_of_nodes(self):
        self.assertEqual(_onnx_names.make_name(["", "blocks.0", "blocks.0.up", "mm_1"]),
                         "blocks/0/up/mm_1")
        self.assertEqual(_onnx_names.make_name(["", "add"]), "add")


class Results(unittest.TestCase):
    def test_errors_are_relative(self):
        array = numpy.array([1.0, -4.0])
        self.assertEqual(_run._find_error([array + [0, 1]], [array]), 0.25)
        self.assertEqual(_run._find_error([array[:1]], [array]), float("inf"))
        self.assertEqual(_run._find_error([], [array]), float("inf"))

    def test_tables(self):
        rows = [_rows.Rows({"a": _rows.Share(total, 0)}, total + 1, 1)
                for total in (30, 10)]
        race = Race([Entry("torch", "2", rounds=[[4, 2], [6]], rows=rows[0]),
                     Entry("iree", "3", rounds=[[8]], no_rows="no names"),
                     Entry("mlir_prof", "1", rounds=[[2]], rows=rows[1]),
                     Entry("jax", reason="absent")], "torch", ["a"], 1)
        self.assertEqual(race.times["median_ps"], [4000, 8000, 2000, None])
        self.assertEqual(race.times["ratio_ppm"], [2000000, 4000000, 1000000, None])
        self.assertEqual(race.times["note"][3], "absent")
        [row] = race.rows
        self.assertEqual((row["module"], row["best"], row["torch_ps"],
                          row["mlir_prof_ps"]), ("a", "mlir_prof", 30, 10))
        self.assertEqual(race.totals["total_ps"], [31, None, 11, None])
        self.assertEqual(race.totals["note"][1], "no names")
        self.assertEqual(json.loads(race.to_json())["rounds_ns"]["torch"], [[4, 2], [6]])
        for text in (race._repr_html_(), race.picture().svg, repr(race)):
            self.assertIn("mlir_prof", text)


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.model = self.folder / "model.mlir"
        self.model.write_text(MODEL)
        self.x = numpy.eye(64, dtype="float32")

    def test_one_framework(self):
        result = mlir_prof.race(self.model, self.x, rounds=1, seconds=0.01,
                                frameworks=["torch", "mlir_prof"], progress=False)
        self.assertNotEqual(result.times["note"][0], "")
        entry = result.entries[1]
        self.assertEqual(entry.reason, "")
        self.assertGreaterEqual(len(entry.rounds[0]), 3)
        self.assertEqual([row["module"] for row in result.rows], ["net", "net/up"])
        # All of the model's time is that of its only op with a module.
        profiled = result.totals[1]
        for row in result.rows:
            self.assertGreaterEqual(row["mlir_prof_ps"],
                                    0.9 * (profiled["total_ps"] -
                                           profiled["unjoined_ps"]))

    def test_who_fails_says_so(self):
        self.model.write_text(MODEL.replace("linalg.matmul", "linalg.nothing"))
        result = mlir_prof.race(self.model, self.x, frameworks=["mlir_prof"],
                                progress=False)
        self.assertIn("linalg.nothing", result.times["note"][0])

    def test_arguments_are_checked(self):
        with self.assertRaisesRegex(ValueError, "'caffe' does not race; .*torch"):
            mlir_prof.race(self.model, self.x, frameworks=["caffe"])
        with self.assertRaisesRegex(TypeError, "argument 0 is a list"):
            mlir_prof.race(self.model, [1.0], progress=False)

    def test_the_verb(self):
        numpy.save(self.folder / "x.npy", self.x)
        output = self.folder / "out.json"
        status = _main.main([str(self.model), f"--input={self.folder}/x.npy",
                             "--frameworks=mlir_prof", "--rounds=2", "--seconds=0.01",
                             "--format=json", "-o", str(output)])
        self.assertEqual(status, 0)
        made = json.loads(output.read_text())
        self.assertEqual(len(made["rounds_ns"]["mlir_prof"]), 2)

    def test_contestants_have_one_form(self):
        for name in contestants.CONTESTANTS:
            module = contestants.load(name)
            self.assertTrue(module.FORMS)
            self.assertTrue(hasattr(module.Contestant, "record"))
        with mock.patch.object(_run, "_is_installed", lambda name: False):
            result = mlir_prof.race(self.model, self.x, progress=False)
        self.assertTrue(all("not installed" in entry.reason for entry in result.entries))


if __name__ == "__main__":
    unittest.main()
