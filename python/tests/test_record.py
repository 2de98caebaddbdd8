# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recording and optimizing from Python: progress, notes, and Ctrl-C."""

import json
import logging
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import numpy

import mlir_prof
from mlir_prof import _child, _progress
from model_common import COUNTER, LAYER, Compiled

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/lib"))
from json_schema import Schema  # noqa: E402


def make_arguments():
    random = numpy.random.default_rng(0)
    return [random.standard_normal(shape, dtype=numpy.float32)
            for shape in ((64, 16), (16, 8), (8,))]


class Bars:
    """Stands for tqdm."""

    def __init__(self):
        self.made = []

    def __call__(self, **named):
        bar = mock.Mock()
        bar.named = named
        self.made.append(bar)
        return bar


def wait_for_child(pid):
    """The first child of the main thread of a process, once there is one."""
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    while not path.read_text().split():
        time.sleep(0.01)
    return path.read_text().split()[0]


class Recording(Compiled):
    def record(self, model, *arguments, **options):
        return mlir_prof.record(model, *arguments, seconds=0.2, progress=False,
                                **options)

    def test_models_and_what_becomes_one(self):
        arguments = make_arguments()
        path = self.folder / "layer.mlir"
        path.write_text(LAYER)
        for model in (self.compile(LAYER), LAYER, path):
            profile = self.record(model, *arguments)
            rows = profile.report("module-path", all=True)
            self.assertLessEqual({"layer", "layer/product", "layer/relu"},
                                 set(rows["key"]))
            self.assertEqual(len(profile.runs), 1)

    def test_arguments_are_those_of_the_call(self):
        x, w, b = make_arguments()
        self.record(self.compile(LAYER), x, w=w, b=b,
                    options={"save_results": self.folder})
        numpy.testing.assert_allclose(
            numpy.load(self.folder / "result0.npy"),
            numpy.maximum(x.astype("f8") @ w + b, 0), rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(TypeError, "'b' is missing"):
            self.record(self.compile(LAYER), x, w)

    def test_modes(self):
        arguments = make_arguments()
        timed = self.record(LAYER, *arguments, mode="time")
        self.assertEqual(timed.runs["samples"], [0])
        model = self.compile(LAYER)
        exact = self.record(model, *arguments, mode="instrument",
                            options={"instrument": "all", "no_peak": True})
        loops = exact.report("loop")
        self.assertGreater(len(loops), 0)
        self.assertTrue(all(row["executions"] for row in loops))
        with self.assertRaisesRegex(mlir_prof.ToolError, "nothing"):
            self.record(model, *arguments, mode="nothing")
        with self.assertRaisesRegex(ValueError, "seconds is 0"):
            mlir_prof.record(model, *arguments, seconds=0)

    def test_notes_go_to_the_log(self):
        with self.assertLogs("mlir_prof", "INFO") as logs:
            self.record(COUNTER)
        self.assertTrue(any("iterations" in line for line in logs.output))

    def test_ctrl_c_keeps_what_was_measured(self):
        program = """
import numpy, signal, sys, mlir_prof
# Shells start jobs in the background with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
model = mlir_prof.compile(sys.argv[1], progress=False)
print("ready", flush=True)
profile = mlir_prof.record(model, seconds=60, progress=False)
print(profile.runs["iterations"][0] > 0)
"""
        child = subprocess.Popen(
            [sys.executable, "-c", program, COUNTER], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(
                os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))))
        self.assertEqual(child.stdout.readline(), "ready\n")
        # The tool, and then the process in which the model runs.
        wait_for_child(wait_for_child(child.pid))
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=50)
        self.assertEqual(output, "True\n", errors)
        self.assertIn("the recording was stopped", errors)


class Optimizing(Compiled):
    def test_the_result_is_right_and_has_receipts(self):
        arguments = make_arguments()
        model = self.compile(LAYER)
        bars = Bars()
        with self.assertLogs("mlir_prof", "INFO"):
            logging.getLogger("mlir_prof").info("begin")
            faster = mlir_prof.optimize(model, *arguments, budget=40, progress=bars)
        numpy.testing.assert_allclose(faster(*arguments), model(*arguments),
                                      rtol=1e-5, atol=1e-6)
        self.assertEqual(faster.receipts.document["schema"].split("/")[0],
                         "mlir-prof.receipts")
        self.assertIsNone(model.receipts)
        searching = next(bar for bar in bars.made if bar.named["desc"] == "optimize")
        self.assertEqual(searching.named["total"], 40)
        self.assertTrue(searching.close.called)
        notes = [call.args[0] for call in searching.set_postfix_str.call_args_list]
        self.assertTrue(any("tried" in note for note in notes), notes)
        mlir_prof.load(faster.save(self.folder / "faster.mprof"))(*arguments)

    def test_progress_is_as_its_schema_says(self):
        path = self.folder / "layer.mlir"
        path.write_text(LAYER)
        result = subprocess.run(
            [mlir_prof.find_tool(), "optimize", path, "--shape=x=64x16", "--budget=20",
             "--progress=json", "-o", self.folder / "o.mlir"], text=True,
            capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line for line in result.stderr.splitlines() if line[:1] == "{"]
        self.assertGreater(len(lines), 0)
        schema = Schema(json.loads(
            (ROOT / "docs/schemas/progress.json").read_text()))
        for line in lines:
            self.assertIsNone(schema.find_error(json.loads(line)))


class Waiting(unittest.TestCase):
    """Bars and signals, with a program that stands for the tool."""

    def run_child(self, program, bar=None, **options):
        with mock.patch.object(_child, "find_tool", lambda: sys.executable):
            return _child.run(["-c", program], bar or _progress.Bar(False, "x"),
                              **options)

    def test_short_work_does_not_have_a_bar(self):
        bars = Bars()
        with _progress.show(bars, "work") as bar:
            self.run_child("pass", bar)
        self.assertEqual(bars.made, [])

    def test_long_work_has_one(self):
        bars = Bars()
        with _progress.show(bars, "work", 3) as bar:
            begin = time.monotonic()
            self.run_child("import time; time.sleep(1.5)", bar)
            passed = time.monotonic() - begin
        shown, = bars.made
        self.assertEqual(shown.named["desc"], "work")
        seconds = sum(call.args[0] for call in shown.update.call_args_list)
        self.assertTrue(0 < seconds <= min(passed, 3), seconds)
        self.assertTrue(shown.close.called)

    def test_output_errors_and_notes(self):
        program = ("import sys; print('out'); sys.stderr.write('mlir-prof: warning: "
                   "first\\n  second\\nmlir-prof: note: third\\n')")
        with self.assertLogs("mlir_prof", "INFO") as logs:
            self.assertEqual(self.run_child(program).output, "out\n")
        self.assertEqual(logs.output, ["WARNING:mlir_prof:first\n  second",
                                       "INFO:mlir_prof:third"])
        with self.assertRaisesRegex(mlir_prof.ToolError, "^why\n  hint: so$") as raised:
            self.run_child("import sys; sys.stderr.write('why\\n  hint: so\\n'); "
                           "sys.exit(7)")
        self.assertEqual(raised.exception.code, 7)

    def interrupt(self, program, **options):
        """Sends SIGINT once the child has the file READY."""
        with tempfile.TemporaryDirectory() as folder:
            ready = pathlib.Path(folder, "ready")

            def stop():
                while not ready.exists():
                    time.sleep(0.01)
                os.kill(os.getpid(), signal.SIGINT)

            thread = threading.Thread(target=stop)
            thread.start()
            try:
                return self.run_child(program.replace("READY", repr(str(ready))),
                                      **options)
            finally:
                thread.join()

    def test_ctrl_c(self):
        # Shells start jobs in the background with interrupts ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        stops = ("import signal, sys, time\n"
                 "signal.signal(signal.SIGINT, lambda *_: (print('kept'), sys.exit(130)))\n"
                 "open(READY, 'w').close()\n"
                 "time.sleep(600)")
        result = self.interrupt(stops, keeps=True)
        self.assertEqual(result, ("kept\n", True))
        with self.assertRaises(KeyboardInterrupt):
            self.interrupt(stops)
        with self.assertRaises(KeyboardInterrupt):
            self.interrupt(stops.replace("130", "1"), keeps=True)


if __name__ == "__main__":
    unittest.main()
