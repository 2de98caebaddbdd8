# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of ONNX whose sizes and steps are known when the model runs."""

import unittest

import numpy
import onnxruntime
from onnx import helper, numpy_helper

import mlir_prof

node = helper.make_node


def numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).standard_normal(shape).astype("float32")


def longs(*values):
    return numpy.array(values, "int64")


def info(name, shape, dtype="float32"):
    kind = helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))
    return helper.make_tensor_value_info(name, kind, shape)


def body(nodes, inputs, outputs):
    return helper.make_graph(nodes, "body", inputs, outputs)


class Dynamic(unittest.TestCase):
    def check(self, nodes, arguments, results, examples, constants=()):
        """The results are those of ONNX Runtime, for each example: the values of the
        arguments. `results` are names of floats of any shape, or descriptions."""
        outputs = [entry if not isinstance(entry, str) else info(entry, None)
                   for entry in results]
        graph = helper.make_graph(nodes, "graph", arguments, outputs,
                                  [numpy_helper.from_array(data, name)
                                   for name, data in dict(constants).items()])
        model = helper.make_model(graph, ir_version=9,
                                  opset_imports=[helper.make_opsetid("", 20)])
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"])
        compiled = mlir_prof.compile(model, progress=False)
        for example in examples:
            wanted = session.run(None, {argument.name: value for argument, value in
                                        zip(arguments, example)})
            for output, one, other in zip(outputs, compiled(*example), wanted):
                self.compare(output.name, numpy.asarray(one), other)

    def compare(self, name, found, wanted):
        with self.subTest(result=name, shape=wanted.shape):
            self.assertEqual(found.shape, wanted.shape)
            largest = max(1, numpy.abs(wanted).max(initial=0))
            numpy.testing.assert_allclose(found, wanted, rtol=1e-5,
                                          atol=1e-5 * largest)

    def test_order(self):
        nodes = [node("TopK", ["x", "k"], ["top", "top_at"]),
                 node("TopK", ["x", "two"], ["low", "low_at"], axis=0, largest=0),
                 node("CumSum", ["x", "axis"], ["sums"], exclusive=1, reverse=1),
                 node("Round", ["x"], ["whole"]), node("NonZero", ["whole"], ["places"]),
                 node("Unique", ["whole"], ["values", "", "inverse"]),
                 node("ArgMax", ["x"], ["last"], axis=1, select_last_index=1),
                 node("ReduceProd", ["x", "axes"], ["product"]),
                 node("Split", ["x"], ["first", "second"], axis=1, num_outputs=2),
                 node("Hardmax", ["x"], ["hot"])]
        self.check(nodes, [info("x", ["a", "b"]), info("k", [1], "int64")],
                   ["top", info("top_at", None, "int64"), "low", "sums",
                    info("places", None, "int64"), "values",
                    info("inverse", None, "int64"), info("last", None, "int64"),
                    "product", "first", "second", "hot"],
                   [(numbers(3, 5), longs(2)), (numbers(4, 7, seed=1), longs(6))],
                   {"two": longs(2), "axis": numpy.array(0), "axes": longs(1)})

    def test_more_elements_than_there_are(self):
        graph = helper.make_graph(
            [node("TopK", ["x", "k"], ["y", ""])], "graph",
            [info("x", ["n"]), info("k", [1], "int64")], [info("y", None)])
        compiled = mlir_prof.compile(helper.make_model(
            graph, ir_version=9, opset_imports=[helper.make_opsetid("", 20)]),
            progress=False)
        with self.assertRaisesRegex(mlir_prof.ModelError, "number of elements.*TopK"):
            compiled(numbers(3), longs(4))

    def test_images(self):
        linear = dict(mode="linear", coordinate_transformation_mode="align_corners")
        scale = numpy.array([1, 1, 2, 1.5], "float32")
        nodes = [node("Resize", ["x", "", "scales"], ["cubic"], mode="cubic"),
                 node("Resize", ["x", "", "", "sizes"], ["linear"], **linear),
                 node("Resize", ["x", "", "some"], ["near"], mode="nearest"),
                 node("DepthToSpace", ["x"], ["deep"], blocksize=2),
                 node("SpaceToDepth", ["deep"], ["flat"], blocksize=2, name="flat"),
                 node("LRN", ["x"], ["responses"], size=3),
                 node("InstanceNormalization", ["x", "four", "four"], ["instances"]),
                 node("AveragePool", ["x"], ["mean"], kernel_shape=[3, 3],
                      pads=[1, 0, 1, 2], strides=[2, 1]),
                 node("ConvTranspose", ["x", "w"], ["wide"], strides=[2, 3],
                      pads=[1, 0, 1, 1], group=2)]
        nodes += [node("Pad", ["x", "pads"], [mode], mode=mode)
                  for mode in ("reflect", "edge", "wrap")]
        self.check(nodes, [info("x", ["n", 4, "h", "w"]), info("sizes", [4], "int64"),
                           info("some", [4])],
                   ["cubic", "linear", "near", "flat", "responses", "instances", "mean",
                    "wide", "reflect", "edge", "wrap"],
                   [(numbers(1, 4, 5, 6), longs(1, 4, 9, 4), scale),
                    (numbers(2, 4, 7, 4, seed=1), longs(2, 4, 3, 4), scale)],
                   {"scales": numpy.array([1, 1, 1.5, 2], "float32"),
                    "four": numbers(4), "w": numbers(4, 3, 4, 4, seed=2),
                    "pads": longs(0, 0, 1, 2, 0, 0, 3, 1)})

    def test_pools_of_batches(self):
        nodes = [node("MaxPool", ["x"], ["most", "at"], kernel_shape=[2, 2],
                      strides=[2, 2], ceil_mode=1),
                 node("AveragePool", ["x"], ["mean"], kernel_shape=[3, 3],
                      auto_pad="SAME_UPPER", strides=[2, 2])]
        self.check(nodes, [info("x", ["n", "c", 5, 6])],
                   ["most", info("at", None, "int64"), "mean"],
                   [(numbers(1, 2, 5, 6),), (numbers(3, 4, 5, 6, seed=1),)])

    def test_indices(self):
        nodes = [node("ScatterElements", ["x", "i", "u"], ["added"], axis=1,
                      reduction="add"),
                 node("ScatterND", ["x", "rows", "u"], ["rows_set"]),
                 node("GatherElements", ["x", "i"], ["picked"], axis=1),
                 node("GatherND", ["x", "columns"], ["one_each"], batch_dims=1),
                 node("ReverseSequence", ["x", "lengths"], ["turned"], time_axis=1,
                      batch_axis=0),
                 node("Reshape", ["x", "column"], ["one_column"])]
        examples = []
        for rows, columns in ((3, 5), (2, 4)):
            examples.append((
                numbers(rows, columns), numpy.arange(2 * columns).reshape(2, -1) % 3,
                numbers(2, columns, seed=1), longs([1], [0]),
                numpy.arange(rows).reshape(-1, 1) - 1,
                numpy.arange(rows) % columns + 1))
        self.check(nodes, [info("x", ["a", "b"]), info("i", ["c", "b"], "int64"),
                           info("u", ["c", "b"]), info("rows", ["c", 1], "int64"),
                           info("columns", ["a", 1], "int64"),
                           info("lengths", ["a"], "int64")],
                   ["added", "rows_set", "picked", "one_each", "turned", "one_column"],
                   examples, {"column": longs(-1, 1)})

    def test_products(self):
        nodes = [node("MatMul", ["x", "y"], ["product"]),
                 node("Einsum", ["x", "y"], ["sum"], equation="bij,bjk->bki"),
                 node("Einsum", ["x", "one"], ["spread"], equation="bij,cj->bci")]
        self.check(nodes, [info("x", ["b", "i", 4]), info("y", ["b", 4, "k"])],
                   ["product", "sum", "spread"],
                   [(numbers(2, 3, 4), numbers(2, 4, 5, seed=1)),
                    (numbers(1, 6, 4), numbers(1, 4, 2, seed=1))],
                   {"one": numbers(1, 4, seed=3)})

    def check_layer(self, op, gates, shape, examples, **options):
        ways = 2 if options.get("direction") == "bidirectional" else 1
        constants = {"w": numbers(ways, 5 * gates, 3, seed=2),
                     "r": numbers(ways, 5 * gates, 5, seed=3),
                     "b": numbers(ways, 10 * gates, seed=4)}
        last = ["c"] if op == "LSTM" else []
        self.check([node(op, ["x", "w", "r", "b", "lengths"], ["y", "h", *last],
                         hidden_size=5, **options)],
                   [info("x", shape), info("lengths", shape[1:2], "int32")],
                   ["y", "h", *last], examples, constants)

    def test_recurrent_layers(self):
        examples = [(numbers(4, 2, 3), numpy.array([4, 2], "int32")),
                    (numbers(7, 3, 3), numpy.array([1, 7, 5], "int32"))]
        for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
            with self.subTest(op):
                self.check_layer(op, gates, ["t", "n", 3], examples,
                                 direction="bidirectional")

    def test_long_sequence(self):
        self.check_layer("GRU", 3, [300, 2, 3], [
            (numbers(300, 2, 3), numpy.array([300, 123], "int32"))],
            direction="reverse")

    def test_loop_that_collects(self):
        """With a number of steps that an argument gives, and one that is too large to
        write each; a step has a kernel of its own."""
        step = body(
            [node("CumSum", ["v", "axis"], ["sum"]),
             node("Mul", ["sum", "half"], ["v_out"]), node("Identity", ["going"], ["going_out"]),
             node("Add", ["v", "x"], ["seen"])],
            [info("i", [], "int64"), info("going", [], "bool"), info("v", [3])],
            [info("going_out", [], "bool"), info("v_out", [3]), info("seen", [3])])
        for count, name in ((None, "n"), (longs(300).reshape(()), "limit")):
            constants = {"axis": numpy.array(0), "half": numpy.float32([0.5])}
            arguments, examples = [info("x", [3])], [(numbers(3),)]
            if count is None:
                arguments.append(info("n", [], "int64"))
                examples = [(numbers(3), numpy.array(steps)) for steps in (1, 5)]
            else:
                constants["limit"] = count
            with self.subTest(name):
                self.check([node("Loop", [name, "", "x"], ["last", "all"], body=step)],
                           arguments, ["last", "all"], examples, constants)

    def test_loop_that_ends_by_a_condition(self):
        step = body(
            [node("Add", ["v", "x"], ["v_out"]), node("ReduceMax", ["v_out"], ["top"],
                                                      keepdims=0),
             node("Less", ["top", "limit"], ["going_out"]),
             node("Identity", ["v_out"], ["seen"])],
            [info("i", [], "int64"), info("going", [], "bool"), info("v", [3])],
            [info("going_out", [], "bool"), info("v_out", [3]), info("seen", [3])])
        self.check([node("Loop", ["n", "", "x"], ["last", "all"], body=step)],
                   [info("x", [3]), info("n", [], "int64"), info("limit", [])],
                   ["last", "all"],
                   [(numpy.float32([1, 0, 2]), numpy.array(steps),
                     numpy.array(7, "float32")) for steps in (2, 9)])

    def test_scan(self):
        """Along a dynamic dimension, and along one with many elements."""
        step = body([node("Add", ["h", "x"], ["sum"]), node("Tanh", ["sum"], ["h_out"]),
                     node("Neg", ["sum"], ["y"])],
                    [info("h", [2]), info("x", [2])],
                    [info("h_out", [2]), info("y", [2])])
        for steps, sizes in (("t", (3, 6)), (300, (300,))):
            with self.subTest(steps):
                self.check([node("Scan", ["h0", "xs"], ["h", "ys"], body=step,
                                 num_scan_inputs=1, scan_input_axes=[1],
                                 scan_input_directions=[1], scan_output_axes=[1],
                                 scan_output_directions=[1])],
                           [info("h0", [2]), info("xs", [2, steps])], ["h", "ys"],
                           [(numbers(2), numbers(2, size, seed=1)) for size in sizes])

    def test_branch_with_a_kernel(self):
        """Kernels, also those of several results, within the branches of an If."""
        branches = [body([node("TopK", ["x", "two"], [f"v{most}", f"i{most}"],
                               largest=most)], [],
                         [info(f"v{most}", [2]), info(f"i{most}", [2], "int64")])
                    for most in (1, 0)]
        self.check([node("If", ["c"], ["v", "i"], then_branch=branches[0],
                         else_branch=branches[1])],
                   [info("c", [], "bool"), info("x", [5])],
                   ["v", info("i", None, "int64")],
                   [(numpy.array(chosen), numbers(5)) for chosen in (True, False)],
                   {"two": longs(2)})

    def test_sizes_of_the_example(self):
        """An exporter stated the size that its example had."""
        nodes = [node("Shape", ["x"], ["shape"]),
                 node("Reshape", ["x", "shape"], ["r"]),
                 node("Transpose", ["r"], ["y"], perm=[1, 0])]
        self.check(nodes, [info("x", ["a", "b"])], [info("y", ["b", 7])],
                   [(numbers(3, 4),), (numbers(5, 2, seed=1),)])


if __name__ == "__main__":
    unittest.main()
