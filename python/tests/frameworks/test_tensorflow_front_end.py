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

    def test_constants_of_booleans(self):
        mask = tf.constant([[place % 3 == 0 or place % 5 == row for place in range(8)]
                            for row in range(4)])
        self.check(tf.function(lambda x: tf.where(mask, x, 0.0)), X)

    def test_what_xla_lacks_is_refused(self):
        with self.assertRaisesRegex(frontends.FrontEndError, "AsString.*hint"):
            self.lower(tf.function(lambda x: tf.strings.length(
                tf.strings.as_string(x))), X)

    def compare_calls(self, function, *arguments, calls=3):
        """The model, and the function after it, change as many times in the same way."""
        model = mlir_prof.compile(function, *arguments, progress=False)
        results = [model(*arguments) for _ in range(calls)]
        for result in results:
            self.assert_arrays_near(tf.nest.flatten(result),
                                    tf.nest.flatten(function(*arguments)))
        return model

    def test_variables_that_calls_change(self):
        count, weight = tf.Variable(1, dtype=tf.int64), tf.Variable(X)

        @tf.function
        def model(x):
            weight.assign_add(x * tf.cast(count.assign_add(2), tf.float32))
            return tf.reduce_sum(weight), count + 0

        compiled = self.compare_calls(model, X)
        self.assertEqual([value.name for value in compiled.arguments], ["x"])

    def test_training_steps(self):
        for optimizer in (tf.keras.optimizers.SGD(0.1, momentum=0.9),
                          tf.keras.optimizers.Adam(0.01)):
            tf.keras.utils.set_random_seed(0)
            model = tf.keras.Sequential([layers.Input((8,)), layers.Dense(4, "tanh"),
                                         layers.Dense(1)])
            optimizer.build(model.trainable_variables)

            @tf.function
            def step(x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x, training=True) ** 2)
                gradients = tape.gradient(loss, model.trainable_variables)
                optimizer.apply_gradients(zip(gradients, model.trainable_variables))
                return loss

            self.compare_calls(step, X)

    def test_statistics_of_batches(self):
        layer = layers.BatchNormalization()
        layer.build(X.shape)
        self.compare_calls(tf.function(lambda x: (layer(x, training=True), layer(x))), X)

    def test_named_tuples(self):
        model = mlir_prof.compile(tf.function(lambda x: tf.math.top_k(x, 2)), X,
                                  progress=False)
        values, indices = model(X)
        expected = tf.math.top_k(X, 2)
        self.assert_arrays_near([values, indices], list(expected))
        self.assertIsInstance(model(X), tuple)

    def test_arguments_whose_values_xla_needs_are_refused(self):
        with self.assertRaisesRegex(frontends.FrontEndError, "values.*hint"):
            self.lower(tf.function(lambda x, n: tf.reshape(tf.range(n), (2, -1))),
                       X, tf.constant(4))

    def test_sizes_that_data_decide_are_refused(self):
        """With the operator that decides, its place, and a hint."""
        @tf.function
        def model(x):
            with tf.name_scope("chosen"):
                return tf.reduce_sum(tf.boolean_mask(x, x > 0))

        with self.assertRaisesRegex(
                frontends.FrontEndError,
                "data decide.*chosen/boolean_mask/Where.*front_end.py:.*hint: keep all"):
            self.lower(model, X)

    def test_values_that_functions_are_traced_for(self):
        model = mlir_prof.compile(tf.function(lambda x, n, b: x * n if b else x), X, 3,
                                  True, progress=False)
        self.assert_arrays_near([model(X, 3, True)], [X * 3])
        with self.assertRaisesRegex(TypeError, "compiled for"):
            model(X, 4, True)

    def test_gradients_of_pooling(self):
        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_sum(tf.nn.max_pool2d(x, 3, 2, "SAME") ** 2)
            return tape.gradient(loss, x)

        self.check(tf.function(gradient), tf.reshape(X, (1, 4, 4, 2)))

    def test_tables_are_refused(self):
        table = tf.keras.layers.IntegerLookup(vocabulary=[3, 5])
        with self.assertRaisesRegex(frontends.FrontEndError, "Lookup.*hint"):
            self.lower(tf.function(table), tf.constant([[3, 7]], tf.int64))

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
