#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of awkward shapes by a seeded generator, for benchmarks.

  python bench/generated.py FOLDER

writes 30 models to FOLDER: NAME.mlir, NAME.INPUT.npy, NAME.expected.npy (in
float64), NAME.onnx where there is such a model and the package onnx is
installed, and NAME.json with its properties. The same seed gives the same
files. Needs numpy.
"""

import argparse
import importlib.util
import json
import math
import pathlib

import numpy as np

from threefold import Builder
from threefold.core import to_bytes

#: Not multiples of any size that a compiler prefers.
SIZES = [33, 77, 100, 197, 333, 513, 1000]
CHANNELS = [3, 10, 20, 33, 50, 77, 100]
IMAGES = [7, 13, 14, 29, 33, 56, 77, 100]
BATCHES = [1, 2, 3, 5, 8, 16, 31, 64, 100, 128]
ACTIVATIONS = [None, "relu", "gelu"]

#: Largest error, relative to the largest element. If bf16 is stored, half its
#: last place, and the same again for sums that round to the other side.
F32, BF16, EXACT = 1e-5, 2.0 ** -8, 0.0
#: Limit on a model's operations: the plain loops would take too long.
FEWEST, MOST = 3e6, 1e8


class Draw:
    """Random choices of one model."""

    def __init__(self, seed, index):
        self.rng = np.random.default_rng([seed, index])

    def one(self, values):
        return values[self.rng.integers(len(values))]

    def sizes(self, pools, operations, fewest=FEWEST):
        """One of each pool, such that the work is neither little nor much."""
        for _ in range(100000):
            sizes = [self.one(pool) for pool in pools]
            if fewest <= operations(*sizes) <= MOST:
                return sizes
        raise ValueError("the pools allow no model of this size")

    def normal(self, *shape, fan=1):
        return self.rng.standard_normal(shape) / math.sqrt(fan)

    def bytes(self, *shape):
        return self.rng.integers(-128, 128, shape)


def linear(g, d, x, name, width, activation=None):
    depth = x.shape[-1]
    weight = g.weight(f"w{name}", d.normal(depth, width, fan=depth))
    bias = g.weight(f"b{name}", d.normal(width, fan=100))
    return g.bias(g.matmul(x, weight), bias, activation)


def dense(g, d):
    m, k, n = d.sizes([BATCHES, SIZES, SIZES], lambda m, k, n: 2 * m * k * n)
    x = g.argument("x", d.normal(m, k))
    return linear(g, d, x, "", n, d.one(ACTIVATIONS)), F32


def layers(g, d):
    m, *widths = d.sizes(
        [BATCHES, *[SIZES] * 4], lambda m, *w: 2 * m * sum(
            a * b for a, b in zip(w, w[1:])))
    x = g.argument("x", d.normal(m, widths[0]))
    for i, width in enumerate(widths[1:]):
        x = linear(g, d, x, i, width, d.one(ACTIVATIONS) if i < 2 else None)
    return x, F32


def products(g, d):
    batch, m, n, k = d.sizes([[2, 3, 7, 12], *[SIZES] * 3],
                             lambda *s: 2 * math.prod(s))
    a = g.argument("a", d.normal(batch, m, k))
    b = g.argument("b", d.normal(batch, k, n, fan=k))
    return g.matmul(a, b), F32


def split_heads(g, x, batch, heads, order):
    """[tokens, width] to [batch * heads, ...], tokens first or last."""
    length, width = x.shape[0] // batch, x.shape[1] // heads
    shape = (batch, length, heads, width)
    y = g.reshape(x, shape, [[0, 1], [2, 3]], g.onnx_reshape(x, shape))
    y = g.transpose(y, order)
    merged = (batch * heads,) + y.shape[2:]
    return g.reshape(y, merged, [[0, 1], [2], [3]], g.onnx_reshape(y, merged))


def attention(g, d):
    batch, length, heads, width = d.sizes(
        [[1, 2, 3, 5], [33, 77, 100, 197], [1, 2, 3, 5], [20, 25, 33, 64]],
        lambda b, s, h, w: b * s * h * w * (8 * h * w + 4 * s))
    wide = heads * width
    x = g.argument("x", d.normal(batch * length, wide))
    q = split_heads(g, linear(g, d, x, "q", wide), batch, heads, (0, 2, 1, 3))
    k = split_heads(g, linear(g, d, x, "k", wide), batch, heads, (0, 2, 3, 1))
    v = split_heads(g, linear(g, d, x, "v", wide), batch, heads, (0, 2, 1, 3))
    p = g.softmax(g.matmul(q, k), 1 / math.sqrt(width))
    o = g.matmul(p, v)
    shape = (batch, heads, length, width)
    o = g.reshape(o, shape, [[0, 1], [2], [3]], g.onnx_reshape(o, shape))
    o = g.transpose(o, (0, 2, 1, 3))
    o = g.reshape(o, x.shape, [[0, 1], [2, 3]], g.onnx_reshape(o, x.shape))
    return g.add(x, linear(g, d, o, "o", wide)), F32


def feed_forward(g, d):
    m, width, hidden = d.sizes([BATCHES, SIZES, SIZES],
                               lambda m, w, h: 4 * m * w * h)
    x = g.argument("x", d.normal(m, width))
    gain = g.weight("gain", 1 + d.normal(width, fan=100))
    offset = g.weight("offset", d.normal(width, fan=100))
    y = linear(g, d, g.layer_norm(x, gain, offset), "1", hidden, "gelu")
    return g.add(x, linear(g, d, y, "2", width)), F32


def rows(g, d):
    m, width = d.sizes([BATCHES, SIZES], lambda m, w: 20 * m * w, 2e5)
    x = g.argument("x", d.normal(m, width))
    gain = g.weight("gain", 1 + d.normal(width, fan=100))
    offset = g.weight("offset", d.normal(width, fan=100))
    return g.softmax(g.layer_norm(x, gain, offset)), F32


def image(g, d, batches, channels, filters, window, stride, fewest=FEWEST):
    batch, h, w, c, f = d.sizes(
        [batches, IMAGES, IMAGES, channels, filters],
        lambda b, h, w, c, f: 2 * b * h * w * c * f * (window / stride) ** 2,
        fewest)
    return g.argument("x", d.normal(batch, h, w, c)), f


def convolution(g, d, window=None, stride=None):
    window = window or d.one([3, 3, 5, 7])
    stride = stride or d.one([1, 1, 2])
    x, f = image(g, d, BATCHES[:5], CHANNELS, CHANNELS[1:] + [64], window,
                 stride)
    c = x.shape[3]
    kernel = g.conv_kernel("k", d.normal(window, window, c, f,
                                         fan=c * window ** 2))
    bias = g.weight("b", d.normal(f, fan=100))
    return g.bias(g.conv(x, kernel, stride), bias, "relu"), F32


def strided(g, d):
    return convolution(g, d, d.one([3, 5]), 2)


def pointwise(g, d):
    return convolution(g, d, 1, d.one([1, 2]))


def depthwise(g, d):
    window, stride = d.one([3, 3, 5]), d.one([1, 2])
    x, _ = image(g, d, BATCHES[:6], CHANNELS[2:] + [197], [1], window, stride,
                 1e6)
    c = x.shape[3]
    kernel = g.depthwise_kernel("k", d.normal(window, window, c,
                                              fan=window ** 2))
    bias = g.weight("b", d.normal(c, fan=100))
    return g.bias(g.depthwise(x, kernel, stride), bias, "relu"), F32


def separable(g, d):
    """1x1, depthwise, 1x1, plus the input."""
    x, _ = image(g, d, BATCHES[:4], [20, 33, 50], [400], 1, 1)
    c, wide = x.shape[3], 3 * x.shape[3]
    y = g.conv(x, g.conv_kernel("k1", d.normal(1, 1, c, wide, fan=c)))
    y = g.bias(y, g.weight("b1", d.normal(wide, fan=100)), "relu")
    y = g.depthwise(y, g.depthwise_kernel("k2", d.normal(3, 3, wide, fan=9)))
    y = g.bias(y, g.weight("b2", d.normal(wide, fan=100)), "relu")
    y = g.conv(y, g.conv_kernel("k3", d.normal(1, 1, wide, c, fan=wide)))
    return g.add(x, g.bias(y, g.weight("b3", d.normal(c, fan=100)))), F32


def grouped(g, d):
    groups, stride = d.one([2, 3, 5, 10]), d.one([1, 2])
    c, f = d.one([4, 7, 10, 20]), d.one([5, 8, 11])
    x, _ = image(g, d, BATCHES[:4], [groups * c], [f], 3, stride)
    kernel = g.grouped_kernel("k", d.normal(groups, f, 3, 3, c, fan=9 * c))
    bias = g.weight("b", d.normal(groups * f, fan=100))
    return g.bias(g.grouped(x, kernel, stride), bias, "relu"), F32


def half_product(g, d):
    """bf16 by bf16 into f32."""
    m, k, n = d.sizes([BATCHES, SIZES, SIZES], lambda m, k, n: 2 * m * k * n)
    x = g.argument("x", d.normal(m, k), "bf16")
    product = g.matmul(x, g.weight("w", d.normal(k, n, fan=k), "bf16"))
    return g.bias(product, g.weight("b", d.normal(n, fan=100)), "relu"), F32


def half_layer(g, d):
    """The same, stored as bf16."""
    result, _ = half_product(g, d)
    return g.cast(result, "bf16"), BF16


def byte_product(g, d):
    m, k, n = d.sizes([BATCHES, SIZES, SIZES], lambda m, k, n: 2 * m * k * n)
    x = g.argument("x", d.bytes(m, k), "i8")
    return g.matmul(x, g.weight("w", d.bytes(k, n), "i8")), EXACT


def byte_layer(g, d):
    """Converted to f32, with a bias."""
    product, _ = byte_product(g, d)
    depth, width = g.weights["w"].shape
    y = g.cast(product, "f32", 1 / (128 * 128 * math.sqrt(depth)))
    return g.bias(y, g.weight("b", d.normal(width, fan=100)), "relu"), F32


def byte_convolution(g, d):
    x, f = image(g, d, BATCHES[:3], CHANNELS, CHANNELS[1:], 3, 1)
    g.arguments.clear()
    c = x.shape[3]
    x = g.argument("x", d.bytes(*x.shape), "i8")
    kernel = g.conv_kernel("k", d.bytes(3, 3, c, f), "i8")
    return g.conv(x, kernel), EXACT


#: The families of 30 models; further models repeat them.
FAMILIES = [dense, layers, products, attention, feed_forward, rows,
            convolution, strided, pointwise, depthwise, separable, grouped,
            half_product, byte_product, dense,
            attention, convolution, strided, pointwise, depthwise,
            dense, attention, layers, grouped, half_layer,
            byte_layer, convolution, depthwise, byte_convolution, attention]


def part_gemm(batch, m, n, k, is_constant):
    def family(g, d):
        lead = (batch,) if batch > 1 else ()
        a = g.argument("a", d.normal(*lead, m, k))
        add = g.weight if is_constant else g.argument
        return g.matmul(a, add("b", d.normal(*lead, k, n, fan=k))), F32
    return f"gemm_{batch}x{m}x{n}x{k}", family


def part_convolution(size, c, f, stride):
    def family(g, d):
        x = g.argument("x", d.normal(1, size, size, c))
        kernel = g.conv_kernel("k", d.normal(3, 3, c, f, fan=9 * c))
        return g.conv(x, kernel, stride), F32
    return f"conv_{size}x{c}x{f}_{stride}", family


#: The matrix products and convolutions of bench/models.py, each alone.
PARTS = [
    *(part_gemm(1, 128, n, k, True) for n, k in (
        (3072, 768), (768, 3072), (256, 256), (1024, 256), (256, 1024))),
    part_gemm(4, 128, 128, 64, False), part_gemm(4, 128, 64, 128, False),
    *(part_gemm(1, rows, n, 1024, True) for rows in (1, 8, 32, 128)
      for n in (1024, 256)),
    part_convolution(56, 64, 64, 1), part_convolution(28, 64, 128, 2)]


def choose(options):
    """(name, family) of each model to write."""
    if options.parts:
        # Two models may have the same name.
        return dict(PARTS).items()
    families = [FAMILIES[i % len(FAMILIES)] for i in range(options.count)]
    return [(f"{i:02}_{f.__name__}", f) for i, f in enumerate(families)]


def write(folder, name, family, draw, has_onnx):
    g = Builder(name)
    result, bound = family(g, draw)
    (folder / f"{name}.mlir").write_text(g.text(result))
    for argument, tensor in g.arguments.items():
        np.save(folder / f"{name}.{argument}.npy",
                to_bytes(tensor.value, tensor.type))
    np.save(folder / f"{name}.expected.npy", result.value.astype(np.float64))
    facts = dict(
        bound=bound, operations=g.flops, steps=g.steps,
        inputs={n: t.mlir for n, t in g.arguments.items()},
        weights={n: t.mlir for n, t in g.weights.items()},
        result=result.mlir, onnx=has_onnx and g.save_onnx(
            result, str(folder / f"{name}.onnx")))
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n")
    return facts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=len(FAMILIES))
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--parts", action="store_true",
                        help="the products and convolutions of bench/models.py "
                        "instead, each alone")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    has_onnx = importlib.util.find_spec("onnx") is not None
    for index, (name, family) in enumerate(choose(options)):
        facts = write(folder, name, family, Draw(options.seed, index), has_onnx)
        shapes = " ".join([*facts["inputs"].values(),
                           *facts["weights"].values()])
        print(f"{name}: {facts['operations'] / 1e6:.1f} M operations, "
              f"{'' if facts['onnx'] else 'no '}ONNX; "
              f"{shapes.replace('tensor', '')} -> {facts['result'][6:]}")


if __name__ == "__main__":
    main()
