# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime."""

import unittest

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from common import STEPS, FrameworkTest, mlir_prof


def make_model(names=True):
    """Convolution, batch normalization and relu, which the optimizer fuses; a
    product and its bias."""
    generator = numpy.random.default_rng(0)

    def weight(name, *shape):
        data = numpy.abs(generator.standard_normal(shape)).astype("float32")
        return numpy_helper.from_array(data, name)

    nodes = [
        helper.make_node("Conv", ["x", "filter"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization",
                         ["c", "scale", "bias", "mean", "variance"], ["n"]),
        helper.make_node("Relu", ["n"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["p"]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("MatMul", ["f", "weight"], ["m"]),
        helper.make_node("Add", ["m", "offset"], ["y"]),
    ]
    if names:
        for node in nodes:
            node.name = f"net/{node.op_type.lower()}"
    graph = helper.make_graph(
        nodes, "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 32, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 10])],
        [weight("filter", 16, 3, 3, 3), weight("weight", 16, 10),
         weight("offset", 10),
         *(weight(name, 16) for name in ("scale", "bias", "mean", "variance"))])
    return helper.make_model(graph, ir_version=8,
                             opset_imports=[helper.make_opsetid("", 17)])


INPUTS = {"x": numpy.ones((2, 3, 32, 32), "float32")}


class Onnx(FrameworkTest):
    def record(self, model, **options):
        return mlir_prof.capture.onnx(model, INPUTS, self.scratch / "out",
                                      steps=STEPS, threads=1, **options)

    def test_as_it_is(self):
        path = self.scratch / "net.onnx"
        onnx.save(make_model(), path)
        captured = self.record(path, optimization="disable")
        self.assertEqual(captured.notes, [])
        report = self.check(captured, 0.99)
        self.assertEqual(report["coverage"]["unique_ps"],
                         report["coverage"]["op_time_ps"])
        # The warm-up is excluded.
        self.assertEqual({row["location"]: row["count"] for row in report["rows"]},
                         {node.name: STEPS for node in make_model().graph.node})

    def test_optimized(self):
        captured = self.record(make_model())
        report = self.check(captured, 0.99)
        # The convolution absorbed the ops after it.
        self.assertGreater(report["coverage"]["fused_ps"], 0)
        # A node of the model may have several in the optimized one.
        self.assertEqual(set(row["count"] for row in
                             self.report(captured, "measured-op")["rows"]), {STEPS})

    def test_linalg_gives_the_same_result(self):
        captured = self.record(make_model())
        session = onnxruntime.InferenceSession(
            make_model().SerializeToString(),
            providers=["CPUExecutionProvider"])
        expected, = session.run(None, INPUTS)
        self.run_linalg(captured, INPUTS.values(), expected)

    def test_nodes_without_names_are_given_some(self):
        model = make_model(names=False)
        captured = self.record(model, optimization="disable")
        self.assertEqual(captured.notes,
                         ["7 nodes had no name and were given one"])
        self.assertEqual(model.graph.node[0].name, "")
        report = self.check(captured, 0.99)
        self.assertEqual([row["count"] for row in report["rows"]
                          if row["location"] == "Conv_0"], [STEPS])

    def test_models_hold_no_weights(self):
        captured = self.record(make_model())
        for name in ("model.onnx", "optimized.onnx"):
            model = onnx.load(captured.folder / name, load_external_data=False)
            self.assertTrue(model.graph.node)
            self.assertFalse(any(tensor.raw_data or tensor.float_data
                                 for tensor in model.graph.initializer))

    def test_document(self):
        self.run_document("onnx")


if __name__ == "__main__":
    unittest.main()
