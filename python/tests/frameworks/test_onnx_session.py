# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""InferenceSession, against ONNX Runtime."""

import unittest

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

from common import FrameworkTest, mlir_prof


def value(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def make_model(batch):
    weight = helper.make_tensor("w", TensorProto.FLOAT, (3, 4),
                                numpy.arange(12, dtype="float32") / 12)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"], name="layer/matmul"),
             helper.make_node("Add", ["m", "b"], ["s"], name="layer/add"),
             helper.make_node("Tanh", ["s"], ["y"], name="layer/tanh")]
    graph = helper.make_graph(
        nodes, "layer", [value("x", batch, 3), value("b", 4)],
        [value("s", batch, 4), value("y", batch, 4)], [weight])
    return helper.make_model(graph, ir_version=8,
                             opset_imports=[helper.make_opsetid("", 17)])


class OnnxSession(FrameworkTest):
    def setUp(self):
        super().setUp()
        self.bias = numpy.linspace(-1, 1, 4, dtype="float32")

    def sessions(self, batch):
        model = make_model(batch)
        return (mlir_prof.InferenceSession(model),
                onnxruntime.InferenceSession(model.SerializeToString()))

    def assert_same(self, ours, theirs, names, x):
        feed = {"b": self.bias, "x": x}
        results, expected = ours.run(names, feed), theirs.run(names, feed)
        self.assertEqual(len(results), len(expected))
        for result, array in zip(results, expected):
            numpy.testing.assert_allclose(result, array, rtol=1e-5, atol=1e-6)

    def test_the_same_form_and_results(self):
        for batch in (2, "batch"):
            ours, theirs = self.sessions(batch)
            for mine, other in ((ours.get_inputs(), theirs.get_inputs()),
                                (ours.get_outputs(), theirs.get_outputs())):
                self.assertEqual([(v.name, v.type, v.shape) for v in mine],
                                 [(v.name, v.type, v.shape) for v in other])
            for names in (None, ["y"], ["y", "s"]):
                self.assert_same(ours, theirs, names, numpy.ones((2, 3), "float32"))

    def test_symbolic_sizes(self):
        ours, theirs = self.sessions("batch")
        for rows in (1, 4, 1):
            self.assert_same(ours, theirs, None, numpy.ones((rows, 3), "float32"))

    def test_a_path_and_bytes(self):
        model, x = make_model(2), numpy.ones((2, 3), "float32")
        path = self.scratch / "model.onnx"
        onnx.save(model, path)
        first, second = [mlir_prof.InferenceSession(form).run(
            ["y"], {"x": x, "b": self.bias})[0]
            for form in (path, model.SerializeToString())]
        numpy.testing.assert_array_equal(first, second)

    def test_errors_name_the_value(self):
        ours, _ = self.sessions(2)
        x = numpy.ones((2, 3), "float32")
        with self.assertRaisesRegex(ValueError, "takes x, b; given are x"):
            ours.run(None, {"x": x})
        with self.assertRaisesRegex(ValueError, "result 'z'; it has s, y"):
            ours.run(["z"], {"x": x, "b": self.bias})
        with self.assertRaisesRegex((TypeError, ValueError), "x"):
            ours.run(None, {"x": x.astype("float64"), "b": self.bias})


if __name__ == "__main__":
    unittest.main()
