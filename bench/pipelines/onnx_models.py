# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of bench/models.py as ONNX, with constant weights.

Convolutions are in NCHW, as ONNX demands, so the cnn's input is transposed.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    def __init__(self, model):
        self.nodes, self.constants = [], []
        for name, value in model.weights.items():
            if value.ndim == 4:
                value = value.transpose(3, 2, 0, 1)
            self.constant(name, value)

    def constant(self, name, value):
        self.constants.append(numpy_helper.from_array(
            np.ascontiguousarray(value), name))
        return name

    def op(self, kind, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name,
                                           **attributes))
        return name

    def linear(self, x, weight, bias):
        return self.op("Add", self.op("MatMul", x, weight), bias)

    def save(self, name, shape, result, path):
        info = helper.make_tensor_value_info
        graph = helper.make_graph(self.nodes, name,
                                  [info("x", TensorProto.FLOAT, shape)],
                                  [info(result, TensorProto.FLOAT, None)],
                                  self.constants)
        onnx.save(helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9),
            path)


def mlp(g, model):
    h = g.op("Gelu", g.linear("x", "w1", "b1"), approximate="tanh")
    return g.linear(h, "w2", "b2")


def mlp_dyn(g, model):
    y = g.op("Relu", g.linear("x", "w1", "b1"))
    y = g.op("Relu", g.linear(y, "w2", "b2"))
    return g.linear(y, "w3", "b3")


def cnn(g, model):
    def conv(x, kernel, bias, stride):
        return g.op("Relu", g.op("Conv", x, kernel, bias, pads=[1] * 4,
                                 strides=[stride] * 2, kernel_shape=[3, 3]))
    y = g.op("MaxPool", conv("x", "k1", "kb1", 1), kernel_shape=[2, 2],
             strides=[2, 2])
    y = g.op("GlobalAveragePool", conv(y, "k2", "kb2", 2))
    return g.op("Gemm", g.op("Flatten", y), "wd", "bd")


def transformer(g, model):
    s, d, heads, _ = model.sizes
    split = g.constant("split", np.array([s, heads, d // heads], np.int64))
    merge = g.constant("merge", np.array([s, d], np.int64))
    scale = g.constant("scale", np.array(1 / np.sqrt(d // heads), np.float32))

    def project(n, order):
        y = g.op("Reshape", g.linear("x", f"w{n}", f"b{n}"), split)
        return g.op("Transpose", y, perm=order)

    def norm(x, gain, offset):
        return g.op("LayerNormalization", x, gain, offset, axis=-1,
                    epsilon=1e-5)
    scores = g.op("MatMul", project("q", [1, 0, 2]), project("k", [1, 2, 0]))
    p = g.op("Softmax", g.op("Mul", scores, scale), axis=-1)
    o = g.op("Transpose", g.op("MatMul", p, project("v", [1, 0, 2])),
             perm=[1, 0, 2])
    o = g.linear(g.op("Reshape", o, merge), "wo", "bo")
    y = norm(g.op("Add", "x", o), "g1", "be1")
    h = g.op("Gelu", g.linear(y, "wf1", "bf1"), approximate="tanh")
    return norm(g.op("Add", y, g.linear(h, "wf2", "bf2")), "g2", "be2")


BUILDERS = {"mlp": mlp, "cnn": cnn, "transformer": transformer,
            "mlp_dyn": mlp_dyn}


def save(model, path):
    """Writes `model` as ONNX to `path`."""
    graph = Graph(model)
    result = BUILDERS[model.name](graph, model)
    shape = list(model.input_shape or model.x.shape)
    if len(shape) == 4:
        shape = [shape[0], shape[3], shape[1], shape[2]]
    graph.save(model.name, ["n" if size is None else size for size in shape],
               result, path)
