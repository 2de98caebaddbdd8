# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pools in forms that torch-mlir lowers right."""

import math

import numpy

from .._sizes import count_up, expand, product, reshape, sizes_of
from .._values import Value, constant, static
from . import rule


def spatial_of(data):
    """The sizes behind batch and channels, which must be known."""
    return static(Value(data.name, data.dtype, data.shape[2:]))


class Windows:
    """The windows of a pool: for each axis, which elements each output sees."""

    def __init__(self, call, shape):
        self.shape = shape
        self.kernel = call.get("kernel_shape")
        rank = len(self.kernel)
        self.strides = call.get("strides") or [1] * rank
        self.dilations = call.get("dilations") or [1] * rank
        pads = list(call.get("pads") or [0] * 2 * rank)
        mode = call.get("auto_pad", "NOTSET")
        self.reach = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations)]
        if mode in ("SAME_UPPER", "SAME_LOWER"):
            pads = self.same(mode)
        elif mode == "VALID":
            pads = [0] * 2 * rank
        self.before, self.after = pads[:rank], pads[rank:]
        up = bool(call.get("ceil_mode", 0))
        self.out = [self.count(axis, up) for axis in range(rank)]

    def same(self, mode):
        before, after = [], []
        for size, stride, reach in zip(self.shape, self.strides, self.reach):
            total = max((-(-size // stride) - 1) * stride + reach - size, 0)
            small = total // 2
            before.append(small if mode == "SAME_UPPER" else total - small)
            after.append(total - before[-1])
        return before + after

    def count(self, axis, up):
        stride = self.strides[axis]
        room = (self.shape[axis] + self.before[axis] + self.after[axis] -
                self.reach[axis])
        count = (-(-room // stride) if up else room // stride) + 1
        # A window must begin within the elements or the pad before them.
        if up and (count - 1) * stride >= self.shape[axis] + self.before[axis]:
            count -= 1
        return count

    def places(self, axis):
        """[outputs, taps]: the places of elements, some outside."""
        begin = numpy.arange(self.out[axis]) * self.strides[axis] - self.before[axis]
        return begin[:, None] + numpy.arange(self.kernel[axis]) * self.dilations[axis]

    def table(self):
        """(index, inside, padded): [outputs, taps] over all axes, of flat elements;
        `padded` also has the pads that are asked for."""
        index, inside, padded = (numpy.zeros((1, 1), int), numpy.ones((1, 1), bool),
                                 numpy.ones((1, 1), bool))
        for axis, size in enumerate(self.shape):
            places = self.places(axis)
            here = (places >= 0) & (places < size)
            there = (places >= -self.before[axis]) & (places < size + self.after[axis])
            index = outer(index * size, numpy.clip(places, 0, size - 1), numpy.add)
            inside = outer(inside, here, numpy.logical_and)
            padded = outer(padded, there, numpy.logical_and)
        return index, inside, padded


def outer(left, right, combine):
    found = combine(left[:, None, :, None], right[None, :, None, :])
    return found.reshape(left.shape[0] * right.shape[0],
                         left.shape[1] * right.shape[1])


def gather_windows(builder, data, windows):
    """([batch, channels, outputs, taps], mask of elements)."""
    index, inside, padded = windows.table()
    flat = reshape(builder, data, [*sizes_of(builder, data)[:2],
                                   math.prod(windows.shape)])
    return builder.Gather(flat, builder.const(index, "int64"), axis=2), inside, padded


def finish(builder, value, data, windows):
    return reshape(builder, value, [*sizes_of(builder, data)[:2], *windows.out])


@rule("MaxPool")
def max_pool(builder, call):
    data = call.inputs[0]
    if data.is_float and not call.uses(1) and not call.get("ceil_mode", 0) and \
            call.get("auto_pad", "NOTSET") == "NOTSET" and data.rank in (4, 5):
        return None
    windows = Windows(call, spatial_of(data))
    found, inside, _ = gather_windows(builder, data, windows)
    low = -math.inf if data.is_float else numpy.iinfo(data.dtype).min
    found = builder.Where(builder.const(inside), found, builder.like(low, data))
    values = finish(builder, builder.ReduceMax(found, builder.ints(3), keepdims=0),
                    data, windows)
    if not call.uses(1):
        return [values]
    best = builder.ArgMax(found, axis=3, keepdims=1)
    index = windows.table()[0]
    if call.get("storage_order", 0):
        index = numpy.ravel_multi_index(numpy.unravel_index(
            index, windows.shape), windows.shape, order="F")
    table = expand(builder, builder.const(index[None, None], "int64"),
                   sizes_of(builder, found))
    chosen = builder.GatherElements(table, best, axis=3)
    outer_sizes = sizes_of(builder, data)[:2]
    first = reshape(builder, count_up(builder, product(builder, outer_sizes)),
                    [*outer_sizes, 1, 1])
    plane = builder.const(math.prod(windows.shape), "int64")
    chosen = builder.Add(chosen, builder.Mul(first, plane))
    return [values, finish(builder, chosen, data, windows)]


@rule("AveragePool")
def average_pool(builder, call):
    data = call.inputs[0]
    plain = not call.get("ceil_mode", 0) and not call.get("dilations") and \
        call.get("auto_pad", "NOTSET") == "NOTSET" and data.rank == 4 and \
        not any(call.get("pads") or ())
    if plain:
        return None
    if None in data.shape[2:] and not call.get("ceil_mode", 0) and not \
            call.get("dilations") and call.get("auto_pad", "NOTSET") == "NOTSET":
        return padded_average(builder, call, data)
    windows = Windows(call, spatial_of(data))
    found, inside, padded = gather_windows(builder, data, windows)
    mask = builder.cast(builder.const(inside), data.dtype)
    total = builder.ReduceSum(builder.Mul(found, mask), builder.ints(3), keepdims=0)
    counted = padded if call.get("count_include_pad", 0) else inside
    count = builder.const(counted.sum(axis=1).astype("float64").astype(data.dtype))
    return finish(builder, builder.Div(total, count), data, windows)


def padded_average(builder, call, data):
    """The mean of windows of an image whose sizes are known at run time."""
    rank = data.rank - 2
    pads = list(call.get("pads") or [0] * 2 * rank)
    amounts = builder.ints(0, 0, *pads[:rank], 0, 0, *pads[rank:])
    options = dict(kernel_shape=call.get("kernel_shape"), strides=call.get("strides"))

    def mean(value):
        return builder.emit("AveragePool", [builder.Pad(value, amounts)], options)[0]
    found = mean(data)
    if call.get("count_include_pad", 0):
        return found
    sizes = sizes_of(builder, data)[2:]
    ones = expand(builder, builder.like(numpy.ones([1] * data.rank), data), [1, 1, *sizes])
    return builder.Div(found, mean(ones))


@rule("LpPool")
def lp_pool(builder, call):
    data, p = call.inputs[0], call.get("p", 2)
    windows = Windows(call, spatial_of(data))
    found, inside, _ = gather_windows(builder, data, windows)
    power = builder.Pow(builder.Abs(found), builder.like(p, data))
    mask = builder.cast(builder.const(inside), data.dtype)
    total = builder.ReduceSum(builder.Mul(power, mask), builder.ints(3), keepdims=0)
    return finish(builder, builder.Pow(total, builder.like(1 / p, data)), data,
                  windows)


@rule("GlobalLpPool")
def global_lp_pool(builder, call):
    data, p = call.inputs[0], call.get("p", 2)
    axes = builder.ints(*range(2, data.rank))
    power = builder.Pow(builder.Abs(data), builder.like(p, data))
    return builder.Pow(builder.ReduceSum(power, axes), builder.like(1 / p, data))


@rule("MaxUnpool")
def max_unpool(builder, call):
    data, index = call.inputs[:2]
    kernel = call.get("kernel_shape")
    strides = call.get("strides") or [1] * len(kernel)
    pads = call.get("pads") or [0] * 2 * len(kernel)
    shape = [(size - 1) * stride + k - pads[i] - pads[i + len(kernel)]
             for i, (size, stride, k) in enumerate(zip(static(data)[2:], strides,
                                                       kernel))]
    whole = [*data.shape[:2], *shape]
    if call.input(2) is not None:
        stated = call.input(2).data
        stated = call.declared_shape() if stated is None else stated.tolist()
        if not stated or None in stated:
            constant(call.input(2), "output shape")
        index = moved(builder, index, data, shape, stated)
        whole = list(stated)
    empty = builder.const(numpy.zeros(math.prod(whole)), data.dtype)
    flat = builder.emit("ScatterElements", [
        empty, builder.reshape(index, -1), builder.reshape(data, -1)], dict(axis=0))[0]
    return builder.reshape(flat, *whole)


def moved(builder, index, data, shape, stated):
    """Flat indices of a tensor of `shape` behind batch and channels, as those of
    the tensor `stated`."""
    source = [*data.shape[:2], *shape]
    total = None
    for dim in range(len(source)):
        step = math.prod(source[dim + 1:])
        part = builder.Mod(builder.Div(index, builder.const(step, "int64")),
                           builder.const(source[dim], "int64"))
        part = builder.Mul(part, builder.const(math.prod(stated[dim + 1:]), "int64"))
        total = part if total is None else builder.Add(total, part)
    return total
