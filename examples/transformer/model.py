#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a transformer block in linalg on tensors, with weights, an input and
the result that a float64 computation gives.

  python3 model.py -o FOLDER

writes FOLDER/transformer.mlir, x.npy and expected.npy. Needs only Python. The
block is an encoder's: self-attention, residual, layer norm, feed-forward with
GELU, residual, layer norm. Every op has a name as its location.
"""

import argparse
import array
import math
import operator
import os
import random
import struct


class Tensor:
    """A dense f32 array in row-major order."""

    def __init__(self, shape, values):
        self.shape = tuple(shape)
        self.values = array.array("f", values)
        assert len(self.values) == math.prod(self.shape)

    def tobytes(self):
        return self.values.tobytes()


class Module:
    """A text builder for modules of one function on tensors of f32.

    `weights` maps names to arrays with `shape` and `tobytes`; they become
    arguments, or `dense_resource` constants when `constant_weights`.
    """

    def __init__(self, name, inputs, weights, constant_weights=True):
        self.name, self.inputs, self.weights = name, inputs, weights
        self.constant_weights = constant_weights
        self.lines, self.constants, self.count = [], {}, 0

    @staticmethod
    def type(shape):
        dims = "".join(f"{'?' if d is None else d}x" for d in shape)
        return f"tensor<{dims}f32>"

    def emit(self, text, loc=None):
        self.lines.append("    " + text + (f' loc("{loc}")' if loc else ""))

    def op(self, text, loc=None):
        """Emits an op with one result and returns the result's name."""
        name = f"%v{self.count}"
        self.count += 1
        self.emit(f"{name} = {text}", loc)
        return name

    def constant(self, value):
        key = repr(float(value))
        if key not in self.constants:
            name = f"%c{len(self.constants)}"
            self.constants[key] = name
            self.lines.insert(0, f"    {name} = arith.constant {value:.9e} : f32")
        return self.constants[key]

    def empty(self, shape, size=""):
        return self.op(f"tensor.empty({size}) : {self.type(shape)}")

    def fill(self, shape, value, loc, size=""):
        out, kind = self.empty(shape, size), self.type(shape)
        return self.op(f"linalg.fill ins({self.constant(value)} : f32) "
                       f"outs({out} : {kind}) -> {kind}", loc)

    def matmul(self, a, a_shape, b, b_shape, loc, size="", kind="matmul"):
        shape = list(a_shape[:-1]) + [b_shape[-1]]
        out, t = self.fill(shape, 0.0, loc + "/init", size), self.type
        return self.op(f"linalg.{kind} ins({a}, {b} : {t(a_shape)}, {t(b_shape)}) "
                       f"outs({out} : {t(shape)}) -> {t(shape)}", loc), shape

    def generic(self, ins, shape, maps, body, loc, iterators=None, init=None,
                size=""):
        """`ins`: (value, shape) pairs; `maps`: the operands' maps, the output's
        last; `body(b, arguments)` emits ops with `b` and returns the result."""
        kind = self.type(shape)
        out = init or self.empty(shape, size)
        rank = maps[0].split(")")[0].count("d")
        iterators = iterators or ["parallel"] * rank
        name = f"%v{self.count}"
        self.count += 1
        arguments = [f"{name}i{k}" for k in range(len(ins))] + [f"{name}o"]
        inner = []

        def emit(text):
            result = f"{name}b{len(inner)}"
            inner.append(f"      {result} = {text}")
            return result
        result = body(emit, arguments)
        self.emit(
            f"{name} = linalg.generic {{indexing_maps = ["
            + ", ".join(f"affine_map<{m}>" for m in maps)
            + "], iterator_types = ["
            + ", ".join(f'"{i}"' for i in iterators) + "]} ins("
            + ", ".join(v for v, _ in ins) + " : "
            + ", ".join(self.type(s) for _, s in ins)
            + f") outs({out} : {kind}) {{")
        self.lines.append("    ^bb0(" + ", ".join(f"{a}: f32" for a in arguments)
                          + "):")
        self.lines += inner
        self.lines.append(f"      linalg.yield {result} : f32")
        self.emit(f"}} -> {kind}", loc)
        return name

    def gelu(self, b, x):
        """GELU in the tanh form."""
        cube = b(f"arith.mulf {b(f'arith.mulf {x}, {x} : f32')}, {x} : f32")
        t = b(f"arith.mulf {cube}, {self.constant(0.044715)} : f32")
        t = b(f"arith.addf {x}, {t} : f32")
        t = b(f"arith.mulf {t}, {self.constant(0.7978845608028654)} : f32")
        t = b(f"arith.addf {b(f'math.tanh {t} : f32')}, {self.constant(1.0)} : f32")
        half = b(f"arith.mulf {x}, {self.constant(0.5)} : f32")
        return b(f"arith.mulf {half}, {t} : f32")

    def bias(self, x, shape, bias, activation, loc, size=""):
        dims = ", ".join(f"d{i}" for i in range(len(shape)))
        same = f"({dims}) -> ({dims})"

        def body(b, a):
            total = b(f"arith.addf {a[0]}, {a[1]} : f32")
            if activation == "relu":
                return b(f"arith.maximumf {total}, {self.constant(0.0)} : f32")
            return self.gelu(b, total) if activation == "gelu" else total
        return self.generic([(x, shape), (bias, [shape[-1]])], shape,
                            [same, f"({dims}) -> (d{len(shape) - 1})", same],
                            body, loc, size=size)

    def text(self, result, shape):
        arguments = [f"%{n}: {self.type(s)}" for n, s in self.inputs.items()]
        constants, resources = [], ""
        for name, value in self.weights.items():
            kind = self.type(value.shape)
            if self.constant_weights:
                constants.append(f"    %{name} = arith.constant "
                                 f'dense_resource<{name}> : {kind} loc("{name}")')
            else:
                arguments.append(f"%{name}: {kind}")
        if self.constant_weights:
            # The first four bytes are the alignment: 64.
            blobs = ",\n".join(f'      {n}: "0x40000000{v.tobytes().hex().upper()}"'
                               for n, v in self.weights.items())
            resources = ("\n{-#\n  dialect_resources: {\n    builtin: {\n" + blobs
                         + "\n    }\n  }\n#-}\n")
        kind = self.type(shape)
        body = "\n".join(constants + self.lines)
        return (f"module @{self.name} {{\n"
                f"  func.func @main({', '.join(arguments)}) -> {kind} {{\n{body}\n"
                f"    return {result} : {kind}\n  }}\n}}\n" + resources)


def transformer(module, s, d, heads, ff):
    """Builds an encoder block on `s` tokens of width `d` and returns the text."""
    g, name, t = module, module.name, Module.type
    width = d // heads
    same2, same3 = "(d0, d1) -> (d0, d1)", "(d0, d1, d2) -> (d0, d1, d2)"
    rows2, rows3 = "(d0, d1) -> (d0)", "(d0, d1, d2) -> (d0, d1)"
    columns = "(d0, d1) -> (d1)"
    reduce2 = ["parallel", "reduction"]
    reduce3 = ["parallel", "parallel", "reduction"]

    def add(b, a):
        return b(f"arith.addf {a[0]}, {a[1]} : f32")

    def layer_norm(x, gain, offset, loc):
        zero = g.fill([s], 0.0, loc + "/init")
        inverse = g.constant(1.0 / d)
        total = g.generic([(x, [s, d])], [s], [same2, rows2], add, loc + "/sum",
                          reduce2, zero)
        mean = g.generic([(total, [s])], [s], ["(d0) -> (d0)"] * 2,
                         lambda b, a: b(f"arith.mulf {a[0]}, {inverse} : f32"),
                         loc + "/mean")

        def square(b, a):
            q = b(f"arith.subf {a[0]}, {a[1]} : f32")
            return b(f"arith.addf {b(f'arith.mulf {q}, {q} : f32')}, {a[2]} : f32")
        variance = g.generic([(x, [s, d]), (mean, [s])], [s],
                             [same2, rows2, rows2], square, loc + "/variance",
                             reduce2, zero)
        epsilon = g.constant(1e-5)

        def normalize(b, a):
            c = b(f"arith.subf {a[0]}, {a[1]} : f32")
            q = b(f"arith.mulf {a[2]}, {inverse} : f32")
            q = b(f"math.rsqrt {b(f'arith.addf {q}, {epsilon} : f32')} : f32")
            q = b(f"arith.mulf {c}, {q} : f32")
            q = b(f"arith.mulf {q}, {a[3]} : f32")
            return b(f"arith.addf {q}, {a[4]} : f32")
        return g.generic([(x, [s, d]), (mean, [s]), (variance, [s]),
                          (gain, [d]), (offset, [d])], [s, d],
                         [same2, rows2, rows2, columns, columns, same2],
                         normalize, loc + "/normalize")

    def residual(x, y, loc):
        return g.generic([(x, [s, d]), (y, [s, d])], [s, d], [same2] * 3, add, loc)

    def project(n, order):
        """Projection `n` of the input, split by heads."""
        loc = f"{name}/attention/{n}"
        a, shape = g.matmul("%x", [s, d], f"%w{n}", [d, d], loc + "/matmul")
        a = g.bias(a, shape, f"%b{n}", None, loc + "/bias")
        a = g.op(f"tensor.expand_shape {a} [[0], [1, 2]] output_shape "
                 f"[{s}, {heads}, {width}] : {t([s, d])} into "
                 f"{t([s, heads, width])}", loc + "/split")
        out = [[s, heads, width][i] for i in order]
        return g.op(f"linalg.transpose ins({a} : {t([s, heads, width])}) "
                    f"outs({g.empty(out)} : {t(out)}) permutation = {order}",
                    loc + "/transpose")

    q, k, v = (project("q", [1, 0, 2]), project("k", [1, 2, 0]),
               project("v", [1, 0, 2]))
    loc = f"{name}/attention"
    a, square = g.matmul(q, [heads, s, width], k, [heads, width, s],
                         loc + "/scores", kind="batch_matmul")
    scale = g.constant(1.0 / math.sqrt(width))
    a = g.generic([(a, square)], square, [same3] * 2,
                  lambda b, x: b(f"arith.mulf {x[0]}, {scale} : f32"),
                  loc + "/scale")
    low = g.fill([heads, s], -3.4e38, loc + "/softmax/init_max")
    top = g.generic([(a, square)], [heads, s], [same3, rows3],
                    lambda b, x: b(f"arith.maximumf {x[0]}, {x[1]} : f32"),
                    loc + "/softmax/max", reduce3, low)

    def exponential(b, x):
        return b(f"math.exp {b(f'arith.subf {x[0]}, {x[1]} : f32')} : f32")
    e = g.generic([(a, square), (top, [heads, s])], square, [same3, rows3, same3],
                  exponential, loc + "/softmax/exp")
    zero = g.fill([heads, s], 0.0, loc + "/softmax/init_sum")
    total = g.generic([(e, square)], [heads, s], [same3, rows3], add,
                      loc + "/softmax/sum", reduce3, zero)
    p = g.generic([(e, square), (total, [heads, s])], square,
                  [same3, rows3, same3],
                  lambda b, x: b(f"arith.divf {x[0]}, {x[1]} : f32"),
                  loc + "/softmax/divide")
    o, split = g.matmul(p, square, v, [heads, s, width], loc + "/context",
                        kind="batch_matmul")
    merged = [s, heads, width]
    o = g.op(f"linalg.transpose ins({o} : {t(split)}) outs({g.empty(merged)} : "
             f"{t(merged)}) permutation = [1, 0, 2]", loc + "/merge_transpose")
    o = g.op(f"tensor.collapse_shape {o} [[0], [1, 2]] : {t(merged)} into "
             f"{t([s, d])}", loc + "/merge")
    o, shape = g.matmul(o, [s, d], "%wo", [d, d], loc + "/out/matmul")
    o = g.bias(o, shape, "%bo", None, loc + "/out/bias")
    y = layer_norm(residual("%x", o, f"{name}/residual1"), "%g1", "%be1",
                   f"{name}/norm1")
    loc = f"{name}/feed_forward"
    f, shape = g.matmul(y, [s, d], "%wf1", [d, ff], loc + "/up/matmul")
    f = g.bias(f, shape, "%bf1", "gelu", loc + "/up/bias_gelu")
    f, shape = g.matmul(f, shape, "%wf2", [ff, d], loc + "/down/matmul")
    f = g.bias(f, shape, "%bf2", None, loc + "/down/bias")
    y = layer_norm(residual(y, f, f"{name}/residual2"), "%g2", "%be2",
                   f"{name}/norm2")
    return g.text(y, [s, d])


# The same in float64, on lists of rows.


def times(a, b):
    columns = list(zip(*b))
    return [[sum(map(operator.mul, row, column)) for column in columns]
            for row in a]


def shifted(a, vector):
    return [[x + y for x, y in zip(row, vector)] for row in a]


def normalized(a, gain, offset):
    result = []
    for row in a:
        mean = sum(row) / len(row)
        variance = sum((x - mean) ** 2 for x in row) / len(row)
        scale = 1 / math.sqrt(variance + 1e-5)
        result.append([(x - mean) * scale * g + o
                       for x, g, o in zip(row, gain, offset)])
    return result


def softmax(row):
    top = max(row)
    e = [math.exp(x - top) for x in row]
    total = sum(e)
    return [x / total for x in e]


def gelu(x):
    return 0.5 * x * (1 + math.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))


def reference(x, w, heads):
    """The block in float64. `w` maps names to rows, or to vectors."""
    d = len(x[0])
    width = d // heads
    q, k, v = (shifted(times(x, w["w" + n]), w["b" + n]) for n in "qkv")
    merged = [[] for _ in x]
    for head in range(heads):
        part = slice(head * width, (head + 1) * width)
        keys = [row[part] for row in k]
        scores = [[sum(map(operator.mul, row[part], key)) / math.sqrt(width)
                   for key in keys] for row in q]
        context = times([softmax(row) for row in scores],
                        [row[part] for row in v])
        for row, more in zip(merged, context):
            row += more
    o = shifted(times(merged, w["wo"]), w["bo"])
    y = normalized([[a + b for a, b in zip(r, s)] for r, s in zip(x, o)],
                   w["g1"], w["be1"])
    f = shifted(times(y, w["wf1"]), w["bf1"])
    f = shifted(times([[gelu(a) for a in row] for row in f], w["wf2"]), w["bf2"])
    return normalized([[a + b for a, b in zip(r, s)] for r, s in zip(y, f)],
                      w["g2"], w["be2"])


def shapes(d, ff):
    """Names and shapes of the block's weights."""
    result = {}
    for n in "qkvo":
        result["w" + n], result["b" + n] = (d, d), (d,)
    result.update(g1=(d,), be1=(d,), wf1=(d, ff), bf1=(ff,), wf2=(ff, d),
                  bf2=(d,), g2=(d,), be2=(d,))
    return result


def make_weights(seed, d, ff):
    """Seeded weights: matrices preserve the magnitude of their operands."""
    rng = random.Random(seed)
    result = {}
    for name, shape in shapes(d, ff).items():
        deviation = 1 / math.sqrt(shape[0]) if len(shape) == 2 else 0.1
        center = 1.0 if name.startswith("g") else 0.0
        result[name] = Tensor(shape, (rng.gauss(center, deviation)
                                      for _ in range(math.prod(shape))))
    return result


def rows(tensor):
    """As lists for `reference`: rows of a matrix, or a vector."""
    values = tensor.values.tolist()
    if len(tensor.shape) == 1:
        return values
    n = tensor.shape[1]
    return [values[i:i + n] for i in range(0, len(values), n)]


def save(path, shape, code, values):
    """A *.npy file; `code` is "f" or "d"."""
    kind = {"f": "<f4", "d": "<f8"}[code]
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                   + header.encode() + array.array(code, values).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", required=True, metavar="FOLDER")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    s, d, heads, ff = (options.tokens, options.width, options.heads,
                       options.hidden)
    weights = make_weights(options.seed, d, ff)
    rng = random.Random(options.seed + 1)
    x = Tensor((s, d), (rng.gauss(0, 1) for _ in range(s * d)))
    os.makedirs(options.o, exist_ok=True)
    module = Module("transformer", {"x": x.shape}, weights)
    with open(os.path.join(options.o, "transformer.mlir"), "w") as file:
        file.write(transformer(module, s, d, heads, ff))
    expected = reference(rows(x), {n: rows(w) for n, w in weights.items()}, heads)
    save(os.path.join(options.o, "x.npy"), x.shape, "f", x.values)
    save(os.path.join(options.o, "expected.npy"), x.shape, "d",
         [value for row in expected for value in row])


if __name__ == "__main__":
    main()
