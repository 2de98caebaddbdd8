# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The front end of ONNX."""

import json
import os
import pathlib
import subprocess
import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from common import FrameworkTest, mlir_prof
from mlir_prof import frontends
from mlir_prof.frontends import FrontEndError, Request

HERE = pathlib.Path(__file__).resolve().parent


def tensor(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def model_of(nodes, inputs, outputs, constants=(), opset=20, **options):
    graph = helper.make_graph(nodes, "graph", inputs, outputs,
                              [numpy_helper.from_array(data, name)
                               for name, data in dict(constants).items()])
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", opset)], **options)


def numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).standard_normal(shape).astype("float32")


class FrontEnd(FrameworkTest):
    def lower(self, model, *examples, **options):
        folder = self.scratch / "lowered"
        folder.mkdir(exist_ok=True)
        return frontends.lower(model, Request(folder=folder, examples=examples,
                                              **options))

    def run_tool(self, source, arrays, *options):
        arguments = []
        for place, value in enumerate(arrays):
            numpy.save(self.scratch / f"{place}.npy", value)
            arguments.append(f"--input={place}={self.scratch}/{place}.npy")
        mlir_prof.run("record", source.path, *arguments, "--mode=time",
                      "--iterations=1", f"--save-results={self.scratch}/out",
                      "-o", self.scratch / "model.mlprof", *options)
        return [numpy.load(self.scratch / "out" / f"result{place}.npy")
                for place in range(len(source.results))]

    def check_as_runtime(self, model, *arrays):
        """The results are those of ONNX Runtime."""
        source = self.lower(model, *arrays)
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"])
        names = [value.name for value in session.get_inputs()]
        expected = session.run(None, dict(zip(names, arrays)))
        for found, wanted in zip(self.run_tool(source, arrays), expected):
            numpy.testing.assert_allclose(found.view(wanted.dtype), wanted, rtol=1e-4,
                                          atol=1e-5)
        return source

    def test_names_types_and_dynamic_dimensions(self):
        model = model_of([helper.make_node("Relu", ["x"], ["y"], name="net/relu")],
                         [tensor("x", TensorProto.FLOAT, ["batch", 3])],
                         [tensor("y", TensorProto.FLOAT, ["batch", 3])])
        source = self.lower(model)
        self.assertEqual([(value.name, value.dtype, value.shape)
                          for value in source.arguments + source.results],
                         [("x", "float32", (None, 3)), ("y", "float32", (None, 3))])
        self.assertEqual(self.lower(model, numbers(2, 3)).arguments[0].shape, (2, 3))
        kept = self.lower(model, numbers(2, 3), dynamic_shapes={"x": (0,)})
        self.assertEqual(kept.arguments[0].shape, (None, 3))
        self.assertEqual(kept.flatten((), {"x": 1}), [1])
        with self.assertRaisesRegex(TypeError, "the arguments x"):
            kept.flatten((), {"z": 1})

    def test_module_paths(self):
        nodes = [helper.make_node("MatMul", ["x", "w"], ["m"], name="net/layer/matmul"),
                 helper.make_node("Gelu", ["m"], ["y"], name="net/gelu",
                                  approximate="tanh")]
        model = model_of(nodes, [tensor("x", TensorProto.FLOAT, [64, 256])],
                         [tensor("y", TensorProto.FLOAT, [64, 256])],
                         {"w": numbers(256, 256)})
        source = self.lower(model)
        mlir_prof.run("record", source.path, "--seconds=0.2", "-o",
                      self.scratch / "model.mlprof")
        report = json.loads(mlir_prof.run("report", self.scratch / "model.mlprof",
                                          "--by=module-path", "--format=json"))
        paths = {row["key"] for row in report["rows"]}
        self.assertLessEqual({"net", "net/layer", "net/layer/matmul"}, paths)

    def test_unsigned_integers(self):
        for kind, dtype in ((TensorProto.UINT8, "uint8"), (TensorProto.UINT16, "uint16"),
                            (TensorProto.UINT32, "uint32"),
                            (TensorProto.UINT64, "uint64")):
            model = model_of([helper.make_node("Add", ["x", "x"], ["s"]),
                              helper.make_node("Div", ["s", "three"], ["y"])],
                             [tensor("x", kind, [3])], [tensor("y", kind, [3])],
                             {"three": numpy.array(3, dtype)})
            top = numpy.iinfo(dtype).max
            x = numpy.array([1, top // 2 + 1, top], dtype)
            source = self.lower(model, x)
            found, = self.run_tool(source, [x.view(dtype.lstrip("u"))])
            self.assertEqual(found.view(dtype).tolist(),
                             ((x + x) // numpy.array(3, dtype)).tolist())

    def test_shift_by_negative_pads(self):
        model = model_of([helper.make_node("Pad", ["x", "pads"], ["y"])],
                         [tensor("x", TensorProto.FLOAT, [2, 4])],
                         [tensor("y", TensorProto.FLOAT, [2, 4])],
                         {"pads": numpy.array([0, 1, 0, -1])})
        self.check_as_runtime(model, numbers(2, 4))

    def test_gelu_by_tanh(self):
        model = model_of([helper.make_node("Gelu", ["x"], ["y"], approximate="tanh")],
                         [tensor("x", TensorProto.FLOAT, [1000])],
                         [tensor("y", TensorProto.FLOAT, [1000])])
        x = numpy.linspace(-4, 4, 1000, dtype="float32")
        found, = self.run_tool(self.lower(model, x), [x])
        wide = x.astype("float64")
        exact = 0.5 * wide * (1 + numpy.tanh(numpy.sqrt(2 / numpy.pi) * (
            wide + 0.044715 * wide ** 3)))
        self.assertLess(numpy.abs(found - exact).max() / numpy.abs(exact).max(), 1e-6)

    def test_quantized_graph(self):
        """QuantizeLinear, DequantizeLinear and a product between them."""
        names = ["scale", "zero"]
        nodes = [helper.make_node("QuantizeLinear", ["x", *names], ["q"]),
                 helper.make_node("DequantizeLinear", ["q", *names], ["d"]),
                 helper.make_node("DequantizeLinear", ["w", "w_scale"], ["dw"], axis=1),
                 helper.make_node("MatMul", ["d", "dw"], ["m"]),
                 helper.make_node("QuantizeLinear", ["m", *names], ["y"])]
        weight = (numbers(8, 5) * 40).astype("int8")
        model = model_of(nodes, [tensor("x", TensorProto.FLOAT, [4, 8])],
                         [tensor("y", TensorProto.UINT8, [4, 5])],
                         {"scale": numpy.float32(0.03), "zero": numpy.uint8(128),
                          "w": weight, "w_scale": numpy.full(5, 0.01, "float32")})
        self.check_as_runtime(model, numbers(4, 8))

    def test_old_opset(self):
        """Axes, limits and sizes as attributes, softmax over several axes."""
        nodes = [helper.make_node("Unsqueeze", ["x"], ["u"], axes=[0]),
                 helper.make_node("Clip", ["u"], ["c"], min=-1.0, max=1.0),
                 helper.make_node("Slice", ["c"], ["s"], axes=[2], starts=[1], ends=[4]),
                 helper.make_node("Pad", ["s"], ["p"], pads=[0, 0, 1, 0, 0, 1]),
                 helper.make_node("Softmax", ["p"], ["m"], axis=1),
                 helper.make_node("ReduceSum", ["m"], ["y"], axes=[2], keepdims=0)]
        model = model_of(nodes, [tensor("x", TensorProto.FLOAT, [3, 5])],
                         [tensor("y", TensorProto.FLOAT, [1, 3])], opset=9)
        self.check_as_runtime(model, numbers(3, 5))

    def test_nodes_in_any_order(self):
        """As tools leave them that rewrite a model; a graph within a node also reads
        values that a later node computes."""
        branches = [helper.make_graph([helper.make_node(op, ["s"], [op])], op, [],
                                      [tensor(op, TensorProto.FLOAT, [3])])
                    for op in ("Neg", "Exp")]
        nodes = [helper.make_node("If", ["c"], ["i"], then_branch=branches[0],
                                  else_branch=branches[1]),
                 helper.make_node("Tanh", ["i"], ["y"]),
                 helper.make_node("Add", ["x", "x"], ["s"])]
        model = model_of(nodes, [tensor("c", TensorProto.BOOL, []),
                                 tensor("x", TensorProto.FLOAT, [3])],
                         [tensor("y", TensorProto.FLOAT, [3])])
        source = self.lower(model, numpy.array(True), numbers(3))
        found, = self.run_tool(source, [numpy.array(True), numbers(3)])
        numpy.testing.assert_allclose(found, numpy.tanh(-2 * numbers(3)), rtol=1e-5)

    def test_loop_that_ends_at_run_time(self):
        body = helper.make_graph(
            [helper.make_node("Add", ["v", "v"], ["v_out"], name="double"),
             helper.make_node("Identity", ["going"], ["going_out"])], "body",
            [tensor("i", TensorProto.INT64, []), tensor("going", TensorProto.BOOL, []),
             tensor("v", TensorProto.FLOAT, [3])],
            [tensor("going_out", TensorProto.BOOL, []),
             tensor("v_out", TensorProto.FLOAT, [3])])
        model = model_of([helper.make_node("Loop", ["n", "", "x"], ["y"], body=body)],
                         [tensor("n", TensorProto.INT64, []),
                          tensor("x", TensorProto.FLOAT, [3])],
                         [tensor("y", TensorProto.FLOAT, [3])])
        source = self.lower(model, numpy.array(5), numbers(3))
        found, = self.run_tool(source, [numpy.array(5), numbers(3)])
        numpy.testing.assert_allclose(found, numbers(3) * 32, rtol=1e-6)

    def test_condition_at_run_time(self):
        branches = [helper.make_graph([helper.make_node(op, ["x"], [op])], op, [],
                                      [tensor(op, TensorProto.FLOAT, [3])])
                    for op in ("Neg", "Exp")]
        model = model_of([helper.make_node("If", ["c"], ["y"], then_branch=branches[0],
                                           else_branch=branches[1])],
                         [tensor("c", TensorProto.BOOL, []),
                          tensor("x", TensorProto.FLOAT, [3])],
                         [tensor("y", TensorProto.FLOAT, [3])])
        for condition in (True, False):
            self.check_as_runtime(model, numpy.array(condition), numbers(3))

    def test_scan(self):
        body = helper.make_graph(
            [helper.make_node("Add", ["h", "x"], ["h_out"]),
             helper.make_node("Tanh", ["h_out"], ["y"])], "body",
            [tensor("h", TensorProto.FLOAT, [2]), tensor("x", TensorProto.FLOAT, [2])],
            [tensor("h_out", TensorProto.FLOAT, [2]),
             tensor("y", TensorProto.FLOAT, [2])])
        model = model_of([helper.make_node("Scan", ["h0", "xs"], ["h", "ys"], body=body,
                                           num_scan_inputs=1,
                                           scan_input_directions=[1])],
                         [tensor("h0", TensorProto.FLOAT, [2]),
                          tensor("xs", TensorProto.FLOAT, [4, 2])],
                         [tensor("h", TensorProto.FLOAT, [2]),
                          tensor("ys", TensorProto.FLOAT, [4, 2])])
        self.check_as_runtime(model, numbers(2), numbers(4, 2, seed=1))

    def test_results_whose_size_depends_on_data(self):
        nodes = [helper.make_node("NonZero", ["x"], ["n"]),
                 helper.make_node("Unique", ["x"], ["u"])]
        model = model_of(nodes, [tensor("x", TensorProto.INT64, [6])],
                         [tensor("n", TensorProto.INT64, [1, None]),
                          tensor("u", TensorProto.INT64, [None])])
        x = numpy.array([3, 0, 3, 1, 0, 2])
        source = self.lower(model, x)
        places, values = self.run_tool(source, [x])
        self.assertEqual(places.tolist(), [[0, 2, 3, 5]])
        self.assertEqual(values.tolist(), [0, 1, 2, 3])

    def test_external_data(self):
        model = model_of([helper.make_node("MatMul", ["x", "w"], ["y"])],
                         [tensor("x", TensorProto.FLOAT, [2, 64])],
                         [tensor("y", TensorProto.FLOAT, [2, 64])],
                         {"w": numbers(64, 64)})
        path = self.scratch / "model.onnx"
        onnx.save(model, path, save_as_external_data=True, location="model.bin",
                  size_threshold=0)
        source = self.lower(path)
        found, = self.run_tool(source, [numbers(2, 64)])
        numpy.testing.assert_allclose(found, numbers(2, 64) @ numbers(64, 64),
                                      rtol=1e-4, atol=1e-5)
        data = self.scratch / "model.bin"
        data.write_bytes(data.read_bytes()[:-1])
        with self.assertRaisesRegex(FrontEndError, "bytes 0 to 16384 of .*16383"):
            self.lower(path)
        data.unlink()
        with self.assertRaisesRegex(FrontEndError, "are missing"):
            self.lower(path)

    def test_external_data_outside_of_the_folder(self):
        model = model_of([helper.make_node("Add", ["x", "w"], ["y"])],
                         [tensor("x", TensorProto.FLOAT, [1])],
                         [tensor("y", TensorProto.FLOAT, [1])], {"w": numbers(1)})
        secret = self.scratch / "secret"
        secret.write_bytes(b"1234")
        folder = self.scratch / "model"
        folder.mkdir()
        for location in ("../secret", str(secret)):
            weight = model.graph.initializer[0]
            weight.ClearField("raw_data")
            del weight.external_data[:]
            weight.data_location = TensorProto.EXTERNAL
            weight.external_data.add(key="location", value=location)
            (folder / "model.onnx").write_bytes(model.SerializeToString())
            with self.assertRaisesRegex(FrontEndError, "outside of the model's folder"):
                self.lower(folder / "model.onnx")

    def test_refusals_name_the_node(self):
        model = model_of([helper.make_node("RandomNormalLike", ["x"], ["y"],
                                           name="net/noise")],
                         [tensor("x", TensorProto.FLOAT, [3])],
                         [tensor("y", TensorProto.FLOAT, [3])])
        with self.assertRaisesRegex(
                FrontEndError, "RandomNormalLike of node 'net/noise'.*random; hint: "
                               "make them an input$"):
            self.lower(model)
        (self.scratch / "bad.onnx").write_bytes(b"\x08\x09\x3a\xff")
        with self.assertRaisesRegex(FrontEndError, "is no ONNX model"):
            self.lower(self.scratch / "bad.onnx")

    def test_indices_outside(self):
        """A constant one is refused, one that is computed ends the run."""
        x, y = [tensor(name, TensorProto.FLOAT, None) for name in "xy"]
        x.type.tensor_type.shape.dim.add(dim_value=2)
        model = model_of([helper.make_node("Gather", ["x", "i"], ["y"])], [x], [y],
                         {"i": numpy.array([0, 2])})
        with self.assertRaisesRegex(FrontEndError, "not in a dimension of 2 elements"):
            self.lower(model)
        model = model_of([helper.make_node("Cast", ["x"], ["i"], to=TensorProto.INT64),
                          helper.make_node("Gather", ["x", "i"], ["y"])], [x], [y])
        run = mlir_prof.compile(model, progress=False)
        for good in ([0, 1], [-1, -2]):
            x = numpy.array(good, "float32")
            self.assertEqual(run(x)[0].tolist(), x[x.astype(int)].tolist())
        for bad in ([0, 2], [-3, 0]):
            with self.assertRaisesRegex(mlir_prof.ModelError,
                                        "index is out of range for dimension 0"):
                run(numpy.array(bad, "float32"))

    def test_broadcast_of_a_gather_by_a_slice(self):
        """Positions up to the length of the input: of the size 1 along the batch, which
        a gather keeps although inference of the slice does not tell."""
        nodes = [helper.make_node("Gather", ["words", "x"], ["embedded"]),
                 helper.make_node("Shape", ["x"], ["length"], start=1),
                 helper.make_node("Slice", ["all", "zero", "length", "one"], ["ids"]),
                 helper.make_node("Gather", ["places", "ids"], ["placed"]),
                 helper.make_node("Add", ["embedded", "placed"], ["y"])]
        model = model_of(nodes, [tensor("x", TensorProto.INT64, ["batch", "length"])],
                         [tensor("y", TensorProto.FLOAT, ["batch", "length", 4])],
                         {"words": numbers(10, 4), "places": numbers(16, 4, seed=1),
                          "all": numpy.arange(16)[None], "zero": numpy.array([0]),
                          "one": numpy.array([1])})
        run = mlir_prof.compile(model, progress=False)
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"])
        for shape in ((2, 8), (3, 11), (1, 16)):
            x = numpy.arange(numpy.prod(shape)).reshape(shape) % 10
            numpy.testing.assert_array_equal(run(x)[0], session.run(None, {"x": x})[0])

    def test_sizes_that_cannot_be(self):
        """A tensor of 2**80 elements, and a shape that does not fit."""
        x, y = tensor("x", TensorProto.FLOAT, [2, 3]), tensor("y", TensorProto.FLOAT, None)
        for op, sizes, text in (("ConstantOfShape", [1 << 40, 1 << 40], "at most"),
                                ("Reshape", [7, -1], "makes 6 elements")):
            inputs = ["x", "s"] if op == "Reshape" else ["s"]
            model = model_of([helper.make_node(op, inputs, ["y"])], [x], [y],
                             {"s": numpy.array(sizes)})
            with self.assertRaisesRegex(FrontEndError, text):
                self.lower(model)

    def test_a_version_of_the_future(self):
        x, y = [tensor(name, TensorProto.FLOAT, [3]) for name in "xy"]
        model = model_of([helper.make_node("Relu", ["x"], ["y"])], [x], [y], opset=999)
        with self.assertRaisesRegex(FrontEndError, "of opset 999; .* up to"):
            self.lower(model)

    def test_wrong_example(self):
        model = model_of([helper.make_node("Relu", ["x"], ["y"])],
                         [tensor("x", TensorProto.FLOAT, ["n", 3])],
                         [tensor("y", TensorProto.FLOAT, ["n", 3])])
        with self.assertRaisesRegex(FrontEndError, r"input x has the shape \(2, 4\)"):
            self.lower(model, numbers(2, 4))

    def test_node_tests(self):
        """ONNX's own tests: all but those of a list are right. All of them take a
        quarter of an hour of a core, so that one in 16 runs, always the same ones,
        and all with MLIR_PROF_ALL_NODE_TESTS=1."""
        every = 1 if os.environ.get("MLIR_PROF_ALL_NODE_TESTS") == "1" else 16
        done = subprocess.run(
            [sys.executable, "-W", "ignore", HERE / "onnx_node_tests.py",
             f"--every={every}", f"--refusals={HERE / 'onnx_node_tests.txt'}"],
            capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-1000:])


if __name__ == "__main__":
    import unittest
    unittest.main()
