#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the time of nodes of a graph into their changed module.

  python bench/match/nodes.py [--models t5,cnn] [--kind onnx] [--names scopes]

Writes each model of modules.py as a graph of nodes, and its module as importers
write it: torch.operator "onnx.MatMul" of ONNX, tf.MatMul of TensorFlow. ONNX
Runtime runs and measures the graph of ONNX; for TensorFlow a CSV file gives each
node a separate time. The recording is imported without a module, and reported
with modules of edited models. Tags of modules.py say which node is which. Layers
are numbered by place: as scopes ("layer_1/MatMul_2"), or all nodes of a type are
counted through the model (flat: "MatMul_9"). Percentages are those of
recorded.py. Needs onnx and onnxruntime for --kind=onnx.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import tempfile

import changed
import modules
import recorded
from modules import Edit

EDITS = [e for e in changed.EDITS
         if e not in ("canonicalize, cse", "other seeds", "names bare",
                      "in front, bare names", "in front, no names",
                      "reordered, no names", "locations stripped")]
KINDS = {"MatMul": "MatMul", "Conv": "Conv", "Add": "Add", "Mul": "Mul",
         "Div": "Div", "Exp": "Exp", "Tanh": "Tanh", "Abs": "Abs",
         "Sqrt": "Sqrt", "Reciprocal": "Reciprocal", "ReduceSum": "ReduceSum",
         "Unsqueeze": "Unsqueeze", "Expand": "Expand", "Reshape": "Reshape",
         "Transpose": "Transpose", "Concat": "Concat"}
TENSORFLOW = {"MatMul": "BatchMatMulV2", "Conv": "Conv2D", "Add": "AddV2",
              "Div": "RealDiv", "ReduceSum": "Sum", "Unsqueeze": "ExpandDims",
              "Expand": "BroadcastTo", "Concat": "ConcatV2"}


class Graph:
    """Writes nodes. A value is a name and a shape."""

    def __init__(self, edit, kind, names):
        self.edit, self.kind, self.names = edit, kind, names
        self.inputs, self.weights, self.nodes = [], [], []
        self.counts = collections.Counter()

    @staticmethod
    def order(shape):
        """Channels of images come first."""
        return (shape[0], shape[3], *shape[1:3]) if len(shape) == 4 else shape

    def name(self, tag, kind):
        layer, _, rest = tag.partition(".")
        if self.edit.names == "kept":
            place = layer[1:]
        elif layer[:1] == "L":
            place = self.edit.layers.index(int(layer[1:]))
        if layer[:1] != "L" or self.names == "flat":
            scope = ""
        else:
            scope = f"layer_{place}/"
        written = TENSORFLOW.get(kind, kind) if self.kind == "tf" else kind
        # Frameworks name a node after its type, and number it in its scope.
        key = scope + written
        number = self.counts[key]
        self.counts[key] += 1
        return key + (f"_{number}" if number else "")

    def node(self, tag, kind, inputs, shape, **attributes):
        name = self.name(tag, kind)
        key = f"{tag} {kind}"
        self.counts[key] += 1
        self.nodes.append((name, kind, inputs, f"n{len(self.nodes)}", shape,
                           attributes, f"{key} {self.counts[key]}"))
        return self.nodes[-1][3], shape

    def input(self, tag, *shape):
        self.inputs.append((f"i{len(self.inputs)}", shape))
        return self.inputs[-1][0], shape

    def weight(self, tag, *shape, values=None):
        name = f"w{len(self.weights)}"
        self.weights.append((name, shape, values))
        return name, shape

    def dot(self, tag, a, b):
        return self.node(tag, "MatMul", [a, b], (*a[1][:-1], b[1][-1]))

    def conv(self, tag, a, k):
        n, h, w, _ = a[1]
        at = next(i for i, v in enumerate(self.weights) if v[0] == k[0])
        high, wide, less, more = k[1]
        self.weights[at] = (k[0], (more, less, high, wide), None)
        return self.node(tag, "Conv", [a, (k[0], (more, less, high, wide))],
                         (n, h - high + 1, w - wide + 1, more))

    def binary(self, tag, op, a, b):
        return self.node(tag, op.capitalize(), [a, b], a[1])

    def unary(self, tag, op, a):
        if op == "rsqrt":
            a = self.node(tag, "Sqrt", [a], a[1])
            return self.node(tag, "Reciprocal", [a], a[1])
        return self.node(tag, op.capitalize(), [a], a[1])

    def scale(self, tag, a, value):
        return self.binary(tag, "mul", a, self.weight(tag, 1, values=[value]))

    def sum(self, tag, a):
        axes = self.weight(tag, 1, values=[len(a[1]) - 1])
        return self.node(tag, "ReduceSum", [a, axes], a[1][:-1], keepdims=0)

    def spread(self, tag, a, shape, axis):
        axes = self.weight(tag, len(axis), values=list(axis))
        thin = tuple(1 if i in axis else d for i, d in enumerate(shape))
        a = self.node(tag, "Unsqueeze", [a, axes], thin)
        sizes = self.weight(tag, len(shape), values=list(shape))
        return self.node(tag, "Expand", [a, sizes], shape)

    def reshape(self, tag, a, shape):
        sizes = self.weight(tag, len(shape), values=list(shape))
        return self.node(tag, "Reshape", [a, sizes], shape)

    def transpose(self, tag, a, order):
        return self.node(tag, "Transpose", [a],
                         tuple(a[1][i] for i in order), perm=list(order))

    def join(self, tag, a, b):
        return self.node(tag, "Concat", [a, b],
                         (a[1][0], a[1][1] + b[1][1], a[1][2]), axis=1)

    def text(self, results):
        """The module, and the tags of its ops in pre-order."""
        def type(shape, kind="f32"):
            sizes = self.order(shape) if kind == "f32" else shape
            if self.kind == "onnx":
                return f"!torch.vtensor<[{','.join(map(str, sizes))}],{kind}>"
            return f"tensor<{''.join(f'{d}x' for d in sizes)}{kind}>"
        values = {n: type(s) for n, s in self.inputs}
        lines, tags = [], ["", ""]
        for name, shape, numbers in self.weights:
            kind = "f32" if numbers is None or isinstance(
                numbers[0], float) else "si64" if self.kind == "onnx" else "i64"
            values[name] = type(shape if len(shape) != 4 else
                                (shape[0], *shape[2:], shape[1]), kind)
            lines.append(f'%{name} = "{self.kind}.weight"() : () -> '
                         f'{values[name]} loc("{name}")')
            tags.append("")
        for name, kind, inputs, result, shape, _, tag in self.nodes:
            values[result] = type(shape)
            written = (f'"tf.{TENSORFLOW.get(kind, kind)}"'
                       if self.kind == "tf" else '"torch.operator"')
            extra = (f' <{{name = "onnx.{kind}"}}>'
                     if self.kind == "onnx" else "")
            lines.append(
                f"%{result} = {written}("
                + ", ".join("%" + n for n, _ in inputs) + f"){extra} : ("
                + ", ".join(values[n] for n, _ in inputs)
                + f') -> {values[result]} loc("{name}")')
            tags.append(tag)
        kinds = ", ".join(values[r[0]] for r in results)
        arguments = ", ".join(f"%{n}: {values[n]}" for n, _ in self.inputs)
        return ('"builtin.module"() ({\n"func.func"() <{function_type = ('
                + ", ".join(values[n] for n, _ in self.inputs)
                + f') -> ({kinds}), sym_name = "main"}}> ({{\n^bb0({arguments}'
                + "):\n" + "\n".join(lines) + '\n"func.return"('
                + ", ".join("%" + r[0] for r in results)
                + f') : ({kinds}) -> ()\n}}) : () -> ()\n}}) : () -> ()\n',
                tags + [""])


def make(model, edit, kind, names):
    graph = Graph(edit, kind, names)
    results = modules.MODELS[model](graph)
    return graph, *graph.text(results), results


def record_onnx(graph, results, folder, level):
    """Has ONNX Runtime run the graph, and returns the path of its profile."""
    import numpy
    import onnx
    import onnxruntime
    from onnx import helper, numpy_helper
    rng = numpy.random.default_rng(1)

    def info(name, shape):
        return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT,
                                             shape)

    def make_weight(name, shape, values):
        data = (rng.standard_normal(shape).astype("float32") * 0.05
                if values is None else numpy.array(values))
        if data.dtype == "float64":
            data = data.astype("float32")
        return numpy_helper.from_array(data, name)
    model = helper.make_model(helper.make_graph(
        [helper.make_node(kind, [n for n, _ in inputs], [result], name=name,
                          **attributes)
         for name, kind, inputs, result, _, attributes, _ in graph.nodes],
        "main", [info(n, graph.order(s)) for n, s in graph.inputs],
        [info(r, graph.order(s)) for r, s in results],
        [make_weight(*w) for w in graph.weights]),
        opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / "ort")
    options.intra_op_num_threads = 1
    options.graph_optimization_level = getattr(
        onnxruntime.GraphOptimizationLevel, f"ORT_{level}")
    options.optimized_model_filepath = str(folder / "optimized.onnx")
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options,
                                           ["CPUExecutionProvider"])
    feed = {n: rng.standard_normal(graph.order(s)).astype("float32")
            for n, s in graph.inputs}
    for _ in range(20):
        session.run(None, feed)
    return session.end_profiling()


def record_csv(graph, folder):
    rng, begin = random.Random(7), 0
    lines = ["name,begin_ps,duration_ps,op,thread"]
    for name, kind, *_ in graph.nodes:
        time = int(1e6 * math.exp(rng.uniform(0, 4)))
        lines.append(f"{name},{begin},{time},{TENSORFLOW.get(kind, kind)},t")
        begin += time
    (folder / "tf.csv").write_text("\n".join(lines) + "\n")
    return folder / "tf.csv"


def measure(tool, folder, model, kind, names, edits, level, models):
    def write(name, edit):
        graph, text, tags, results = make(model, recorded.scale(edit), kind,
                                          names)
        (folder / f"{name}.mlir").write_text(text)
        return graph, tags, results
    graph, old_tags, results = write("old", Edit())
    if kind == "onnx":
        trace = record_onnx(graph, results, folder, level)
        more = ([f"--onnx={folder}/model.onnx",
                 f"--onnx-optimized={folder}/optimized.onnx"]
                if models else [])
    else:
        trace, more = record_csv(graph, folder), []
    profile = folder / "old.mlprof"
    changed.call(tool, "import", trace, *more, "-o", profile)
    before = get_matches(tool, profile, folder / "old.mlir")
    truths = {}
    for name in edits:
        _, new_tags, _ = write(name, changed.EDITS[name])
        path = folder / f"{name}.mlir"
        known = truths.setdefault(path.read_text(), (name, new_tags))
        if known[1] != new_tags:
            name += f" (the text of: {known[0]})"
        yield name, recorded.judge(before, get_matches(tool, profile, path),
                                   old_tags, new_tags)


def get_matches(tool, profile, path):
    return recorded.get_matches(tool, profile, path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default=changed.HERE.parents[1] / "build"
                        / "bin" / "mlir-prof")
    parser.add_argument("--models", default=",".join(modules.MODELS))
    parser.add_argument("--kind", choices=("onnx", "tf"))
    parser.add_argument("--names", choices=("scopes", "flat"))
    parser.add_argument("--edits", default=";".join(EDITS))
    parser.add_argument("--level", default="DISABLE_ALL",
                        help="of ONNX Runtime's optimizer")
    parser.add_argument("--onnx-models", action="store_true",
                        help="import with the model and the optimized one")
    parser.add_argument("--most-wrong", type=float, default=math.inf,
                        help="fail where more percent of the time are wrong")
    options = parser.parse_args()
    print("| model | nodes | names | edit | right | wrong | shared |"
          " unmatched | has one |\n|---|---|---|---|---|---|---|---|---|")
    for model in options.models.split(","):
        for kind in [options.kind] if options.kind else ["onnx", "tf"]:
            for names in ([options.names] if options.names
                          else ["scopes", "flat"]):
                with tempfile.TemporaryDirectory() as folder:
                    for name, shares in measure(
                            str(options.tool), pathlib.Path(folder), model,
                            kind, names, options.edits.split(";"),
                            options.level, options.onnx_models):
                        print(f"| {model} | {kind} | {names} | {name} | "
                              + " | ".join(f"{x:.1f}" for x in shares) + " |",
                              flush=True)
                        if shares[1] > options.most_wrong:
                            raise SystemExit(f"more than {options.most_wrong:g}"
                                             " % are wrong")


if __name__ == "__main__":
    main()
