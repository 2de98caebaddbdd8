# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests without a framework: arguments, folders, errors, text of modules."""

import json
import os
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import mlir_prof
from mlir_prof.capture import (CaptureError, MissingPackage, _jax, _mlir, _onnx,
                               _tensorflow)
from mlir_prof.capture._result import choose_levels, draft


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)


def fill(folder, text="module", overwrite=False):
    """A capture without a framework."""
    with draft(folder, overwrite) as made:
        made.mlir = made.write("model.mlir", text)
        made.profiles.append(made.write("profile.json", "[]"))
        made.add_option("--onnx", "model.onnx")
        made.notes.append("a note")
    return made.result


class Levels(unittest.TestCase):
    def test_levels_are_numbers(self):
        for levels in (dict(host_tracer_level=-1), dict(host_tracer_level="2")):
            with self.assertRaisesRegex(ValueError, "host_tracer_level"):
                choose_levels(levels)
        self.assertEqual(choose_levels(dict(a=None, b=0)), dict(b=0))

    def test_jax_gets_them(self):
        options = mock.Mock(spec=["ProfileOptions"])
        jax = mock.Mock(profiler=options, __version__="0.4.0")
        with mock.patch.dict(sys.modules, jax=jax):
            given = _jax.make_options(dict(python_tracer_level=1))
            self.assertIs(given["profiler_options"],
                          options.ProfileOptions.return_value)
            self.assertEqual(given["profiler_options"].python_tracer_level, 1)
            self.assertEqual(_jax.make_options({}), {})
            del options.ProfileOptions.return_value.device_tracer_level
            with self.assertRaisesRegex(CaptureError, "device_tracer_level"):
                _jax.make_options(dict(device_tracer_level=1))
            del options.ProfileOptions
            with self.assertRaisesRegex(CaptureError, "tracer levels"):
                _jax.make_options(dict(python_tracer_level=1))

    def test_tensorflow_gets_them(self):
        tf = mock.MagicMock()
        _tensorflow.record(tf, lambda: None, [], "log", 1, 0,
                           dict(host_tracer_level=2))
        profiler = tf.profiler.experimental
        profiler.ProfilerOptions.assert_called_once_with(host_tracer_level=2)
        profiler.start.assert_called_once_with(
            "log", profiler.ProfilerOptions.return_value)


class Drafts(Folder):
    def test_result_names_files_of_the_folder(self):
        folder = self.scratch / "deep" / "out"
        result = fill(folder)
        self.assertEqual(result.mlir.read_text(), "module")
        self.assertEqual(result.profiles, [folder / "profile.json"])
        self.assertEqual(result.options, [f"--onnx={folder}/model.onnx"])
        self.assertIsNone(result.linalg)
        self.assertEqual(result.notes, ["a note"])
        record = json.loads((folder / "capture.json").read_text())
        self.assertEqual(record["mlir"], "model.mlir")
        self.assertEqual(record["options"], ["--onnx=model.onnx"])
        self.assertEqual(list(folder.parent.iterdir()), [folder])

    def test_nothing_is_left_of_a_failure(self):
        with self.assertRaises(ZeroDivisionError):
            with draft(self.scratch / "out", False) as made:
                made.write("model.mlir", "half")
                1 / 0
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_a_failure_keeps_what_was_there(self):
        result = fill(self.scratch / "out", "first")
        with self.assertRaises(ZeroDivisionError):
            with draft(result.folder, True) as made:
                made.write("model.mlir", "second")
                1 / 0
        self.assertEqual(result.mlir.read_text(), "first")
        self.assertEqual(list(self.scratch.iterdir()), [result.folder])

    def test_a_capture_is_replaced_whole_and_only_when_asked(self):
        result = fill(self.scratch / "out", "first")
        (result.folder / "linalg.mlir").write_text("old")
        with self.assertRaisesRegex(CaptureError, "overwrite=True"):
            fill(result.folder)
        self.assertEqual(fill(result.folder, "second", True).mlir.read_text(),
                         "second")
        self.assertFalse((result.folder / "linalg.mlir").exists())
        self.assertEqual(list(self.scratch.iterdir()), [result.folder])

    def test_other_folders_are_never_replaced(self):
        (self.scratch / "photo").write_text("dear")
        with self.assertRaisesRegex(CaptureError, "something else"):
            fill(self.scratch, overwrite=True)
        with self.assertRaisesRegex(CaptureError, "is a file"):
            fill(self.scratch / "photo", overwrite=True)
        self.assertEqual((self.scratch / "photo").read_text(), "dear")

    def test_an_empty_folder_may_be_filled(self):
        (self.scratch / "out").mkdir()
        self.assertTrue(fill(self.scratch / "out").mlir.exists())


class Arguments(Folder):
    def calls(self, **keywords):
        folder = self.scratch / "out"
        keywords = dict(folder=folder, **keywords)
        yield "jax", lambda: mlir_prof.capture.jax(abs, 1, **keywords)
        yield "tensorflow", lambda: mlir_prof.capture.tensorflow(abs, 1,
                                                                 **keywords)
        yield "torch", lambda: mlir_prof.capture.torch(abs, 1, **keywords)
        yield "onnx", lambda: mlir_prof.capture.onnx("m.onnx", {}, **keywords)

    def test_a_framework_that_is_missing_is_named_with_what_to_install(self):
        missing = dict.fromkeys(("jax", "tensorflow", "torch", "onnx"))
        with mock.patch.dict(sys.modules, missing):
            for name, call in self.calls():
                with self.assertRaisesRegex(
                        MissingPackage, f"mlir_prof.capture.{name} needs the "
                        f"package {name}.*pip install {name}"):
                    call()
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_steps_and_warmup_are_at_least_one(self):
        for _, call in self.calls(steps=0):
            self.assertRaisesRegex(ValueError, "steps is 0", call)
        for _, call in self.calls(warmup=0):
            self.assertRaisesRegex(ValueError, "compilation", call)

    def test_modes_are_named(self):
        with self.assertRaisesRegex(ValueError, "eager, compile, fx"):
            mlir_prof.capture.torch(abs, folder=self.scratch, mode="jit")
        with self.assertRaisesRegex(ValueError, "no backward pass"):
            mlir_prof.capture.torch(abs, folder=self.scratch, mode="fx",
                                    training=True)
        with self.assertRaisesRegex(ValueError, "disable, basic"):
            mlir_prof.capture.onnx("m.onnx", {}, self.scratch, optimization="O3")

    def test_nothing_is_imported_until_it_is_used(self):
        for name in ("jax", "tensorflow", "torch", "onnx", "torch_mlir"):
            self.assertNotIn(name, sys.modules)


class Text(unittest.TestCase):
    def test_ops_that_stock_mlir_opt_lacks_are_found(self):
        text = ('  %0:2 = "stablehlo.while"(%1) : () -> ()\n'
                "  %2 = chlo.erfc %1 : tensor<4xf32>\n"
                "  sdy.mesh @mesh = <[]>\n"
                "func.func @f(%arg0: !torch.vtensor<[2],f32>) {\n")
        self.assertEqual(_mlir.find_foreign(text), [
            "chlo.erfc", "sdy.mesh", "stablehlo.while", "torch.vtensor"])

    def test_names_in_locations_are_no_ops(self):
        text = ('  %0 = linalg.fill ins(%c) loc("jit(f)/stablehlo.while")\n'
                '#loc1 = loc("torch.aten.add")\n')
        self.assertEqual(_mlir.find_foreign(text), [])

    def test_a_note_has_the_first_error_in_one_line(self):
        self.assertEqual(_mlir.first_line(RuntimeError(
            "Lowering failed:\n x.mlir:1:2: error: no such op\nand more")),
            "no such op")
        self.assertEqual(_mlir.first_line(ValueError("one\ntwo")), "one")
        self.assertEqual(_mlir.first_line(KeyError()), "KeyError()")
        self.assertEqual(len(_mlir.first_line("long" * 1000)), 200)


class WarmUp(Folder):
    def cut(self, runs, warmup):
        events = [{"name": "session_initialization", "ts": 0, "dur": 5}]
        for run in range(runs):
            begin = 10 + 10 * run
            events += [{"name": f"node{run}", "ts": begin + 1, "dur": 2},
                       {"name": "model_run", "ts": begin, "dur": 8}]
        path = self.scratch / "profile.json"
        path.write_text(json.dumps(events))
        return [event["name"] for event in _onnx.cut_warmup(path, warmup, [])]

    def test_the_first_runs_are_left_out(self):
        self.assertEqual(self.cut(4, 2), ["session_initialization", "node2",
                                          "model_run", "node3", "model_run"])

    def test_there_must_be_more_runs(self):
        with self.assertRaisesRegex(CaptureError, "2 runs.*fewer steps"):
            self.cut(2, 2)


class Tool(Folder):
    def make_tool(self, script):
        path = self.scratch / "tool"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return mock.patch.dict(os.environ, MLIR_PROF=str(path))

    def test_what_it_prints_is_returned(self):
        with self.make_tool('echo "$@"\necho note >&2\n'):
            self.assertEqual(mlir_prof.run("report", pathlib.Path("a b")),
                             "report a b\n")

    def test_what_it_refuses_is_raised(self):
        with self.make_tool("echo error: no >&2\nexit 1\n"):
            with self.assertRaisesRegex(mlir_prof.ToolError, "error: no"):
                mlir_prof.run("report")

    def test_a_capture_is_imported_with_its_model_and_options(self):
        result = fill(self.scratch / "out")
        log = self.scratch / "log"
        with self.make_tool(f'echo "$@" > {log}\n'):
            result.import_profile(self.scratch / "m.mlprof")
        out = self.scratch / "out"
        self.assertEqual(
            log.read_text(), f"import {out}/profile.json "
            f"--model={out}/model.mlir --onnx={out}/model.onnx "
            f"-o {self.scratch}/m.mlprof\n")

    def test_a_tool_that_is_not_there_is_told(self):
        with mock.patch.dict(os.environ, MLIR_PROF="/no/such/tool"):
            with self.assertRaisesRegex(mlir_prof.ToolError, "/no/such/tool"):
                mlir_prof.find_tool()


if __name__ == "__main__":
    unittest.main()
