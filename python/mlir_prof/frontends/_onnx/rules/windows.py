# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pads, pools and transposed convolutions in forms that torch-mlir lowers right."""

import math

import numpy

from .._values import constant, static
from . import rule


def slice_axis(builder, value, dim, low, high):
    return builder.Slice(value, builder.ints(low), builder.ints(high),
                         builder.ints(dim))


def mirrored(mode, size, low, high):
    """The indices of a padded axis."""
    places = numpy.arange(-low, size + high)
    if mode == "edge":
        return numpy.clip(places, 0, size - 1)
    if mode == "wrap":
        return places % size
    period = max(2 * (size - 1), 1)
    places = places % period
    return numpy.where(places < size, places, period - places)


def pad_vectors(call, rank):
    """The amounts before and after each axis: two lists of numbers."""
    pads = numpy.ravel(constant(call.inputs[1], "amounts"))
    axes = range(rank)
    if call.input(3) is not None:
        axes = [int(axis) % rank for axis in constant(call.input(3), "axes")]
    before, after = [0] * rank, [0] * rank
    for place, axis in enumerate(axes):
        before[axis], after[axis] = int(pads[place]), int(pads[place + len(axes)])
    return before, after


def crop(builder, data, before, after):
    """Negative amounts, which torch-mlir drops if the shape stays."""
    for dim, (low, high) in enumerate(zip(before, after)):
        if low < 0 or high < 0:
            size = static(data)[dim]
            begin = min(max(-low, 0), size)
            data = slice_axis(builder, data, dim, begin,
                              max(size - max(-high, 0), begin))
    return data, [max(n, 0) for n in before], [max(n, 0) for n in after]


@rule("Pad")
def pad(builder, call):
    data, mode = call.inputs[0], call.get("mode", "constant")
    if call.inputs[1].data is None:
        return pad_at_run_time(builder, call)
    before, after = pad_vectors(call, data.rank)
    data, before, after = crop(builder, data, before, after)
    if not any(before + after):
        return builder.identity(data)
    if mode != "constant":
        for dim, (low, high) in enumerate(zip(before, after)):
            if low or high:
                index = mirrored(mode, static(data)[dim], low, high)
                data = builder.Gather(data, builder.const(index, "int64"), axis=dim)
        return data
    value = call.input(2) or builder.like(0, data)
    held = data
    if data.dtype == bool:
        held, value = (builder.cast(x, "int32") for x in (data, value))
    found = builder.native("Pad", [held, builder.ints(*before, *after),
                                   builder.reshape(value)])[0]
    return builder.cast(found, data.dtype)


def pad_at_run_time(builder, call):
    """By amounts that are known at run time, to a shape that the model states."""
    data, amounts = call.inputs[:2]
    stated, mode = call.declared_shape(), call.get("mode", "constant")
    if not stated or None in stated:
        constant(amounts, "amounts")
    lows = builder.Slice(builder.cast(amounts, "int64"), builder.ints(0),
                         builder.ints(static(amounts)[0] // 2), builder.ints(0))
    if call.input(3) is not None:
        none = builder.const(numpy.zeros(data.rank), "int64")
        lows = builder.ScatterElements(none, call.input(3), lows, axis=0)
    inside, found = None, data
    for dim in range(data.rank):
        low = builder.Gather(lows, builder.const(dim, "int64"), axis=0)
        index = builder.Sub(builder.const(numpy.arange(stated[dim], dtype="int64")),
                            low)
        last = builder.const(static(data)[dim] - 1, "int64")
        zero = builder.const(0, "int64")
        if mode == "reflect":
            index = builder.Sub(last, builder.Abs(builder.Sub(last,
                                                              builder.Abs(index))))
        elif mode == "wrap":
            index = builder.Mod(index, builder.const(data.shape[dim], "int64"))
        near = builder.Max(builder.Min(index, last), zero)
        found = builder.Gather(found, near, axis=dim)
        sizes = [1] * data.rank
        sizes[dim] = stated[dim]
        here = builder.reshape(builder.Equal(near, index), *sizes)
        inside = here if inside is None else builder.And(inside, here)
    if mode != "constant":
        return found
    value = call.input(2) or builder.like(0, data)
    return builder.Where(inside, found, builder.reshape(value))


@rule("CenterCropPad")
def center_crop_pad(builder, call):
    data, stated = call.inputs[0], call.declared_shape()
    axes = [axis % data.rank for axis in call.get("axes") or range(data.rank)]
    wanted = list(static(data))
    if call.inputs[1].data is not None:
        for axis, size in zip(axes, call.inputs[1].data):
            wanted[axis] = int(size)
    elif stated and None not in stated:
        wanted = list(stated)
    else:
        constant(call.inputs[1], "shape")
    before, after = [], []
    for size, want in zip(data.shape, wanted):
        cut, add = max(size - want, 0), max(want - size, 0)
        before.append(add // 2 - cut // 2)
        after.append(want - size - before[-1])
    return builder.Pad(data, builder.ints(*before, *after))


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
    batch, channels = static(data)[:2]
    flat = builder.reshape(data, batch, channels, -1)
    return builder.Gather(flat, builder.const(index, "int64"), axis=2), inside, padded


def finish(builder, value, data, windows):
    return builder.reshape(value, *data.shape[:2], *windows.out)


@rule("MaxPool")
def max_pool(builder, call):
    data = call.inputs[0]
    if data.is_float and not call.uses(1) and not call.get("ceil_mode", 0) and \
            call.get("auto_pad", "NOTSET") == "NOTSET" and data.rank in (4, 5):
        return None
    windows = Windows(call, static(data)[2:])
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
    table = builder.Expand(builder.const(index[None, None], "int64"),
                           builder.ints(*found.shape))
    chosen = builder.GatherElements(table, best, axis=3)
    plane = math.prod(windows.shape)
    first = numpy.arange(math.prod(data.shape[:2])).reshape(*data.shape[:2], 1, 1)
    chosen = builder.Add(chosen, builder.const(first * plane, "int64"))
    return [values, finish(builder, chosen, data, windows)]


@rule("AveragePool")
def average_pool(builder, call):
    data = call.inputs[0]
    plain = not call.get("ceil_mode", 0) and not call.get("dilations") and \
        call.get("auto_pad", "NOTSET") == "NOTSET" and data.rank == 4 and \
        not any(call.get("pads") or ())
    if plain:
        return None
    windows = Windows(call, static(data)[2:])
    found, inside, padded = gather_windows(builder, data, windows)
    mask = builder.cast(builder.const(inside), data.dtype)
    total = builder.ReduceSum(builder.Mul(found, mask), builder.ints(3), keepdims=0)
    counted = padded if call.get("count_include_pad", 0) else inside
    count = builder.const(counted.sum(axis=1).astype("float64").astype(data.dtype))
    return finish(builder, builder.Div(total, count), data, windows)


@rule("LpPool")
def lp_pool(builder, call):
    data, p = call.inputs[0], call.get("p", 2)
    windows = Windows(call, static(data)[2:])
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


def divided(builder, index, sizes):
    """Flat indices as one index for each of `sizes`, which are values."""
    parts = []
    for size in reversed(sizes):
        parts.insert(0, builder.Mod(index, size))
        index = builder.Div(index, size)
    return parts


@rule("Col2Im")
def col2im(builder, call):
    """Adds blocks, whose shape may be known at run time only, to an image."""
    data, image, block = call.inputs
    stated = call.declared_shape()
    if image.data is not None:
        shape = image.data.tolist()
    elif stated and None not in stated:
        shape = list(stated[2:])
    else:
        constant(image, "image shape")
    rank = len(shape)
    if block.data is None and (not stated or stated[1] is None):
        constant(block, "block shape")
    batch, rows, count = static(data)
    channels = rows // math.prod(block.data.tolist()) if block.data is not None \
        else stated[1]
    taps, plane = rows // channels, math.prod(shape)

    def number(value):
        return builder.const(value, "int64")
    pads = call.get("pads") or [0] * 2 * rank
    strides, dilations = (call.get(key) or [1] * rank
                          for key in ("strides", "dilations"))
    sizes = [builder.Gather(block, number(dim), axis=0) for dim in range(rank)]
    outs = []
    for dim, size in enumerate(sizes):
        reach = builder.Mul(builder.Sub(size, number(1)), number(dilations[dim]))
        room = number(shape[dim] + pads[dim] + pads[dim + rank] - 1)
        outs.append(builder.Add(builder.Div(builder.Sub(room, reach),
                                            number(strides[dim])), number(1)))
    tap = divided(builder, number(numpy.arange(taps).reshape(-1, 1)), sizes)
    spot = divided(builder, number(numpy.arange(count).reshape(1, -1)), outs)
    index, inside = number(numpy.zeros((taps, count))), None
    for dim in range(rank):
        place = builder.Sub(builder.Add(
            builder.Mul(tap[dim], number(dilations[dim])),
            builder.Mul(spot[dim], number(strides[dim]))), number(pads[dim]))
        here = builder.And(builder.GreaterOrEqual(place, number(0)),
                           builder.Less(place, number(shape[dim])))
        inside = here if inside is None else builder.And(inside, here)
        index = builder.Add(builder.Mul(index, number(shape[dim])), place)
    index = builder.Where(inside, index, number(0))
    first = number(numpy.arange(batch * channels).reshape(-1, 1, 1) * plane)
    parts = builder.reshape(data, batch * channels, taps, count)
    parts = builder.Mul(parts, builder.cast(inside, data.dtype))
    places = builder.Add(builder.Unsqueeze(index, builder.ints(0)), first)
    empty = builder.const(numpy.zeros(batch * channels * plane), data.dtype)
    flat = builder.emit("ScatterElements", [empty, builder.reshape(places, -1),
                                            builder.reshape(parts, -1)],
                        dict(axis=0, reduction="add"))[0]
    return builder.reshape(flat, batch, channels, *shape)


@rule("ConvTranspose")
def conv_transpose(builder, call):
    """As a convolution of the input with zeros between its elements, where
    torch-mlir lacks it."""
    data, weight = call.inputs[:2]
    spatial = static(data)[2:]
    rank, group = len(spatial), call.get("group", 1)
    pads = list(call.get("pads") or [0] * 2 * rank)
    extra = list(call.get("output_padding") or [0] * rank)
    shape, auto = call.get("output_shape"), call.get("auto_pad", "NOTSET")
    if group == 1 and not shape and auto == "NOTSET" and not any(extra) and \
            pads[:rank] == pads[rank:] and rank == 2:
        return None
    strides = call.get("strides") or [1] * rank
    dilations = call.get("dilations") or [1] * rank
    kernel = static(weight)[2:]
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    if shape or auto in ("SAME_UPPER", "SAME_LOWER"):
        wanted = list(shape or [n * s for n, s in zip(spatial, strides)])[-rank:]
        for i in range(rank):
            total = (spatial[i] - 1) * strides[i] + extra[i] + reach[i] - wanted[i]
            small = total // 2
            first = total - small if auto == "SAME_LOWER" or (
                shape and auto != "SAME_UPPER") else small
            pads[i], pads[i + rank] = first, total - first
    for dim, stride in enumerate(strides):
        data = spread(builder, data, dim + 2, stride)
    before = [reach[i] - 1 - pads[i] for i in range(rank)]
    after = [reach[i] - 1 - pads[i + rank] + extra[i] for i in range(rank)]
    data = builder.Pad(data, builder.ints(0, 0, *before, 0, 0, *after))
    inputs = [data, turned(builder, weight, group, rank), *call.inputs[2:]]
    return builder.emit("Conv", inputs, dict(dilations=dilations, group=group))[0]


def spread(builder, data, dim, stride):
    """Zeros between the elements of an axis."""
    if stride == 1:
        return data
    sizes = list(static(data))
    wide = builder.Unsqueeze(data, builder.ints(dim + 1))
    pads = [0] * (2 * data.rank + 2)
    pads[-(data.rank + 1) + dim + 1] = stride - 1
    wide = builder.Pad(wide, builder.ints(*pads))
    sizes[dim] *= stride
    wide = builder.reshape(wide, *sizes)
    return slice_axis(builder, wide, dim, 0, sizes[dim] - stride + 1)


def turned(builder, weight, group, rank):
    """The weight of a transposed convolution as that of a convolution."""
    for dim in range(rank):
        size = weight.shape[dim + 2]
        back = builder.const(numpy.arange(size)[::-1].copy(), "int64")
        weight = builder.Gather(weight, back, axis=dim + 2)
    inputs, outputs, *kernel = weight.shape
    weight = builder.reshape(weight, group, inputs // group, outputs, *kernel)
    swap = [0, 2, 1, *range(3, rank + 3)]
    return builder.reshape(builder.Transpose(weight, perm=swap), group * outputs,
                           inputs // group, *kernel)


@rule("DepthToSpace")
def depth_to_space(builder, call):
    data, block = call.inputs[0], call.attributes["blocksize"]
    n, c, h, w = static(data)
    inner = c // (block * block)
    if call.get("mode", "DCR") == "DCR":
        sizes, perm = (n, block, block, inner, h, w), [0, 3, 4, 1, 5, 2]
    else:
        sizes, perm = (n, inner, block, block, h, w), [0, 1, 4, 2, 5, 3]
    split = builder.Transpose(builder.reshape(data, *sizes), perm=perm)
    return builder.reshape(split, n, inner, h * block, w * block)


@rule("SpaceToDepth")
def space_to_depth(builder, call):
    data, block = call.inputs[0], call.attributes["blocksize"]
    n, c, h, w = static(data)
    split = builder.reshape(data, n, c, h // block, block, w // block, block)
    if call.get("mode", "DCR") == "DCR":
        perm = [0, 3, 5, 1, 2, 4]
    else:
        perm = [0, 1, 3, 5, 2, 4]
    return builder.reshape(builder.Transpose(split, perm=perm), n, c * block * block,
                           h // block, w // block)
