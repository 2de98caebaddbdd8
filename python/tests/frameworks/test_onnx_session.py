# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""InferenceSession, against ONNX Runtime."""

import pathlib
import unittest

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

from common import FrameworkTest, mlir_prof
import mlir_prof.compat.onnxruntime


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

    def test_a_program_for_onnx_runtime(self):
        """The same calls give the same results; only the import differs."""
        from mlir_prof.compat import onnxruntime as compat
        path = str(self.scratch / "model.onnx")
        onnx.save(make_model("batch"), path)
        found = [self.run_program(library, path) for library in (onnxruntime, compat)]
        for one, other in zip(*found, strict=True):
            numpy.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)

    def run_program(self, library, path):
        options = library.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = library.GraphOptimizationLevel.ORT_ENABLE_ALL
        session = library.InferenceSession(path, sess_options=options,
                                           providers=["CPUExecutionProvider"])
        self.assertEqual(session.get_modelmeta().graph_name, "layer")
        x = numpy.linspace(0, 1, 6, dtype="float32").reshape(2, 3)
        results = session.run(None, {session.get_inputs()[0].name: x, "b": self.bias},
                              library.RunOptions())
        values = {name: library.OrtValue.ortvalue_from_numpy(array)
                  for name, array in (("x", x), ("b", self.bias))}
        self.assertEqual((values["x"].shape(), values["x"].data_type()),
                         ([2, 3], "tensor(float)"))
        results += [value.numpy() for value in session.run_with_ort_values(
            ["y"], values)]
        return results + self.run_bound(session, x, values["b"])

    def run_bound(self, session, x, bias):
        binding, out = session.io_binding(), numpy.zeros((2, 4), "float32")
        binding.bind_input("x", "cpu", 0, numpy.float32, x.shape, x.ctypes.data)
        binding.bind_ortvalue_input("b", bias)
        binding.bind_output("y", "cpu", 0, numpy.float32, out.shape, out.ctypes.data)
        binding.bind_output("s")
        session.run_with_iobinding(binding)
        found = binding.copy_outputs_to_cpu()
        self.assertEqual(found[0].tolist(), out.tolist())
        return [out, found[1]]

    def test_profiling(self):
        options = mlir_prof.compat.onnxruntime.SessionOptions()
        options.enable_profiling = True
        options.profile_file_prefix = str(self.scratch / "run")
        session = mlir_prof.InferenceSession(make_model(2), options)
        self.assertEqual(session.end_profiling(), "")
        session.run(None, {"x": numpy.ones((2, 3), "float32"), "b": self.bias})
        path = pathlib.Path(session.end_profiling())
        self.assertEqual(path.parent, self.scratch)
        self.assertIn("layer/matmul", path.read_text(encoding="utf-8"))

    def test_many_shapes_share_a_model(self):
        ours, theirs = self.sessions("batch")
        made = set()
        for rows in range(1, 8):
            self.assert_same(ours, theirs, None, numpy.ones((rows, 3), "float32"))
            made.add(ours.get_model({"x": (rows, 3), "b": (4,)}))
        self.assertEqual(len(made), 5)

    def test_strings_are_refused(self):
        text = helper.make_tensor_value_info("text", TensorProto.STRING, [2])
        graph = helper.make_graph([helper.make_node("Identity", ["text"], ["same"])],
                                  "g", [text], [helper.make_tensor_value_info(
                                      "same", TensorProto.STRING, [2])])
        model = helper.make_model(graph, ir_version=8, opset_imports=[
            helper.make_opsetid("", 17)])
        with self.assertRaisesRegex(mlir_prof.FrontEndError, "text is a tensor of STR"):
            mlir_prof.InferenceSession(model)

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
