# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow's front end: each model gives the results of TensorFlow."""

import os
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf

from common import FrameworkTest, mlir_prof
from mlir_prof import frontends

layers = tf.keras.layers
X = tf.random.stateless_normal((4, 8), (1, 2))


class FrontEnd(FrameworkTest):
    def lower(self, model, *examples, **keywords):
        folder = self.scratch / "source"
        folder.mkdir(exist_ok=True)
        return frontends.lower(model, frontends.Request(folder, examples, keywords))

    def check(self, model, *arguments, expected=None, **keywords):
        source = self.lower(model, *arguments, **keywords)
        got = self.run_source(source, arguments, keywords)
        if expected is None:
            expected = model(*arguments, **keywords)
        tf.nest.assert_same_structure(source.unflatten(got), expected)
        self.assert_arrays_near(got, tf.nest.flatten(expected))
        return source

    def test_weights_names_and_lines(self):
        weight = tf.Variable(tf.random.stateless_normal((8, 8), (3, 4)))

        @tf.function
        def model(x, y):
            with tf.name_scope("first"):
                return {"z": tf.tanh(tf.matmul(x, weight)) - y}

        source = self.check(model, X, y=X)
        self.assertEqual([value.name for value in source.arguments], ["x", "y"])
        text = source.path.read_text()
        self.assertRegex(text, r'"first/MatMul"\(.*\)')
        self.assertIn("test_tensorflow_front_end.py", text)

    def test_keras_models(self):
        self.check(tf.keras.Sequential([
            layers.Conv2D(8, 3, activation="relu"), layers.BatchNormalization(),
            layers.MaxPooling2D(), layers.DepthwiseConv2D(3), layers.Dropout(0.5),
            layers.GlobalAveragePooling2D(), layers.Dense(5)]),
            tf.random.stateless_normal((2, 16, 16, 3), (1, 2)))
        self.check(tf.keras.Sequential([layers.LSTM(8), layers.Dense(4)]),
                   tf.random.stateless_normal((2, 10, 6), (1, 2)))
        self.check(tf.keras.Sequential([layers.Embedding(50, 16),
                                        layers.LayerNormalization()]),
                   tf.constant([[1, 2, 3], [4, 5, 49]]))

    def test_saved_models(self):
        model = tf.keras.Sequential([layers.Input((8,), batch_size=4), layers.Dense(3)])
        for path in (self.scratch / "saved", self.scratch / "model.keras"):
            (model.save if path.suffix else model.export)(
                path, **({} if path.suffix else {"verbose": False}))
        self.check(self.scratch / "model.keras", X, expected=model(X))
        signature = tf.saved_model.load(self.scratch / "saved").signatures[
            "serving_default"]
        name, = signature.structured_input_signature[1]
        self.check(self.scratch / "saved", expected=signature(**{name: X}), **{name: X})

    def test_ops(self):
        self.check(tf.function(lambda x: (tf.sort(x), tf.math.top_k(x, 3))), X)
        self.check(tf.function(lambda x: tf.abs(tf.signal.rfft(x))), X)
        self.check(tf.function(lambda x: tf.math.erf(x)), X)
        self.check(tf.function(lambda x: tf.linalg.qr(tf.transpose(x))), X)
        self.check(tf.function(lambda x: tf.linalg.eigvalsh(x @ tf.transpose(x))), X)
        self.check(tf.function(lambda x: tf.linalg.cholesky(
            x @ tf.transpose(x) + 4 * tf.eye(4))), X)
        self.check(tf.function(lambda x: tf.map_fn(lambda r: tf.reduce_sum(r), x)), X)

    def test_batch_normalization_and_its_gradient(self):
        def normalize(x):
            return tf.compat.v1.nn.fused_batch_norm(
                tf.reshape(x, (1, 4, 2, 4)), tf.ones(4), tf.zeros(4))[:3]

        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_sum(normalize(x)[0] ** 3)
            return tape.gradient(loss, x)

        self.check(tf.function(normalize), X)
        self.check(tf.function(gradient), X)

    def test_what_xla_lacks_is_refused(self):
        with self.assertRaisesRegex(frontends.FrontEndError, "AsString.*hint"):
            self.lower(tf.function(lambda x: tf.strings.length(
                tf.strings.as_string(x))), X)

    def test_changes_of_variables_are_refused(self):
        count = tf.Variable(0.0)
        with self.assertRaisesRegex(frontends.FrontEndError, "variables.*hint"):
            self.lower(tf.function(lambda x: count.assign_add(tf.reduce_sum(x))), X)

    def test_other_arguments(self):
        source = self.lower(tf.function(lambda x: x + 1), X)
        with self.assertRaises(TypeError):
            source.flatten(((X, X),), {})

    def test_a_profile_has_module_paths(self):
        @tf.function
        def model(x):
            with tf.name_scope("layer"):
                return tf.tanh(tf.matmul(x, x))

        source = self.lower(model, tf.ones((128, 128)))
        profile = self.scratch / "run.mlprof"
        mlir_prof.run("record", source.path, "-o", profile)
        self.assertIn("layer/MatMul", mlir_prof.run(
            "report", profile, "--by=module-path", "--format=csv"))


if __name__ == "__main__":
    unittest.main()
