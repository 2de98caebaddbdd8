#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records one profile of ONNX Runtime, with its models and their MLIR:

  python record.py MODEL LEVEL OUT

MODEL is mlp, cnn or encoder (../torch/models.py), LEVEL is disable, basic,
extended or all. MODEL odd has awkward names and graphs in nodes.
"""
import gzip
import os
import shutil
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "torch"),
                os.path.join(HERE, "..", "..", "..", "python")]
from mlir_prof.capture import _mlir, _onnx

ODD_NAMES = ["plain", 'with "quotes"', "back\\slash", "tab\there", "new\nline",
             "unicode é 層", "trail\\", "<angle>&amp", "", "a::b/c.d#e;f"]


def export_model(name, path):
    """Writes the model and returns its inputs."""
    import models
    import torch

    module, inputs, _ = models.make(name)
    names = [f"in{i}" for i in range(len(inputs))]
    with torch.no_grad():
        torch.onnx.export(
            module, inputs, path, dynamo=False, opset_version=17,
            input_names=names, output_names=["out"], do_constant_folding=False,
            training=torch.onnx.TrainingMode.PRESERVE)
    return {key: value.numpy() for key, value in zip(names, inputs)}


def make_odd(path):
    """A chain of nodes with awkward names, an If and a Loop."""
    float_, int_, bool_ = (TensorProto.FLOAT, TensorProto.INT64,
                           TensorProto.BOOL)
    info, node = helper.make_tensor_value_info, helper.make_node
    nodes, value = [], "x"
    for i, name in enumerate(ODD_NAMES):
        nodes.append(node("Tanh", [value], [f"v{i}"], name=name))
        value = f"v{i}"
    nodes.append(node("Sigmoid", [value], ["d2"], name="dup?"))

    def branch(tag):
        return helper.make_graph(
            [node("Tanh", ["d2"], [tag + "0"], name="inner"),
             node("Sigmoid", [tag + "0"], [tag + "1"], name=tag + "_sig")],
            tag, [], [info(tag + "1", float_, [64, 64])])

    nodes.append(node("If", ["c"], ["i"], name="if", then_branch=branch("th"),
                      else_branch=branch("el")))
    body = helper.make_graph(
        [node("Identity", ["cin"], ["cout"], name="cid"),
         node("Tanh", ["s"], ["s1"], name="inner")], "body",
        [info("it", int_, []), info("cin", bool_, []),
         info("s", float_, [64, 64])],
        [info("cout", bool_, []), info("s1", float_, [64, 64])])
    nodes.append(node("Loop", ["n", "c", "i"], ["out"], name="loop", body=body))
    graph = helper.make_graph(
        nodes, "odd",
        [info("x", float_, [64, 64]), info("c", bool_, []),
         info("n", int_, [])], [info("out", float_, [64, 64])])
    onnx.save(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return {"x": np.ones((64, 64), np.float32), "c": np.array(True),
            "n": np.array(3)}


def compress(source, target):
    with open(source, "rb") as file, open(target, "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as out:
            shutil.copyfileobj(file, out)


def store(path, target):
    """The model with large weights set to 0.01: small, of the same structure."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > 64:
            tensor.CopyFrom(numpy_helper.from_array(
                np.full(values.shape, 0.01, np.float32), tensor.name))
    onnx.save(model, path + ".stored")
    compress(path + ".stored", target)


def write_mlir(path, target):
    """The module in generic form, without large weights."""
    module = _onnx.import_model(onnx, onnx.load(path))
    with open(target, "w") as file:
        file.write(_mlir.generic_text(module.operation))


def main():
    name, level, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    folder = tempfile.mkdtemp()
    model, optimized = folder + "/model.onnx", folder + "/optimized.onnx"
    options = ort.SessionOptions()
    if name == "odd":
        inputs, runs = make_odd(model), 2
        options.graph_optimization_level = getattr(
            ort.GraphOptimizationLevel, _onnx.LEVELS["disable"])
    else:
        inputs, runs = export_model(name, model), 5
        options.graph_optimization_level = getattr(
            ort.GraphOptimizationLevel, _onnx.LEVELS[level])
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.optimized_model_filepath = optimized
    options.enable_profiling = True
    options.profile_file_prefix = folder + "/profile"
    session = ort.InferenceSession(model, options,
                                   providers=["CPUExecutionProvider"])
    for _ in range(runs):
        session.run(None, inputs)
    compress(session.end_profiling(), out + "/trace.json.gz")
    if name == "odd":
        shutil.copy(model, out + "/model.onnx")
        write_mlir(model, out + "/model.generic.mlir")
        return
    store(model, out + "/model.onnx.gz")
    store(optimized, out + "/optimized.onnx.gz")
    write_mlir(model + ".stored", out + "/model.generic.mlir")
    write_mlir(optimized + ".stored", out + "/optimized.generic.mlir")


if __name__ == "__main__":
    main()
