# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detection, steps of optimizers, and small operators of ai.onnx.ml."""

import numpy

from .._values import Unsupported, static
from ..kernels.suppress import suppress
from . import rule
from .order import coordinates, sort_rows, true_places


def corners(builder, boxes, centered):
    """Boxes as (low y, low x, high y, high x)."""
    parts = [builder.Gather(boxes, builder.const(place, "int64"), axis=-1)
             for place in range(4)]
    if centered:
        x, y, w, h = parts
        half = builder.like(0.5, x)
        w, h = builder.Mul(w, half), builder.Mul(h, half)
        parts = [builder.Sub(y, h), builder.Sub(x, w), builder.Add(y, h),
                 builder.Add(x, w)]
    ends = [builder.Min(parts[0], parts[2]), builder.Min(parts[1], parts[3]),
            builder.Max(parts[0], parts[2]), builder.Max(parts[1], parts[3])]
    return builder.Concat(*(builder.Unsqueeze(end, builder.ints(-1)) for end in ends),
                          axis=-1)


@rule("NonMaxSuppression")
def non_max_suppression(builder, call):
    boxes, scores = call.inputs[:2]
    batch, classes, count = static(scores)

    def scalar(place, default, dtype):
        value = call.input(place)
        value = builder.const(default) if value is None else value
        return builder.cast(builder.reshape(value), dtype)
    least = scalar(4, -numpy.inf, "float32")
    rows = builder.reshape(scores, batch * classes, count)
    order = sort_rows(builder, rows, descending=True)
    inputs = [corners(builder, boxes, bool(call.get("center_point_box", 0))), rows,
              order, builder.const(classes, "int64"), scalar(2, 0, "int64"),
              scalar(3, 0.0, "float32"), least]
    mask = builder.kernel(suppress, inputs, [("bool", rows.shape)])[0]
    found = true_places(builder, builder.reshape(mask, -1))
    box = builder.Gather(builder.reshape(order, -1), found, axis=0)
    row = coordinates(builder, found, (batch, classes, count))
    row = builder.Slice(row, builder.ints(0), builder.ints(2), builder.ints(0))
    chosen = builder.Concat(row, builder.Unsqueeze(box, builder.ints(0)), axis=0)
    return builder.Transpose(chosen, perm=[1, 0])


TRAINING = "ai.onnx.preview.training"


class Step:
    """The parts that steps of optimizers share: rate, step, and for each tensor its
    gradient and states."""

    def __init__(self, builder, call, states):
        self.builder, self.call = builder, call
        self.rate, self.number, *rest = call.inputs
        count = len(rest) // (2 + states)
        self.groups = list(zip(*(rest[place * count:(place + 1) * count]
                                 for place in range(2 + states))))
        self.decay = call.get("norm_coefficient", 0.0)

    def gradient(self, x, gradient):
        b = self.builder
        return b.Add(b.Mul(b.like(self.decay, x), x), gradient)

    def run(self, update):
        found = [update(*group) for group in self.groups]
        return [value for values in zip(*found) for value in values]

    def scaled(self, number, value):
        return self.builder.Mul(self.builder.like(number, value), value)

    def mixed(self, keep, old, new):
        return self.builder.Add(self.scaled(keep, old), self.scaled(1 - keep, new))


@rule("Adagrad", domain=TRAINING)
def adagrad(builder, call):
    step, b = Step(builder, call, 1), builder
    number = b.cast(step.number, step.rate.dtype)
    rate = b.Div(step.rate, b.Add(b.like(1, step.rate), step.scaled(
        call.get("decay_factor", 0.0), number)))

    def update(x, gradient, squares):
        gradient = step.gradient(x, gradient)
        squares = b.Add(squares, b.Mul(gradient, gradient))
        root = b.Add(b.Sqrt(squares), b.like(call.get("epsilon", 1e-6), x))
        return b.Sub(x, b.Div(b.Mul(rate, gradient), root)), squares
    return step.run(update)


@rule("Adam", domain=TRAINING)
def adam(builder, call):
    step, b = Step(builder, call, 2), builder
    alpha, beta = call.get("alpha", 0.9), call.get("beta", 0.999)
    number = b.cast(step.number, step.rate.dtype)
    one = b.like(1, number)
    correct = b.Div(b.Sqrt(b.Sub(one, b.Pow(b.like(beta, number), number))),
                    b.Sub(one, b.Pow(b.like(alpha, number), number)))
    started = b.Greater(number, b.like(0, number))
    rate = b.Where(started, b.Mul(step.rate, correct), step.rate)

    def update(x, gradient, mean, squares):
        gradient = step.gradient(x, gradient)
        mean = step.mixed(alpha, mean, gradient)
        squares = step.mixed(beta, squares, b.Mul(gradient, gradient))
        root = b.Add(b.Sqrt(squares), b.like(call.get("epsilon", 1e-6), x))
        new = b.Sub(x, b.Div(b.Mul(rate, mean), root))
        after = call.get("norm_coefficient_post", 0.0)
        return step.scaled(1 - after, new), mean, squares
    return step.run(update)


@rule("Momentum", domain=TRAINING)
def momentum(builder, call):
    step, b = Step(builder, call, 1), builder
    alpha, beta = call.get("alpha"), call.get("beta")
    first = b.Equal(step.number, b.const(0, step.number.dtype))
    beta = b.Where(first, b.like(1, step.rate), b.like(beta, step.rate))

    def update(x, gradient, speed):
        gradient = step.gradient(x, gradient)
        speed = b.Add(step.scaled(alpha, speed), b.Mul(beta, gradient))
        if call.get("mode") == "nesterov":
            gradient = b.Add(gradient, step.scaled(alpha, speed))
        else:
            gradient = speed
        return b.Sub(x, b.Mul(step.rate, gradient)), speed
    return step.run(update)


@rule("Binarizer", domain="ai.onnx.ml")
def binarizer(builder, call):
    x = call.inputs[0]
    above = builder.Greater(x, builder.like(call.get("threshold", 0.0), x))
    return builder.cast(above, x.dtype)


@rule("Scaler", domain="ai.onnx.ml")
def scaler(builder, call):
    x = builder.cast(call.inputs[0], "float32")
    moved = builder.Sub(x, builder.const(call.get("offset"), "float32"))
    return builder.Mul(moved, builder.const(call.get("scale"), "float32"))


@rule("Det")
def determinant(builder, call):
    """By expansion for matrices up to 4x4."""
    data = call.inputs[0]
    size = static(data)[-1]
    if size > 4:
        raise Unsupported(f"its matrices are {size}x{size}; at most 4x4 are taken")

    def at(row, column):
        line = builder.Gather(data, builder.const(row, "int64"), axis=-2)
        return builder.Gather(line, builder.const(column, "int64"), axis=-1)

    def minor(row, columns):
        if len(columns) == 1:
            return at(row, columns[0])
        total = None
        for place, column in enumerate(columns):
            rest = columns[:place] + columns[place + 1:]
            term = builder.Mul(at(row, column), minor(row + 1, rest))
            if total is None:
                total = term
            else:
                total = (builder.Sub if place % 2 else builder.Add)(total, term)
        return total
    return minor(0, list(range(size)))
