# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of ONNX Runtime (com.microsoft), against ONNX Runtime."""

import unittest

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from common import FrameworkTest, mlir_prof
from mlir_prof.frontends import FrontEndError


def numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).standard_normal(shape).astype("float32")


def bytes_of(*shape, seed=0):
    return numpy.random.default_rng(seed).integers(0, 255, shape).astype("uint8")


def scalar(value, dtype="float32"):
    return numpy.array(value, dtype)


#: (scale, zero point) of quantized values.
FIRST = (scalar(0.05), scalar(120, "uint8"))
SECOND = (scalar(0.03), scalar(100, "uint8"))
THIRD = (scalar(0.7), scalar(90, "uint8"))


def kind_of(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def model_of(op, inputs, outputs, domain, attributes):
    """A model of one operator: inputs are arrays, or tuples of one for constants, or
    None; outputs are types of elements, or None."""
    names = ["" if value is None else f"x{place}" for place, value in enumerate(inputs)]
    given = {name: value for name, value in zip(names, inputs)
             if isinstance(value, numpy.ndarray)}
    constants = [numpy_helper.from_array(value[0], name)
                 for name, value in zip(names, inputs) if isinstance(value, tuple)]
    results = ["" if kind is None else f"y{place}" for place, kind in enumerate(outputs)]
    node = helper.make_node(op, names, results, domain=domain, name="net/op",
                            **attributes)
    graph = helper.make_graph(
        [node], "graph",
        [helper.make_tensor_value_info(name, kind_of(value), value.shape)
         for name, value in given.items()],
        [helper.make_tensor_value_info(name, kind, None)
         for name, kind in zip(results, outputs) if name], constants)
    domains = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, ir_version=9, opset_imports=domains), given


class RuntimeOperators(FrameworkTest):
    def check(self, op, *inputs, outputs=(TensorProto.FLOAT,),
              domain="com.microsoft", **attributes):
        model, given = model_of(op, inputs, outputs, domain, attributes)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        expected = session.run(None, given)
        compiled = mlir_prof.compile(model, *given.values(), progress=False)
        for found, wanted in zip(compiled(*given.values()), expected, strict=True):
            self.assertEqual((found.dtype, found.shape), (wanted.dtype, wanted.shape))
            numpy.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)

    def test_products(self):
        self.check("FusedMatMul", numbers(2, 4, 3), numbers(2, 5, 4), transA=1, transB=1,
                   alpha=0.5)
        self.check("FusedGemm", numbers(2, 3), numbers(4, 3), numbers(4), transB=1,
                   activation="LeakyRelu", activation_alpha=0.1)
        self.check("FusedConv", numbers(1, 3, 6, 6), numbers(4, 3, 3, 3), numbers(4),
                   numbers(1, 4, 4, 4), activation="Relu")

    def test_activations(self):
        x, bias = numbers(4, 8), numbers(8, seed=1)
        for op, *inputs in (("Gelu", x), ("QuickGelu", x), ("FastGelu", x, bias),
                            ("BiasGelu", x, bias)):
            self.check(op, *inputs)

    def test_normalizations(self):
        x, skip, weight = numbers(2, 5, 8), numbers(2, 5, 8, seed=1), numbers(8, seed=2)
        both = (TensorProto.FLOAT, None, None, TensorProto.FLOAT)
        self.check("SkipLayerNormalization", x, skip, weight, numbers(8), numbers(8),
                   outputs=both)
        self.check("SkipSimplifiedLayerNormalization", x, skip, weight, outputs=both)
        self.check("SimplifiedLayerNormalization", x, weight, domain="", axis=-1)
        words = numpy.array([[1, 3, 0, 2], [9, 1, 1, 4]], "int32")
        self.check("EmbedLayerNormalization", words, words % 2, numbers(10, 8),
                   numbers(7, 8), numbers(2, 8), weight, numbers(8),
                   (words > 0).astype("int32"),
                   outputs=(TensorProto.FLOAT, TensorProto.INT32))

    def test_attention(self):
        x, weight, bias = numbers(2, 5, 8), numbers(8, 24), numbers(24)
        for mask in (None, [[1, 1, 1, 0, 0], [1] * 5], [3, 5], [3, 5, 0, 1],
                     numpy.tril(numpy.ones((2, 5, 5)))):
            mask = mask if mask is None else numpy.array(mask, "int32")
            self.check("Attention", x, weight, bias, mask, num_heads=2)
        self.check("Attention", x, weight, bias, None, numbers(2, 2, 2, 3, 4),
                   outputs=(TensorProto.FLOAT,) * 2, num_heads=2, unidirectional=1)

    def test_attention_of_several_inputs(self):
        q, k, v = numbers(2, 5, 8), numbers(2, 6, 8, seed=1), numbers(2, 6, 8, seed=2)
        self.check("MultiHeadAttention", q, k, v, numbers(24), num_heads=2)
        self.check("MultiHeadAttention", q, k, v, None, numpy.array([6, 3], "int32"),
                   num_heads=2)
        past = numbers(2, 2, 3, 4)
        self.check("MultiHeadAttention", q, k, v, None, None, None, past, past + 1,
                   outputs=(TensorProto.FLOAT,) * 3, num_heads=2)

    def test_attention_of_grouped_heads(self):
        cosines, sines = numpy.cos(numbers(12, 8)), numpy.sin(numbers(12, 8))
        for rows, past, ends in ((5, 0, [4, 2]), (1, 5, [5, 5]), (1, 6, [5, 3])):
            q, k, v = (numbers(2, rows, width, seed=width) for width in (64, 32, 33))
            cache = numbers(2, 2, past, 16)
            self.check("GroupQueryAttention", q, k, v[:, :, :32].copy(), cache, cache + 1,
                       numpy.array(ends, "int32"), scalar(max(ends) + 1, "int32"),
                       cosines, sines, outputs=(TensorProto.FLOAT,) * 3, num_heads=4,
                       kv_num_heads=2, do_rotary=1)

    def test_rotation(self):
        cosines, sines = numpy.cos(numbers(12, 4)), numpy.sin(numbers(12, 4))
        self.check("RotaryEmbedding", numbers(2, 5, 16),
                   numpy.tile(numpy.arange(5), (2, 1)), cosines, sines)
        self.check("RotaryEmbedding", numbers(2, 3, 5, 8), numpy.array([2]), cosines,
                   sines, interleaved=1)

    def test_quantized(self):
        x, y, byte = bytes_of(3, 4), bytes_of(3, 4, seed=1), (TensorProto.UINT8,)
        first, second, third = ([(value,) for value in pair]
                                for pair in (FIRST, SECOND, THIRD))
        for op in ("QLinearAdd", "QLinearMul"):
            self.check(op, x, *first, y, *second, *third, outputs=byte)
        self.check("QLinearLeakyRelu", x, *first, *second, outputs=byte, alpha=0.1)
        self.check("QLinearGlobalAveragePool", bytes_of(1, 3, 4, 4), *first, *second,
                   outputs=byte)
        self.check("QLinearConcat", *third, x, *first, y, *second, outputs=byte, axis=1)
        self.check("QGemm", x, *first, (bytes_of(4, 5),), *second,
                   (numpy.arange(5, dtype="int32"),), *third, outputs=byte)

    def test_products_of_quantized_weights(self):
        scale, zero = ((value,) for value in SECOND)
        self.check("DynamicQuantizeMatMul", numbers(3, 4), (bytes_of(4, 5),), scale, zero,
                   numbers(5))
        scales = (abs(numbers(6 * 3)),)
        for bits, zeros in ((4, None), (4, (bytes_of(6 * 2),)), (8, None)):
            self.check("MatMulNBits", numbers(3, 40), (bytes_of(6, 3, 2 * bits),),
                       scales, zeros, None, (numbers(6),), K=40, N=6, bits=bits,
                       block_size=16)

    def test_a_search_is_refused(self):
        model, given = model_of("GreedySearch", [numpy.ones((1, 2), "int32")],
                                [TensorProto.INT32], "com.microsoft", {})
        with self.assertRaisesRegex(FrontEndError, "export the decoder alone"):
            mlir_prof.compile(model, *given.values(), progress=False)


if __name__ == "__main__":
    unittest.main()
