# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow."""

import json
import os
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf

from common import STEPS, FrameworkTest, mlir_prof


def make_model(jit_compile):
    first = tf.Variable(tf.random.normal((256, 256), seed=0))
    second = tf.Variable(tf.random.normal((256, 256), seed=1))

    @tf.function(jit_compile=jit_compile)
    def model(x):
        with tf.name_scope("first"):
            x = tf.nn.tanh(tf.matmul(x, first))
        with tf.name_scope("second"):
            return tf.nn.softmax(tf.matmul(x, second))

    return model, tf.ones((64, 256))


class TensorFlow(FrameworkTest):
    def record(self, function, *arguments):
        return mlir_prof.capture.tensorflow(function, *arguments, steps=STEPS,
                                            folder=self.scratch / "out")

    def test_graph(self):
        captured = self.record(*make_model(False))
        self.assertEqual(captured.notes, [])
        report = self.check(captured, 0.99)
        self.assertEqual({row["location"]: row["count"]
                          for row in report["rows"]
                          if row["op"] == "tf.MatMul"},
                         {"first/MatMul": STEPS, "second/MatMul": STEPS})
        self.assertEqual(len(self.report(captured, "step")["rows"]), STEPS)

    def test_compiled_by_xla(self):
        captured = self.record(*make_model(True))
        self.assertEqual(captured.notes, [])
        self.check(captured, 0.99)
        rows = self.report(captured, "op")["rows"]
        self.assertEqual({row["location"]: row["count"] for row in rows
                          if row["op"] == "tf.MatMul"},
                         {"first/MatMul": STEPS, "second/MatMul": STEPS})
        report = self.report(captured, "op", captured.linalg)
        self.assertGreaterEqual(self.joined(report), 0.99)

    def test_linalg_gives_the_same_result(self):
        model, x = make_model(False)
        captured = self.record(model, x)
        # Variables follow the arguments.
        variables = model.get_concrete_function(x).captured_inputs
        values = [tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
                  for handle in variables]
        self.run_linalg(captured, [x.numpy(), *(v.numpy() for v in values)],
                        model(x).numpy())

    def test_training_step_of_a_python_function(self):
        weight = tf.Variable(tf.random.normal((256, 256), seed=0))

        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.tanh(tf.matmul(x, weight)) ** 2)
            weight.assign_sub(0.1 * tape.gradient(loss, weight))
            return loss

        captured = self.record(step, tf.ones((64, 256)))
        report = self.check(captured, 0.95)
        self.assertEqual(self.counts(report, ".*MatMul(_1)?"), [STEPS, STEPS])

    def test_keras_model(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"),
                                     tf.keras.layers.Dense(8)])
        captured = self.record(model, tf.ones((32, 128)))
        self.check(captured, 0.9)

    def test_what_xla_lacks_has_no_linalg_and_says_so(self):
        def lengths(x):
            return tf.strings.length(tf.strings.as_string(x))

        captured = self.record(lengths, tf.ones((64, 64)))
        self.check(captured, 0.95, has_linalg=False)

    def test_tracer_levels(self):
        function, *arguments = make_model(False)
        captured = mlir_prof.capture.tensorflow(
            function, *arguments, steps=STEPS, folder=self.scratch / "out",
            python_tracer_level=1, host_tracer_level=2, device_tracer_level=0)
        record = json.loads((self.scratch / "out" / "capture.json").read_text())
        self.assertEqual(record["python_tracer_level"], 1)
        # TensorFlow 2.21 ignores the levels that it takes.
        notes = [note for note in captured.notes if "python_tracer_level" in note]
        self.assertEqual(b".py:" in captured.profiles[0].read_bytes(), not notes)

    def test_document(self):
        self.run_document("tensorflow")


if __name__ == "__main__":
    unittest.main()
