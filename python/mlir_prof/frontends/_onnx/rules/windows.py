# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pads, blocks and transposed convolutions in forms that torch-mlir lowers right."""

import math

import numpy

from .._sizes import (END, count_up, one_element, product, quotient, reshape, scalar,
                      size_of, sizes_of)
from .._values import Value, constant, static
from . import rule
from .pools import spatial_of


def slice_axis(builder, value, dim, low, high):
    return builder.Slice(value, builder.ints(low), builder.ints(high),
                         builder.ints(dim))


def mirrored(builder, mode, size, low, high):
    """The indices of a padded axis, whose size may be a value."""
    b, zero, one = builder, builder.const(0, "int64"), builder.const(1, "int64")
    total = builder.Add(one_element(b, size), b.ints(low + high)) if isinstance(
        size, Value) else size + low + high
    places = b.Sub(count_up(b, total), b.const(low, "int64"))
    count = scalar(b, size)
    last = b.Sub(count, one)
    if mode == "edge":
        return b.Max(b.Min(places, last), zero)
    if mode == "wrap":
        return b.Mod(places, count)
    period = b.Max(b.Add(last, last), one)
    places = b.Mod(places, period)
    return b.Where(b.Less(places, count), places, b.Sub(period, places))


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
            data = slice_axis(builder, data, dim, max(-low, 0),
                              high if high < 0 else END)
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
                index = mirrored(builder, mode, size_of(builder, data, dim), low, high)
                data = builder.Gather(data, index, axis=dim)
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
    rank, group = data.rank - 2, call.get("group", 1)
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
        spatial = spatial_of(data)
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
    sizes = sizes_of(builder, data)
    wide = builder.Unsqueeze(data, builder.ints(dim + 1))
    pads = [0] * (2 * data.rank + 2)
    pads[-(data.rank + 1) + dim + 1] = stride - 1
    wide = builder.Pad(wide, builder.ints(*pads))
    sizes[dim] = product(builder, [sizes[dim], stride])
    return slice_axis(builder, reshape(builder, wide, sizes), dim, 0, 1 - stride)


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
    n, c, h, w = sizes_of(builder, data)
    inner = quotient(builder, c, block * block)
    if call.get("mode", "DCR") == "DCR":
        sizes, perm = (n, block, block, inner, h, w), [0, 3, 4, 1, 5, 2]
    else:
        sizes, perm = (n, inner, block, block, h, w), [0, 1, 4, 2, 5, 3]
    split = builder.Transpose(reshape(builder, data, sizes), perm=perm)
    return reshape(builder, split, (n, inner, product(builder, (h, block)),
                                    product(builder, (w, block))))


@rule("SpaceToDepth")
def space_to_depth(builder, call):
    data, block = call.inputs[0], call.attributes["blocksize"]
    n, c, h, w = sizes_of(builder, data)
    high, wide = (quotient(builder, size, block) for size in (h, w))
    split = reshape(builder, data, (n, c, high, block, wide, block))
    if call.get("mode", "DCR") == "DCR":
        perm = [0, 3, 5, 1, 2, 4]
    else:
        perm = [0, 1, 3, 5, 2, 4]
    return reshape(builder, builder.Transpose(split, perm=perm),
                   (n, product(builder, (c, block * block)), high, wide))
