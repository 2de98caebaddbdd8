# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of the tests with real frameworks.

Each records a model, imports the recording with the written module, and
compares counts with the calls. Times are not compared, except the share that
has an op of the module.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
import mlir_prof

STEPS = 4

#: The tool's reason for events that are not ops.
AROUND = "unmatched: the framework's own work around ops"


def find_mlir_opt():
    """LLVM 22's mlir-opt: $MLIR_OPT, or as installed by Debian."""
    return (os.environ.get("MLIR_OPT") or shutil.which("mlir-opt-22") or
            "/usr/lib/llvm-22/bin/mlir-opt")


class FrameworkTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def parse(self, path):
        """Stock mlir-opt reads it, and prints it unchanged after a second
        pass."""
        def reprint(source):
            result = subprocess.run(
                [find_mlir_opt(), "--allow-unregistered-dialect",
                 "--mlir-print-debuginfo", "--mlir-print-op-generic", source],
                capture_output=True, encoding="utf-8")
            self.assertEqual(result.returncode, 0, result.stderr[:2000])
            return result.stdout
        once = reprint(path)
        again = self.scratch / "again.mlir"
        again.write_text(once, encoding="utf-8")
        self.assertEqual(reprint(again), once)
        return once

    def report(self, captured, by, model=None):
        """The report of the captured profile, by the tool."""
        profile = self.scratch / "profile.mlprof"
        if model:
            mlir_prof.run("import", *captured.profiles, f"--model={model}", "-o",
                          profile)
        else:
            captured.import_profile(profile)
        return json.loads(mlir_prof.run("report", profile, f"--by={by}",
                                        "--format=json"))

    def joined(self, report):
        """The share of the time of ops that belongs to ops of the module. The
        framework's time around them is excluded: on a busy machine it may take
        any time."""
        coverage = report["coverage"]
        around = sum(loss["time_ps"] for loss in report["losses"]
                     if loss["name"] == AROUND)
        time = coverage["op_time_ps"] - around
        self.assertGreater(time, 0)
        return 1 - (coverage["unmatched_ps"] - around + coverage["partial_ps"]) / time

    def check(self, captured, share, has_linalg=True):
        """Everything parses, and at least `share` of the time has an op."""
        self.parse(captured.mlir)
        self.assertEqual(captured.linalg is not None, has_linalg, captured.notes)
        if has_linalg:
            self.assertIn("linalg.", self.parse(captured.linalg))
        else:
            self.assertTrue(any("no linalg.mlir" in note
                                for note in captured.notes))
        report = self.report(captured, "op")
        self.assertGreaterEqual(self.joined(report), share)
        return report

    def run_linalg(self, captured, arguments, expected):
        """linalg.mlir, compiled and run by the tool, gives the same results as
        the framework."""
        inputs = []
        for place, value in enumerate(arguments):
            numpy.save(self.scratch / f"{place}.npy", value)
            inputs.append(f"--input={place}={self.scratch}/{place}.npy")
        numpy.save(self.scratch / "expected.npy", expected)
        mlir_prof.run("record", captured.linalg, *inputs, "--mode=time",
                      f"--compare={self.scratch}/expected.npy",
                      "--iterations=1", "-o", self.scratch / "linalg.mlprof")

    def run_source(self, source, arguments, keywords=None, threads=1):
        """The arrays of a front end's module, computed by the tool."""
        inputs = []
        for place, value in enumerate(source.flatten(arguments, keywords or {})):
            numpy.save(self.scratch / f"{place}.npy", numpy.asarray(value))
            inputs.append(f"--input={place}={self.scratch}/{place}.npy")
        folder = self.scratch / "results"
        mlir_prof.run("record", source.path, *inputs, "--mode=time", "--iterations=1",
                      f"--threads={threads}", f"--save-results={folder}",
                      "-o", self.scratch / "source.mlprof")
        return [numpy.load(folder / f"{value.name}.npy") for value in source.results]

    def assert_arrays_near(self, got, expected, tolerance=1e-5):
        """Relative to the largest finite element; others are alike."""
        self.assertEqual(len(got), len(expected))
        for one, other in zip(got, map(numpy.asarray, expected)):
            self.assertEqual(one.shape, other.shape)
            if one.dtype != other.dtype:  # NumPy's files lack the type.
                one = one.view(other.dtype)
            one, other = one.astype(complex), other.astype(complex)
            finite = numpy.isfinite(other)
            numpy.testing.assert_array_equal(one[~finite], other[~finite])
            if finite.any():
                self.assertLessEqual(numpy.abs(one - other)[finite].max(),
                                     tolerance * numpy.abs(other[finite]).max())

    def counts(self, report, pattern):
        """The counts of ops whose name matches, one number per op."""
        return sorted(row["count"] for row in report["rows"]
                      if re.fullmatch(pattern, row["op"]))

    def run_document(self, call):
        """Runs the examples of docs/frameworks.md that use `call`."""
        text = (ROOT / "docs" / "frameworks.md").read_text(encoding="utf-8")
        blocks = [block for block in
                  re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
                  if f"mlir_prof.capture.{call}(" in block]
        self.assertTrue(blocks, f"no example of {call}")
        for number, block in enumerate(blocks):
            # A file, since the frameworks read the source of functions.
            place = self.scratch / f"example{number}"
            place.mkdir()
            (place / "example.py").write_text(block, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, "example.py"], cwd=place, encoding="utf-8",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=dict(os.environ, PYTHONPATH=os.pathsep.join(
                    [str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])))
            self.assertEqual(result.returncode, 0, result.stdout[-3000:])
            self.assertIn("coverage of", result.stdout)
