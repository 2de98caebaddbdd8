# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch and JAX as callables, files and profiles."""

import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jax
import jax.numpy as jnp
import numpy
import torch

import mlir_prof


class Pair(torch.nn.Module):
    """Keywords, nested arguments, and a dictionary with a constant in it."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 4)

    def forward(self, x, parts, scale=1.0):
        y = self.layer(x) * scale
        return {"sum": y + parts["left"], "more": (parts["left"] - y, None)}


@dataclasses.dataclass
class State:
    mean: jax.Array
    count: jax.Array


jax.tree_util.register_dataclass(State, ["mean", "count"], [])


def update(state, x):
    count = state.count + x.shape[0]
    return State(state.mean + (x.sum(0) - x.shape[0] * state.mean) / count, count)


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)


class Torch(Scratch):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        self.module = Pair().eval()
        self.call = (torch.randn(5, 8), {"left": torch.randn(5, 4)})

    def compile(self, **options):
        return mlir_prof.compile(self.module, *self.call, scale=2.0, progress=False,
                                 **options)

    def check(self, model, arguments):
        found = model(*arguments, scale=2.0)
        expected = self.module(*arguments, scale=2.0)
        self.assertEqual(set(found), {"sum", "more"})
        self.assertIsNone(found["more"][1])
        for one, other in ((found["sum"], expected["sum"]),
                           (found["more"][0], expected["more"][0])):
            self.assertIsInstance(one, torch.Tensor)
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)

    def test_calls_files_and_processes(self):
        model = self.compile()
        self.check(model, self.call)
        saved = model.save(self.folder / "pair.mprof")
        self.check(mlir_prof.load(saved), self.call)
        with self.assertLogs("mlir_prof", "WARNING"):
            isolated = mlir_prof.load(saved, trust=False)
        self.check(isolated, self.call)
        with self.assertRaises(TypeError):
            model(self.call[0], {"right": self.call[1]["left"]}, scale=2.0)

    def test_dynamic_sizes(self):
        rows = torch.export.Dim("rows")
        model = self.compile(dynamic_shapes={
            "x": {0: rows}, "parts": {"left": {0: rows}}, "scale": None})
        for size in (1, 5, 33):
            self.check(model, (torch.randn(size, 8), {"left": torch.randn(size, 4)}))

    def test_gradients_and_numpy_and_out(self):
        module = torch.nn.Linear(8, 4).eval()
        x = torch.randn(3, 8)
        model = mlir_prof.compile(module, x, progress=False)
        expected = module(x).detach()
        torch.testing.assert_close(model(x.clone().requires_grad_()), expected)
        found = model(x.numpy())
        self.assertIsInstance(found, numpy.ndarray)
        numpy.testing.assert_allclose(found, expected.numpy(), rtol=1e-5, atol=1e-6)
        out = torch.empty(3, 4)
        self.assertIs(model(x, out=out), out)
        torch.testing.assert_close(out, expected)

    def test_memory_is_shared(self):
        class Identity(torch.nn.Module):
            def forward(self, x):
                return x + 0.0
        x = torch.zeros(64)
        model = mlir_prof.compile(Identity(), x, progress=False)
        y = model(x)
        self.assertNotEqual(y.data_ptr(), x.data_ptr())
        x += 1
        self.assertTrue((model(x) == 1).all())
        self.assertTrue((y == 0).all())

    def test_other_types(self):
        class Half(torch.nn.Module):
            def forward(self, x):
                return x * 2
        for dtype in (torch.bfloat16, torch.float16, torch.float64, torch.int64):
            x = torch.arange(6).to(dtype).reshape(2, 3)
            model = mlir_prof.compile(Half(), x, progress=False)
            found = model(x)
            self.assertEqual(found.dtype, dtype)
            torch.testing.assert_close(found, x * 2)

    def test_profiles_have_module_paths_and_lines(self):
        profile = mlir_prof.record(self.compile(), *self.call, scale=2.0, seconds=0.5,
                                   progress=False)
        self.assertTrue(any("layer" in row["key"].split("/")
                            for row in profile.report("module-path", all=True)))
        lines = profile.report("source", all=True)
        self.assertTrue(any(row["file"] and row["file"].endswith("test_models.py")
                            for row in lines), lines)

    def test_optimizing(self):
        model = mlir_prof.optimize(self.module, *self.call, scale=2.0, budget=30,
                                   progress=False)
        self.check(model, self.call)
        self.assertIn("receipts", model.receipts.document["schema"])

    def test_the_program_takes_exported_programs(self):
        path = self.folder / "linear.pt2"
        torch.export.save(torch.export.export(torch.nn.Linear(8, 4).eval(),
                                              (torch.randn(3, 8),)), path)
        profile, package = self.folder / "linear.mlprof", self.folder / "package"

        def run(verb, *arguments):
            result = subprocess.run(
                [sys.executable, "-W", "ignore", "-m", "mlir_prof", verb, path, *arguments],
                capture_output=True, text=True, env=dict(
                    os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))))
            self.assertEqual(result.returncode, 0, result.stderr)
        run("record", "--mode=time", "--iterations=3", "-o", profile)
        self.assertEqual(mlir_prof.open(profile).runs["iterations"], [3])
        run("deploy", "--target=cortex-m4", "--name=linear", "-o", package)
        header = (package / "linear.h").read_text()
        self.assertIn(f"#define LINEAR_ARGUMENT0_BYTES {3 * 8 * 4}\n", header)
        self.assertIn(f"#define LINEAR_RESULT0_BYTES {3 * 4 * 4}\n", header)


class Jax(Scratch):
    def test_calls_and_files(self):
        state = State(jnp.zeros(4), jnp.float32(2))
        x = jnp.arange(12, dtype=jnp.float32).reshape(3, 4)
        model = mlir_prof.compile(update, state, x, progress=False)
        expected = update(state, x)
        for one in (model, mlir_prof.load(model.save(self.folder / "update.mprof"))):
            found = one(state, x)
            self.assertIsInstance(found, State)
            self.assertIsInstance(found.mean, jax.Array)
            numpy.testing.assert_allclose(found.mean, expected.mean, rtol=1e-5)
            self.assertEqual(found.count, 5)
        profile = mlir_prof.record(model, state, x, seconds=0.2, progress=False)
        self.assertGreater(profile.runs["iterations"][0], 0)


if __name__ == "__main__":
    unittest.main()
