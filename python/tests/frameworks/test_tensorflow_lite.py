# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of TensorFlow Lite, against its interpreter."""

import os
import random
import subprocess
import sys
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy
import tensorflow as tf

from common import FrameworkTest, mlir_prof

layers = tf.keras.layers


def numbers(*shape):
    return numpy.random.default_rng(0).standard_normal(shape).astype("float32")


def make_network():
    return tf.keras.Sequential([
        layers.Input((12, 12, 3)), layers.Conv2D(8, 3, activation="relu"),
        layers.BatchNormalization(), layers.MaxPooling2D(),
        layers.DepthwiseConv2D(3, padding="same"), layers.ReLU(6),
        layers.GlobalAveragePooling2D(), layers.Dense(5, activation="softmax")])


def convert(model, element=None):
    """The bytes of a Keras model, quantized to `element` if that is given."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if element:
        shape = (1, *model.inputs[0].shape[1:])
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([numbers(*shape) * scale]
                                                    for scale in (0.5, 1, 2))
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = element
    return converter.convert()


def convert_function(function, *shapes):
    concrete = tf.function(function).get_concrete_function(
        *(tf.TensorSpec(shape) for shape in shapes))
    return tf.lite.TFLiteConverter.from_concrete_functions([concrete]).convert()


def interpret(content, *arguments):
    """The results of TensorFlow Lite's reference kernels."""
    interpreter = tf.lite.Interpreter(
        model_content=content, experimental_op_resolver_type=tf.lite.experimental.
        OpResolverType.BUILTIN_REF)
    for detail, argument in zip(interpreter.get_input_details(), arguments):
        interpreter.resize_tensor_input(detail["index"], argument.shape)
    interpreter.allocate_tensors()
    for detail, argument in zip(interpreter.get_input_details(), arguments):
        interpreter.set_tensor(detail["index"], argument)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"])
            for detail in interpreter.get_output_details()]


class TensorFlowLite(FrameworkTest):
    def write(self, content):
        path = self.scratch / "model.tflite"
        path.write_bytes(content)
        return path

    def check(self, content, *arguments):
        model = mlir_prof.compile(self.write(content), *arguments, progress=False)
        got = model(*arguments)
        self.assert_arrays_near(got if isinstance(got, tuple) else [got],
                                interpret(content, *arguments))
        return model

    def test_numbers_in_floating_point(self):
        model = self.check(convert(make_network()), numbers(1, 12, 12, 3))
        self.assertEqual([value.shape for value in model.arguments], [(1, 12, 12, 3)])

    def test_quantized_models_are_exact(self):
        for element in (tf.int8, tf.uint8):
            content = convert(make_network(), element)
            image = numpy.random.default_rng(1).integers(0, 120, (1, 12, 12, 3))
            image = image.astype(element.as_numpy_dtype)
            model = mlir_prof.compile(self.write(content), image, progress=False)
            got, (expected,) = model(image), interpret(content, image)
            self.assertEqual(got.dtype, expected.dtype)
            numpy.testing.assert_array_equal(got, expected)

    def test_open_sizes_are_those_of_the_example(self):
        content = convert(make_network())
        self.check(content, numbers(3, 12, 12, 3))
        path = self.write(content)
        with self.assertRaisesRegex(mlir_prof.FrontEndError, r"\[3, 9, 12, 3\].*hint"):
            mlir_prof.compile(path, numbers(3, 9, 12, 3), progress=False)
        self.assertEqual(mlir_prof.compile(path, progress=False).arguments[0].shape,
                         (1, 12, 12, 3))

    def test_layers(self):
        recurrent = tf.keras.Sequential([layers.Input((6, 4), batch_size=1),
                                         layers.LSTM(8), layers.Dense(4)])
        self.check(convert(recurrent), numbers(1, 6, 4))
        x = layers.Input((5, 16), batch_size=1)
        attention = tf.keras.Model(x, layers.LayerNormalization()(
            x + layers.MultiHeadAttention(2, 8)(x, x)))
        self.check(convert(attention), numbers(1, 5, 16))

    def test_names_and_several_results(self):
        left, right = (layers.Input((4,), batch_size=1, name=name)
                       for name in ("left", "right"))
        content = convert(tf.keras.Model([left, right], [left * right, left - right]))
        x, y = numbers(1, 4), numbers(1, 4) + 1
        model = self.check(content, x, y)
        self.assertEqual([value.name for value in model.arguments], ["left", "right"])
        self.assertEqual(len(model(left=x, right=y)), 2)

    def test_what_the_converter_approximates_or_lacks(self):
        x = numbers(4, 8) * 3
        for function in (tf.nn.gelu, lambda x: tf.nn.gelu(x, approximate=True),
                         lambda x: tf.nn.gelu(tf.nn.gelu(x, approximate=True)) + x,
                         lambda x: tf.nn.l2_normalize(x, 1),
                         lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32) + x,
                         lambda x: (x % 0.75, x % -tf.abs(x[:1]))):
            self.check(convert_function(function, (4, 8)), x)

    def test_ops_without_tosa_are_refused(self):
        content = convert_function(lambda x: tf.math.top_k(x, 2)[0], (4, 8))
        with self.assertRaisesRegex(mlir_prof.FrontEndError, r"tfl\.topk_v2.*hint"):
            mlir_prof.compile(self.write(content), progress=False)

    def test_damaged_files_are_errors(self):
        content = convert(make_network())
        chance = random.Random(0)
        damaged = [content[:300], b"", b"\0" * 64, b"\x10\0\0\0TFL3" + b"\xff" * 64]
        for _ in range(4):
            copy = bytearray(content)
            for _ in range(20):
                copy[chance.randrange(len(copy))] = chance.randrange(256)
            damaged.append(bytes(copy))
        for each in damaged:
            path = self.write(each)
            try:
                mlir_prof.compile(path, progress=False)
            except (mlir_prof.FrontEndError, mlir_prof.ToolError) as error:
                self.assertIn("hint", str(error))

    def test_the_program_takes_files(self):
        path, profile = self.write(convert(make_network())), self.scratch / "p.mlprof"
        subprocess.run([sys.executable, "-m", "mlir_prof", "record", path, "-o", profile],
                       check=True, capture_output=True)
        table = mlir_prof.run("report", profile, "--by=module-path", "--format=csv")
        self.assertRegex(table, "conv2d.*/")


if __name__ == "__main__":
    unittest.main()
