#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small models as TOSA, with inputs and the results that NumPy computes.

usage: make_models.py FOLDER

The models int8 and uint8 have a convolution, a depthwise one, a residual sum, both kinds
of pooling and a fully connected layer, quantized as TensorFlow Lite does it; float32 has
a convolution, a matrix product and a softmax; average has windows that reach over the
border, rescales has all forms of that op, even rounds floats, and returns their bits.
FOLDER/NAME.mlir is the model,
NAME-in.npy its inputs, with the number of the call as the first axis, and NAME-out.npy
the results. The arithmetic of integers is that of TOSA's specification, in 64 bits.
"""

import math
import pathlib
import sys

import numpy as np

CALLS = 3


# Arithmetic of TOSA ----------------------------------------------------------

def scale_down(values, multiplier, shift, double_round):
    """apply_scale_32 of the specification, for arrays that broadcast."""
    values, multiplier, shift = (np.asarray(x, np.int64) for x in (values, multiplier, shift))
    rounding = np.int64(1) << (shift - 1)
    if double_round:
        twice = np.where(values >= 0, np.int64(1) << 30, -(np.int64(1) << 30))
        rounding = rounding + np.where(shift > 31, twice, 0)
    return (values * multiplier + rounding) >> shift


def rescale(values, scale, zero, double_round=True):
    """To 8 bits with a sign."""
    return np.clip(scale_down(values, *scale, double_round) + zero, -128, 127)


def split_scale(ratios):
    """Multipliers of 31 bits and shifts, by which TOSA expresses ratios."""
    mantissas, exponents = np.frexp(np.asarray(ratios))
    return np.int64(np.round(mantissas * 2.0**31)), 31 - np.int64(exponents)


def pad(array, border, value):
    return np.pad(array, ((0, 0), (border, border), (border, border), (0, 0)),
                  constant_values=value)


def patches(array, size):
    """The windows of `array`: N x H x W x size x size x C."""
    windows = np.lib.stride_tricks.sliding_window_view(array, (size, size), axis=(1, 2))
    return np.moveaxis(windows, 3, -1)


def convolve(array, weights, border=1, zero=0):
    """weights: O x K x K x I."""
    return np.einsum("nhwabi,oabi->nhwo",
                     patches(pad(array, border, zero), weights.shape[1]), weights)


def convolve_each(array, weights, zero):
    """weights: K x K x C."""
    return np.einsum("nhwabc,abc->nhwc",
                     patches(pad(array, 1, zero), weights.shape[0]), weights)


def average(array, zero_in, zero_out):
    """avg_pool2d over all positions."""
    count = array.shape[1] * array.shape[2]
    power = (count - 1).bit_length()
    multiplier = (((1 << 30) + 1) << power) // count
    total = array.sum(axis=(1, 2), keepdims=True) - count * zero_in
    return np.clip(scale_down(total, multiplier, 30 + power, False) + zero_out, -128, 127)


# Text of TOSA ----------------------------------------------------------------

class Writer:
    """The ops of a function, one after the other. A value is its name and type."""

    def __init__(self):
        self.lines = []

    def add(self, shape, element, name, inputs, attributes=""):
        """An op whose result has this type."""
        result = (f"%{len(self.lines)}", "x".join([*map(str, shape), element]))
        names = ", ".join(value for value, _ in inputs)
        types = ", ".join(kind if kind.startswith("!") else f"tensor<{kind}>"
                          for _, kind in inputs)
        self.lines.append(f"{result[0]} = tosa.{name} {names} {attributes}"
                          f" : ({types}) -> tensor<{result[1]}>")
        return result

    def constant(self, values, element):
        values = np.atleast_1d(values)
        result = (f"%{len(self.lines)}", "x".join([*map(str, values.shape), element]))
        kind = f"tensor<{result[1]}>"
        self.lines.append(f'{result[0]} = "tosa.const"() <{{values = dense<{values.tolist()}>'
                          f" : {kind}}}> : () -> {kind}")
        return result

    def shape(self, numbers):
        """A constant of a shape's type."""
        result = (f"%{len(self.lines)}", f"!tosa.shape<{len(numbers)}>")
        self.lines.append(f"{result[0]} = tosa.const_shape {{values = dense<{list(numbers)}> : "
                          f"tensor<{len(numbers)}xindex>}} : () -> {result[1]}")
        return result

    def reshape(self, value, shape):
        """To another shape of equal elements."""
        place = self.shape(shape)
        result = (f"%{len(self.lines)}",
                  "x".join([*map(str, shape), value[1].split("x")[-1]]))
        self.lines.append(f"{result[0]} = tosa.reshape {value[0]}, {place[0]} : "
                          f"(tensor<{value[1]}>, {place[1]}) -> tensor<{result[1]}>")
        return result

    def rescale(self, value, shape, element, scale, zeros, double_round=True,
                is_long=True):
        """`zeros` are those of the input and of the result."""
        from_element = value[1].split("x")[-1]
        inputs = [value, self.constant(scale[0], "i32" if is_long else "i16"),
                  self.constant(scale[1], "i8"),
                  self.constant(zeros[0], from_element), self.constant(zeros[1], element)]
        options = {"input_unsigned": from_element == "ui8",
                   "output_unsigned": element == "ui8",
                   "per_channel": np.size(scale[0]) > 1, "scale32": is_long}
        texts = [f"{key} = {str(flag).lower()}" for key, flag in options.items()]
        texts.append("rounding_mode = " + ("DOUBLE_ROUND" if double_round else "SINGLE_ROUND"))
        return self.add(shape, element, "rescale", inputs, f"{{{', '.join(texts)}}}")

    def function(self, argument, result):
        body = "\n".join("    " + line for line in self.lines)
        return (f"module {{\n  func.func @main(%input: tensor<{argument[1]}>) -> "
                f"tensor<{result[1]}> {{\n{body}\n    return {result[0]} : "
                f"tensor<{result[1]}>\n  }}\n}}\n")


def window(kernel, border, stride, accumulator=None):
    """The attributes of an op with windows."""
    parts = [f"kernel = array<i64: {kernel}, {kernel}>"] if kernel else \
        ["dilation = array<i64: 1, 1>"]
    parts += [f"pad = array<i64: {', '.join([str(border)] * 4)}>",
              f"stride = array<i64: {stride}, {stride}>"]
    if accumulator:
        parts.append(f"acc_type = {accumulator}")
    return "{" + ", ".join(parts) + "}"


# Models ----------------------------------------------------------------------

class Quantized:
    """A network on images of 8x8 with 3 channels."""

    SIZE, IN, MID, OUT = 8, 3, 8, 5
    INPUT_ZERO, ZERO, POOL_ZERO, OUT_ZERO = -3, -20, -20, 11

    def __init__(self, random):
        def make_layer(shape, channels, low, high):
            return (random.integers(-127, 128, shape), random.integers(-3000, 3000, channels),
                    split_scale(random.uniform(low, high, channels)))
        self.first = make_layer((self.MID, 3, 3, self.IN), self.MID, 0.0008, 0.003)
        self.each = make_layer((3, 3, self.MID), self.MID, 0.002, 0.004)
        self.last = make_layer((self.OUT, 1, 1, self.MID), self.OUT, 0.004, 0.009)
        self.sum = [split_scale(ratio) for ratio in (0.5 * 2**18, 0.37 * 2**18, 1.1 / 2**18)]

    def run(self, images):
        """The results for images of numbers with signs."""
        zero = self.ZERO
        weights, bias, scale = self.first
        first = rescale(convolve(images - self.INPUT_ZERO, weights) + bias, scale, zero)
        weights, bias, scale = self.each
        each = rescale(convolve_each(first - zero, weights, 0) + bias, scale, zero)
        total = sum(scale_down(part - zero, *scale, False)
                    for part, scale in zip((first, each), self.sum))
        total = rescale(total, self.sum[2], zero, False)
        half = total.reshape(total.shape[0], 4, 2, 4, 2, self.MID).max(axis=(2, 4))
        pooled = average(half, zero, self.POOL_ZERO)
        weights, bias, scale = self.last
        last = convolve(pooled - self.POOL_ZERO, weights, border=0) + bias
        return rescale(last, scale, self.OUT_ZERO)

    @staticmethod
    def _layer(ops, name, value, shape, layer, border, zeros):
        weights, bias, scale = layer
        if name == "depthwise_conv2d":
            weights = weights[..., None]
        inputs = [value, ops.constant(weights, "i8"), ops.constant(bias, "i32"),
                  ops.constant(zeros[0], "i8"), ops.constant(0, "i8")]
        value = ops.add(shape, "i32", name, inputs, window(0, border, 1, "i32"))
        return ops.rescale(value, shape, "i8", scale, (0, zeros[1]))

    def write(self, element):
        """The module, for arguments and results of this type."""
        ops, zero = Writer(), self.ZERO
        shape = (1, self.SIZE, self.SIZE, self.IN)
        argument = value = ("%input", "x".join([*map(str, shape), element]))
        same = (1 << 30, 30)
        if element == "ui8":
            value = ops.rescale(value, shape, "i8", same,
                                (self.INPUT_ZERO + 128, self.INPUT_ZERO))
        shape = (1, self.SIZE, self.SIZE, self.MID)
        first = self._layer(ops, "conv2d", value, shape, self.first, 1,
                            (self.INPUT_ZERO, zero))
        each = self._layer(ops, "depthwise_conv2d", first, shape, self.each, 1, (zero, zero))
        parts = [ops.rescale(part, shape, "i32", scale, (zero, 0), False)
                 for part, scale in zip((first, each), self.sum)]
        value = ops.add(shape, "i32", "add", parts)
        value = ops.rescale(value, shape, "i8", self.sum[2], (0, zero), False)
        value = ops.add((1, 4, 4, self.MID), "i8", "max_pool2d", [value], window(2, 0, 2))
        zeros = [ops.constant(zero, "i8"), ops.constant(self.POOL_ZERO, "i8")]
        value = ops.add((1, 1, 1, self.MID), "i8", "avg_pool2d", [value, *zeros],
                        window(4, 0, 4, "i32"))
        value = self._layer(ops, "conv2d", value, (1, 1, 1, self.OUT), self.last, 0,
                            (self.POOL_ZERO, self.OUT_ZERO))
        value = ops.reshape(value, (1, self.OUT))
        if element == "ui8":
            value = ops.rescale(value, (1, self.OUT), "ui8", same,
                                (self.OUT_ZERO, self.OUT_ZERO + 128))
        return ops.function(argument, value)


class Floating:
    """A convolution, a rectifier, a matrix product and a softmax."""

    SIZE, IN, MID, OUT = 6, 2, 5, 7

    def __init__(self, random):
        def draw(*shape):
            # Numbers that text with few digits gives exactly.
            return random.integers(-64, 65, shape) / 64
        self.filters, self.bias = draw(self.MID, 3, 3, self.IN), draw(self.MID)
        self.weights = draw(1, self.SIZE**2 * self.MID, self.OUT)

    def run(self, images):
        """The results in double precision."""
        value = np.maximum(convolve(images, self.filters) + self.bias, 0)
        value = value.reshape(len(images), -1) @ self.weights[0]
        value = np.exp(value - value.max(axis=1, keepdims=True))
        return value / value.sum(axis=1, keepdims=True)

    def write(self):
        """The module."""
        ops = Writer()
        argument = ("%input", f"1x{self.SIZE}x{self.SIZE}x{self.IN}xf32")
        shape = (1, self.SIZE, self.SIZE, self.MID)
        zero, none = ops.constant(0.0, "f32"), ops.constant(0, "i8")
        inputs = [argument, ops.constant(self.filters, "f32"),
                  ops.constant(self.bias, "f32"), zero, zero]
        value = ops.add(shape, "f32", "conv2d", inputs, window(0, 1, 1, "f32"))
        value = ops.add(shape, "f32", "clamp", [value],
                        "{max_val = 3.40282347E+38 : f32, min_val = 0.0 : f32}")
        value = ops.reshape(value, (1, 1, math.prod(shape)))
        value = ops.add((1, 1, self.OUT), "f32", "matmul",
                        [value, ops.constant(self.weights, "f32"), zero, zero])
        value = ops.reshape(value, (1, self.OUT))
        most = ops.add((1, 1), "f32", "reduce_max", [value], "{axis = 1 : i32}")
        value = ops.add((1, self.OUT), "f32", "sub", [value, most])
        value = ops.add((1, self.OUT), "f32", "exp", [value])
        total = ops.add((1, 1), "f32", "reduce_sum", [value], "{axis = 1 : i32}")
        total = ops.add((1, 1), "f32", "reciprocal", [total])
        return ops.function(argument, ops.add((1, self.OUT), "f32", "mul",
                                              [value, total, none]))


class Average:
    """Averages of windows that reach over the border, halved and rounded."""

    SIZE, OUT, CHANNELS = 9, 5, 3

    @staticmethod
    def run(images):
        """The results, with signs."""
        def add(array):
            return patches(pad(array, 1, 0), 3).sum(axis=(3, 4))[:, ::2, ::2]
        count = add(np.ones_like(images))
        power = np.frexp(count - 1)[1].astype(np.int64)
        multiplier = (((1 << 30) + 1) << power) // count
        total = np.clip(scale_down(add(images), multiplier, 30 + power, False), -128, 127)
        return np.rint(total / 2)

    def write(self):
        """The module."""
        ops = Writer()
        argument = ("%input", f"1x{self.SIZE}x{self.SIZE}x{self.CHANNELS}xi8")
        shape, zero = (1, self.OUT, self.OUT, self.CHANNELS), ops.constant(0, "i8")
        value = ops.add(shape, "i8", "avg_pool2d", [argument, zero, zero],
                        window(3, 1, 2, "i32"))
        value = ops.add(shape, "f32", "cast", [value])
        half = ops.constant(np.full((1, 1, 1, 1), 0.5), "f32")
        value = ops.add(shape, "f32", "mul", [value, half, zero])
        return ops.function(argument, ops.add(shape, "i8", "cast", [value]))


class Rescales:
    """Rescales of random numbers: with one or two roundings, short and long shifts."""

    ROWS, CHANNELS = 200, 24
    ZERO, OUT_ZERO = 17, -9

    def __init__(self, random):
        ratios = 2.0 ** random.uniform(-16, -7, self.CHANNELS)
        self.down, self.up = split_scale(ratios), split_scale(random.uniform(900, 1700))
        self.last = split_scale(2.0 ** random.uniform(-14, -9, self.CHANNELS))

    def run(self, numbers):
        """The results with both ways of rounding, and those of a scale up and down."""
        twice = rescale(numbers, self.down, self.ZERO, True)
        once = rescale(numbers, self.down, self.OUT_ZERO, False)
        wide = scale_down(twice - self.ZERO, *self.up, False)
        last = [rescale(wide, self.last, self.OUT_ZERO, each) for each in (True, False)]
        return np.concatenate([twice, once, *last], axis=1)

    def write(self):
        """The module."""
        ops = Writer()
        shape = (1, self.ROWS, self.CHANNELS)
        argument = ("%input", "x".join([*map(str, shape), "i16"]))
        twice = ops.rescale(argument, shape, "i8", self.down, (0, self.ZERO), True)
        once = ops.rescale(argument, shape, "i8", self.down, (0, self.OUT_ZERO), False)
        wide = ops.rescale(twice, shape, "i32", self.up, (self.ZERO, 0), False)
        last = [ops.rescale(wide, shape, "i8", self.last, (0, self.OUT_ZERO), each)
                for each in (True, False)]
        shape = (1, 4 * self.ROWS, self.CHANNELS)
        return ops.function(argument, ops.add(shape, "i8", "concat", [twice, once, *last],
                                              "{axis = 1 : i32}"))


EVEN = """
#same = affine_map<(d0) -> (d0)>
func.func @main(%input: tensor<COUNTxf32>) -> tensor<COUNTxi32> {
  %empty = tensor.empty() : tensor<COUNTxi32>
  %0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%input : tensor<COUNTxf32>) outs(%empty : tensor<COUNTxi32>) {
  ^bb0(%number: f32, %out: i32):
    %rounded = math.roundeven %number : f32
    %bits = arith.bitcast %rounded : f32 to i32
    linalg.yield %bits : i32
  } -> tensor<COUNTxi32>
  return %0 : tensor<COUNTxi32>
}
"""


def make_numbers(random):
    """Floats around those that have no fraction, halves, and special ones."""
    near = np.exp2(random.uniform(-3, 25, 40))
    special = [0, 0.5, 1.5, 2.5, 2**22 + 0.5, 2**23 - 0.5, 2**23 + 1, 2**24, 1e-40, 1e30,
               np.inf, np.nan]
    numbers = np.concatenate([near, np.floor(near) + 0.5, special]).astype(np.float32)
    return np.concatenate([numbers, -numbers])


def main():
    """See the top of this file."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(22)

    def save(name, text, inputs, results):
        (folder / f"{name}.mlir").write_text(text, encoding="utf-8")
        np.save(folder / f"{name}-in.npy", inputs[:, None])
        np.save(folder / f"{name}-out.npy", results[:, None])
        if len(np.unique(results)) < min(results.size // 2, 32):
            sys.exit(f"{name}: the results hardly depend on the inputs")

    model = Quantized(random)
    images = random.integers(-128, 128, (CALLS, model.SIZE, model.SIZE, model.IN))
    results = model.run(images).reshape(CALLS, model.OUT)
    save("int8", model.write("i8"), images.astype(np.int8), results.astype(np.int8))
    save("uint8", model.write("ui8"), (images + 128).astype(np.uint8),
         (results + 128).astype(np.uint8))
    model = Floating(random)
    images = (random.integers(-64, 65, (CALLS, model.SIZE, model.SIZE, model.IN)) / 64)
    save("float32", model.write(), images.astype(np.float32),
         model.run(images).astype(np.float32))
    model = Average()
    images = random.integers(-128, 128, (CALLS, model.SIZE, model.SIZE, model.CHANNELS))
    save("average", model.write(), images.astype(np.int8), model.run(images).astype(np.int8))
    model = Rescales(random)
    numbers = random.integers(-2**15, 2**15, (CALLS, model.ROWS, model.CHANNELS))
    save("rescales", model.write(), numbers.astype(np.int16),
         model.run(numbers).astype(np.int8))
    numbers = make_numbers(random)[None]
    save("even", EVEN.replace("COUNT", str(numbers.size)), numbers,
         np.rint(numbers).view(np.int32))


if __name__ == "__main__":
    main()
