# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX."""

import json
import unittest

import jax
import jax.numpy as jnp
import numpy

from common import STEPS, FrameworkTest, mlir_prof


def make_layers():
    generator = numpy.random.default_rng(0)
    weights = [jnp.asarray(generator.standard_normal((256, 256)), jnp.float32)
               for _ in range(2)]
    return weights, jnp.ones((64, 256), jnp.float32)


def layers(weights, x):
    with jax.named_scope("first"):
        x = jax.nn.gelu(x @ weights[0], approximate=False)
    with jax.named_scope("second"):
        return jax.nn.softmax(x @ weights[1])


class Jax(FrameworkTest):
    def test_model(self):
        captured = mlir_prof.capture.jax(layers, *make_layers(), steps=STEPS,
                                         folder=self.scratch / "out")
        self.assertEqual(captured.notes, [])
        self.check(captured, 0.99)
        rows = self.report(captured, "op")["rows"]
        dots = {row["location"]: row["count"] for row in rows
                if row["op"] == "stablehlo.dot_general"}
        self.assertEqual(dots, {"jit(layers)/first/dot_general": STEPS,
                                "jit(layers)/second/dot_general": STEPS})
        steps = self.report(captured, "step")["rows"]
        self.assertEqual(len(steps), STEPS)

    def test_profile_belongs_to_linalg(self):
        captured = mlir_prof.capture.jax(layers, *make_layers(), steps=STEPS,
                                         folder=self.scratch / "out")
        report = self.report(captured, "op", captured.linalg)
        self.assertGreaterEqual(self.joined(report), 0.99)
        self.assertIn("linalg.matmul", {row["op"] for row in report["rows"]})

    def test_linalg_gives_the_same_result(self):
        weights, x = make_layers()
        captured = mlir_prof.capture.jax(layers, weights, x, steps=STEPS,
                                         folder=self.scratch / "out")
        self.run_linalg(captured, [*weights, x], layers(weights, x))

    def test_training_step_that_is_jitted_already(self):
        def loss(weights, x):
            return jnp.mean(layers(weights, x) ** 2)

        step = jax.jit(jax.value_and_grad(loss))
        captured = mlir_prof.capture.jax(step, *make_layers(), steps=STEPS,
                                         folder=self.scratch / "out")
        self.check(captured, 0.95)

    def test_a_loop(self):
        def loop(weights, x):
            def body(state):
                return state[0] + 1, jnp.tanh(state[1] @ weights[0])
            return jax.lax.while_loop(lambda state: state[0] < 3, body, (0, x))

        captured = mlir_prof.capture.jax(loop, *make_layers(), steps=STEPS,
                                         folder=self.scratch / "out")
        self.assertEqual(captured.notes, [])
        self.check(captured, 0.95)
        self.assertIn("scf.for", captured.linalg.read_text())
        rows = self.report(captured, "op")["rows"]
        # Three times per step.
        self.assertEqual([row["count"] for row in rows
                          if row["op"] == "stablehlo.dot_general"], [3 * STEPS])

    def test_what_has_no_linalg_says_so(self):
        captured = mlir_prof.capture.jax(
            lambda x: jnp.linalg.eigvals(x), jnp.ones((8, 8)), steps=STEPS,
            folder=self.scratch / "out")
        self.assertIsNone(captured.linalg)
        self.assertRegex(captured.notes[0], "no linalg.mlir: .*geev")

    def test_weights_of_the_function_itself_stand_in_linalg_only(self):
        weights, x = make_layers()
        captured = mlir_prof.capture.jax(lambda x: layers(weights, x), x,
                                         steps=STEPS, folder=self.scratch / "out")
        self.check(captured, 0.99)
        self.assertLess(captured.mlir.stat().st_size, 20000)
        self.assertGreater(captured.linalg.stat().st_size, 2 * 256 * 256 * 8)

    def test_donated_arguments_are_refused(self):
        step = jax.jit(lambda x: x + 1, donate_argnums=0)
        with self.assertRaisesRegex(mlir_prof.capture.CaptureError, "donate"):
            mlir_prof.capture.jax(step, jnp.ones(4), folder=self.scratch / "out")
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_tracer_levels(self):
        found = []
        for level in (0, 1):
            captured = mlir_prof.capture.jax(
                layers, *make_layers(), steps=STEPS,
                folder=self.scratch / f"out{level}", python_tracer_level=level,
                host_tracer_level=2)
            record = json.loads((self.scratch / f"out{level}" /
                                 "capture.json").read_text())
            self.assertEqual(record["python_tracer_level"], level)
            found.append(b".py:" in captured.profiles[0].read_bytes())
        self.assertEqual(found, [False, True])

    def test_document(self):
        self.run_document("jax")


if __name__ == "__main__":
    unittest.main()
