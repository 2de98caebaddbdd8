# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races: the join of times and the results, without frameworks."""

import json
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import numpy

import mlir_prof
from mlir_prof._race import _forms, _main, _onnx_names, _process, _rows, _run, contestants
from mlir_prof._race._result import Entry, Race
from mlir_prof.frontends import Value

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

    def test_rows_without_modules_are_ops(self):
        self.assertEqual(_rows.find_modules(["conv", "add", "(unnamed)"]),
                         ["add", "conv"])
        rows = _rows.from_sets([(["conv", "add"], 10), (["conv"], 4)], 2,
                               {"add", "conv"})
        self.assertEqual(rows.modules, {"conv": (2, 5, 5), "add": (0, 5, 5)})
        self.assertEqual(rows.fused, [(("add", "conv"), 5)])

    def test_sets_add_up(self):
        sets = [(["a/up/x", "a/up/y"], 100), (["a/up/x", "a/down/z"], 41),
                (["b/q"], 7), (["elsewhere"], 5), (["b/q", "sum"], 3)]
        rows = _rows.from_sets(sets, 1, {"a", "a/up", "a/down", "b"})
        self.assertEqual(rows.total_ps, 156)
        self.assertEqual(rows.unjoined_ps, 5)
        self.assertEqual(rows.modules["a"], (141, 0, 0))
        self.assertEqual(rows.modules["a/up"], (100, 41, 41))
        self.assertEqual(rows.modules["a/down"], (0, 41, 41))
        self.assertEqual(rows.modules["b"], (7, 3, 3))
        self.assertEqual(rows.fused, [(("a/down", "a/up"), 41), (("(top)", "b"), 3)])

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


    def test_fused_times_are_shown_as_such(self):
        sets = [(["a/x"], 5_000_000), (["a/x", "b/y"], 9_000_000)]
        fused = _rows.from_sets(sets, 1, {"a", "b"})
        split = _rows.Rows({"a": _rows.Share(4_000_000, 0),
                            "b": _rows.Share(4_000_000, 0)}, 8_000_000, 0)
        race = Race([Entry("openvino", "1", rounds=[[9]], rows=fused),
                     Entry("mlir_prof", "1", rounds=[[9]], rows=split)],
                    "openvino", ["a", "b"], 1)
        self.assertEqual(race.rows["openvino_ps"], [5_000_000, 0])
        self.assertEqual(race.rows["openvino_fused_ps"], [9_000_000, 9_000_000])
        # Either may be faster in "b", according to what "y" takes.
        self.assertEqual(race.rows["best"], ["mlir_prof", ""])
        self.assertEqual(race.fused.to_list(), [
            {"framework": "openvino", "time_ps": 9_000_000, "modules": "a + b"}])
        self.assertEqual(race.totals["fused_ps"], [9_000_000, 0])
        self.assertIn("a + b", repr(race))
        self.assertIn("5.000 us + 9.000 us fused with others", race.picture().svg)
        self.assertEqual(json.loads(race.to_json())["fused"], race.fused.to_list())


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

    def test_who_takes_too_long_says_so(self):
        result = mlir_prof.race(self.model, self.x, frameworks=["mlir_prof"],
                                timeout=0.001, progress=False)
        self.assertIn("took more than 0.001 s; hint:", result.times["note"][0])

    def test_who_crashes_says_so(self):
        process = _process.Process("any", 1, 60)
        self.addCleanup(process.close)
        with mock.patch.object(process, "_process", subprocess.Popen(
                ["sh", "-c", "kill -SEGV $$"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)):
            with self.assertRaisesRegex(_forms.Unavailable, "ended by SIGSEGV"):
                process.ask("time", seconds=1)
            process._process.communicate()

    def test_arguments_are_made_up(self):
        result = mlir_prof.race(self.model, frameworks=["mlir_prof"], rounds=1,
                                seconds=0.01, profile=False, progress=False)
        self.assertEqual(result.times["note"], [""])
        with self.assertRaisesRegex(ValueError, "argument 'x' has no array"):
            _forms.make_examples([Value("x", "float32", (None, 3))])

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
        with mock.patch.object(_run.importlib.util, "find_spec", lambda name: None):
            result = mlir_prof.race(self.model, self.x, progress=False)
        self.assertTrue(all("not installed" in entry.reason for entry in result.entries))
        self.assertIn("pip install iree-base-compiler iree-base-runtime",
                      result.times["note"][contestants.CONTESTANTS.index("iree")])


if __name__ == "__main__":
    unittest.main()
