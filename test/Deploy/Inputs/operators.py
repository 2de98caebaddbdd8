#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes operators as TensorFlow Lite's converter does, with inputs and the results of
TensorFlow Lite Micro's arithmetic.

usage: operators.py FOLDER

FOLDER/NAME.mlir is the operator, NAME-in.npy its inputs, with the number of the call as
the first axis, and NAME-out.npy the results. Prints the names, and how many results the
arithmetic of TOSA's specification would have otherwise.
"""

import fractions
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from make_models import Writer  # noqa: E402

CALLS = 3
Ratio = fractions.Fraction


class Resize:
    """A bilinear resize; `mode` tells which points of input and result coincide."""

    CHANNELS = 3

    def __init__(self, element, mode, size, result):
        self.element, self.size, self.result = element, size, result
        self.wide = {"i8": "i32", "i16": "i48"}[element]
        # Per dimension: the distance and the first place in elements of the input.
        self.steps, self.first = [], []
        for inner, outer in zip(size, result):
            step = Ratio(inner - 1, outer - 1) if mode == "corners" else Ratio(inner, outer)
            self.steps.append(step)
            self.first.append((step - 1) / 2 if mode == "centers" else Ratio(0))

    def draw(self, random):
        most = 1 << (int(self.element[1:]) - 1)
        return random.integers(-most, most, (CALLS, 1, *self.size, self.CHANNELS))

    def _interpolate(self, images, places):
        """With weights of the places, which are exact or rounded."""
        value = images
        for axis, (inner, numbers) in enumerate(zip(self.size, places), start=2):
            low = [min(max(math.floor(place), 0), inner - 1) for place in numbers]
            high = [min(max(math.ceil(place), 0), inner - 1) for place in numbers]
            shape = [-1 if each == axis else 1 for each in range(5)]
            weight = np.array([place - begin for place, begin in zip(numbers, low)],
                              object).reshape(shape)
            value = (np.take(value, low, axis) * (1 - weight)
                     + np.take(value, high, axis) * weight)
        return value

    def run(self, images):
        """Places are multiples of 1 / 1024, halves are rounded away from zero."""
        places = []
        for step, first, outer in zip(self.steps, self.first, self.result):
            units = math.floor(step * 1024 + Ratio(1, 2))
            begin = units // 2 - 512 if first else 0
            places.append([Ratio(begin + units * each, 1024) for each in range(outer)])
        values = self._interpolate(images.astype(object), places)
        return np.vectorize(lambda x: int(math.copysign(math.floor(abs(x) + Ratio(1, 2)), x)),
                            otypes=[np.int64])(values)

    def run_standard(self, images):
        """Places are exact, halves are rounded up."""
        places = [[first + step * each for each in range(outer)] for step, first, outer
                  in zip(self.steps, self.first, self.result)]
        values = self._interpolate(images.astype(object), places)
        return np.vectorize(lambda x: math.floor(x + Ratio(1, 2)),
                            otypes=[np.int64])(values)

    def write(self):
        ops = Writer()
        scale, offset, border = [], [], []
        for inner, outer, step, first in zip(self.size, self.result, self.steps, self.first):
            top, bottom = 2 * step.denominator, 2 * step.numerator
            scale += [top, bottom]
            offset.append(int(first * top))
            border.append((outer - 1) * bottom - (inner - 1) * top + offset[-1])
        argument = ("%input", "x".join(map(str, [1, *self.size, self.CHANNELS, self.element])))
        shape = (1, *self.result, self.CHANNELS)
        inputs = [argument, ops.shape(scale), ops.shape(offset), ops.shape(border)]
        value = ops.add(shape, self.wide, "resize", inputs, "{mode = BILINEAR}")
        mantissa, exponent = math.frexp(1 / (scale[0] * scale[2]))
        bits = 31 if self.element == "i8" else 15
        value = ops.rescale(value, shape, self.element,
                            (round(mantissa * 2**bits), bits - exponent), (0, 0), False,
                            bits == 31)
        return ops.function(argument, value)


class Sum:
    """A sum over an axis, from one scale to another."""

    SIZE, CHANNELS = 9, 40
    ZERO, OUT_ZERO = 5, -7
    # Of the input and the result: floats of 32 bits.
    SCALES = np.float32(0.0173), np.float32(0.0794)
    element = "i8"

    def draw(self, random):
        return random.integers(-128, 128, (CALLS, self.SIZE, self.CHANNELS))

    def run(self, numbers):
        """The sum is exact, and multiplied with two roundings."""
        total = (numbers - self.ZERO).sum(axis=1, keepdims=True)
        mantissa, exponent = math.frexp(float(self.SCALES[0]) / float(self.SCALES[1]))
        multiplier = round(mantissa * 2**31)

        def scale(value):
            high = (value * multiplier + (1 << 30)) >> 31
            half = Ratio(high, 1 << -exponent)
            return int(math.copysign(math.floor(abs(half) + Ratio(1, 2)), half))
        scaled = np.vectorize(scale, otypes=[np.int64])(total)
        return np.clip(scaled + self.OUT_ZERO, -128, 127)

    def run_standard(self, numbers):
        """Each number is multiplied, and the sum is."""
        total = (numbers - self.ZERO).sum(axis=1, keepdims=True)
        ratio = float(self.SCALES[0]) / float(self.SCALES[1])
        return np.clip(np.rint(total * ratio) + self.OUT_ZERO, -128, 127)

    def write(self):
        ops = Writer()
        argument = ("%input", f"{self.SIZE}x{self.CHANNELS}xi8")
        more = 2**20
        first, last = (math.frexp(value) for value in
                       (float(self.SCALES[0]) * more, 1 / (float(self.SCALES[1]) * more)))
        value = ops.rescale(argument, (self.SIZE, self.CHANNELS), "i32",
                            (round(first[0] * 2**31), 31 - first[1]), (self.ZERO, 0))
        value = ops.add((1, self.CHANNELS), "i32", "reduce_sum", [value], "{axis = 0 : i32}")
        value = ops.rescale(value, (1, self.CHANNELS), "i8",
                            (round(last[0] * 2**31), 31 - last[1]), (0, self.OUT_ZERO))
        return ops.function(argument, value)


OPERATORS = {
    "larger": Resize("i8", "centers", (5, 7), (12, 9)),
    "twice": Resize("i8", "centers", (6, 6), (12, 12)),
    "smaller": Resize("i8", "centers", (9, 10), (4, 3)),
    "corners": Resize("i8", "corners", (8, 5), (15, 12)),
    "left": Resize("i8", "left", (6, 4), (9, 11)),
    "short": Resize("i16", "centers", (5, 7), (12, 9)),
    "sum": Sum(),
}


def main():
    """See the top of this file."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(22)
    for name, operator in OPERATORS.items():
        inputs = operator.draw(random)
        results = operator.run(inputs)
        kind = np.dtype(f"int{operator.element[1:]}")
        (folder / f"{name}.mlir").write_text(operator.write(), encoding="utf-8")
        np.save(folder / f"{name}-in.npy", inputs.astype(kind))
        np.save(folder / f"{name}-out.npy", results.astype(kind))
        others = int((operator.run_standard(inputs) != results).sum())
        print(f"{name}: {others} of {results.size} are not the standard's")


if __name__ == "__main__":
    main()
