# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that sample images at places computed at run time."""

import math

import numpy

from .._values import Unsupported, static
from . import rule
from .resize import cubic_weight


class Image:
    """Images [N, C, ...] that are read at places: a place is a list of values, one
    for each spatial axis, all of one shape [N, P]."""

    def __init__(self, builder, data, outside="zeros", corners=False):
        self.builder, self.data = builder, data
        self.outside, self.corners = outside, corners
        self.batch, self.channels, *self.sizes = static(data)
        plane = math.prod(self.sizes)
        flat = builder.reshape(data, self.batch, self.channels, plane)
        turned = builder.Transpose(flat, perm=[0, 2, 1])
        self.rows = builder.reshape(turned, self.batch * plane, self.channels)
        self.first = builder.const(
            numpy.arange(self.batch).reshape(-1, 1) * plane, "int64")

    def f(self, number, like):
        return self.builder.like(number, like)

    def reflect(self, place, size):
        """Places mirrored at the borders."""
        b = self.builder
        low, high = (0, size - 1) if self.corners else (-0.5, size - 0.5)
        span = high - low
        if span <= 0:
            return b.Mul(place, self.f(0, place))
        away = b.Abs(b.Sub(place, self.f(low, place)))
        turns = b.Floor(b.Div(away, self.f(span, place)))
        rest = b.Sub(away, b.Mul(turns, self.f(span, place)))
        odd = b.Sub(turns, b.Mul(self.f(2, place), b.Floor(
            b.Div(turns, self.f(2, place)))))
        back = b.Sub(self.f(span, place), rest)
        return b.Add(b.Where(b.Greater(odd, self.f(0.5, place)), back, rest),
                     self.f(low, place))

    def fit(self, place, size):
        """(a place that exists, whether it was there) of a whole place."""
        b = self.builder
        if self.outside == "reflection":
            place = b.Round(self.reflect(place, size))
        near = b.Max(b.Min(place, self.f(size - 1, place)), self.f(0, place))
        return b.cast(near, "int64"), b.Equal(near, place)

    def read(self, places):
        """The elements [N, P, C] at whole places."""
        b, index, there = self.builder, self.first, None
        for dim, (place, size) in enumerate(zip(places, self.sizes)):
            near, here = self.fit(place, size)
            step = math.prod(self.sizes[dim + 1:])
            index = b.Add(index, b.Mul(near, b.const(step, "int64")))
            there = here if there is None else b.And(there, here)
        found = b.Gather(self.rows, index, axis=0)
        if self.outside != "zeros":
            return found
        keep = b.Unsqueeze(there, b.ints(2))
        return b.Where(keep, found, b.like(0, found))

    def sample(self, places, mode):
        """The elements [N, P, C] at any places."""
        b = self.builder
        if mode == "nearest":
            return self.read([b.Round(place) for place in places])
        bases = [b.Floor(place) for place in places]
        offsets = (0, 1) if mode == "linear" else (-1, 0, 1, 2)
        total = None
        for chosen in numpy.ndindex(*[len(offsets)] * len(places)):
            spots, weight = [], None
            for base, place, number in zip(bases, places, chosen):
                spot = b.Add(base, self.f(offsets[number], base))
                spots.append(spot)
                distance = b.Sub(place, spot)
                part = b.Sub(self.f(1, base), b.Abs(distance)) if mode == "linear" \
                    else b.cast(cubic_weight(b, b.cast(distance, "float32"), -0.75),
                                base.dtype)
                weight = part if weight is None else b.Mul(weight, part)
            part = b.Mul(self.read(spots), b.cast(b.Unsqueeze(weight, b.ints(2)),
                                                  self.data.dtype))
            total = part if total is None else b.Add(total, part)
        return total


@rule("GridSample")
def grid_sample(builder, call):
    data, grid = call.inputs
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(
        call.get("mode", "linear"), call.get("mode", "linear"))
    corners = bool(call.get("align_corners", 0))
    image = Image(builder, data, call.get("padding_mode", "zeros"), corners)
    batch, *out, rank = static(grid)
    flat = builder.reshape(grid, batch, -1, rank)
    places = []
    for dim, size in enumerate(image.sizes):
        x = builder.Gather(flat, builder.const(rank - 1 - dim, "int64"), axis=2)
        place = unnormalized(builder, x, size, corners)
        if image.outside == "border":
            place = builder.Max(builder.Min(place, builder.like(size - 1, x)),
                                builder.like(0, x))
        elif image.outside == "reflection":
            place = image.reflect(place, size)
        places.append(place)
    found = image.sample(places, mode)
    turned = builder.Transpose(found, perm=[0, 2, 1])
    return builder.reshape(turned, batch, image.channels, *out)


def unnormalized(builder, x, size, corners):
    """Places of [-1, 1] as places of elements."""
    one = builder.Add(x, builder.like(1, x))
    if corners:
        return builder.Mul(one, builder.like((size - 1) / 2, x))
    return builder.Sub(builder.Mul(one, builder.like(size / 2, x)),
                       builder.like(0.5, x))


@rule("RoiAlign")
def roi_align(builder, call):
    data, boxes, batch = call.inputs
    ratio = call.get("sampling_ratio", 0)
    if not ratio:
        raise Unsupported("the number of its samples follows from the boxes; hint: "
                          "set sampling_ratio")
    high, wide = call.get("output_height", 1), call.get("output_width", 1)
    scale = call.get("spatial_scale", 1.0)
    half = call.get("coordinate_transformation_mode",
                    "half_pixel" if call.version >= 16 else
                    "output_half_pixel") == "half_pixel"
    count = static(boxes)[0]
    places = []
    for begin, end, bins, size in ((1, 3, high, data.shape[2]),
                                   (0, 2, wide, data.shape[3])):
        places.append(samples(builder, boxes, (begin, end), bins, ratio, scale, half,
                              size))
    return pooled(builder, call, data, batch, places, (count, high, wide, ratio))


def samples(builder, boxes, ends, bins, ratio, scale, half, size):
    """The places of samples along one axis: [boxes, bins * ratio]."""
    low, high = (builder.Mul(builder.Gather(boxes, builder.const(end, "int64"), axis=1),
                             builder.like(scale, boxes)) for end in ends)
    if half:
        low, high = (builder.Sub(x, builder.like(0.5, x)) for x in (low, high))
    length = builder.Sub(high, low)
    if not half:
        length = builder.Max(length, builder.like(1, length))
    steps = (numpy.arange(bins * ratio) + 0.5) / (bins * ratio)
    along = builder.Mul(builder.Unsqueeze(length, builder.ints(1)),
                        builder.const(steps, "float32"))
    return builder.Add(builder.Unsqueeze(low, builder.ints(1)), along)


def pooled(builder, call, data, batch, places, sizes):
    count, high, wide, ratio = sizes
    image = Image(builder, data, "border")
    rows, columns = high * ratio, wide * ratio
    y = builder.Expand(builder.Unsqueeze(places[0], builder.ints(2)),
                       builder.ints(count, rows, columns))
    x = builder.Expand(builder.Unsqueeze(places[1], builder.ints(1)),
                       builder.ints(count, rows, columns))
    flat = [builder.reshape(place, count, rows * columns) for place in (y, x)]
    plane = builder.const(math.prod(image.sizes), "int64")
    image.first = builder.Unsqueeze(builder.Mul(builder.cast(batch, "int64"), plane),
                                    builder.ints(1))
    inside = None
    for place, size in zip(flat, image.sizes):
        here = builder.And(builder.GreaterOrEqual(place, builder.like(-1, place)),
                           builder.LessOrEqual(place, builder.like(size, place)))
        inside = here if inside is None else builder.And(inside, here)
    near = [builder.Max(builder.Min(place, builder.like(size - 1, place)),
                        builder.like(0, place))
            for place, size in zip(flat, image.sizes)]
    if call.get("mode", "avg") == "avg":
        found = image.sample(near, "linear")
    else:
        found = largest_corner(image, near)
    found = builder.Where(builder.Unsqueeze(inside, builder.ints(2)), found,
                          builder.like(0, found))
    found = builder.reshape(found, count, high, ratio, wide, ratio, image.channels)
    op = "ReduceMean" if call.get("mode", "avg") == "avg" else "ReduceMax"
    found = builder.emit(op, [found, builder.ints(2, 4)], dict(keepdims=0))[0]
    return builder.Transpose(found, perm=[0, 3, 1, 2])


def largest_corner(image, places):
    """The largest of the four neighbors, each times its weight."""
    b, best = image.builder, None
    bases = [b.Floor(place) for place in places]
    for chosen in numpy.ndindex(2, 2):
        spots = [b.Add(base, image.f(number, base))
                 for base, number in zip(bases, chosen)]
        weight = None
        for place, spot in zip(places, spots):
            part = b.Sub(image.f(1, place), b.Abs(b.Sub(place, spot)))
            weight = part if weight is None else b.Mul(weight, part)
        part = b.Mul(image.read(spots), b.Unsqueeze(weight, b.ints(2)))
        best = part if best is None else b.Max(best, part)
    return best


@rule("AffineGrid")
def affine_grid(builder, call):
    theta, stated = call.inputs[0], call.declared_shape()
    if call.inputs[1].data is not None:
        sizes = [int(n) for n in call.inputs[1].data][2:]
    elif stated and None not in stated:
        sizes = list(stated[1:-1])
    else:
        raise Unsupported("its size is not constant")
    lines = []
    for dim, size in reversed(list(enumerate(sizes))):
        if call.get("align_corners", 0):
            line = numpy.linspace(-1, 1, size) if size > 1 else numpy.zeros(1)
        else:
            line = (2 * numpy.arange(size) + 1) / size - 1
        shape = [1] * len(sizes)
        shape[dim] = size
        lines.append(numpy.broadcast_to(line.reshape(shape), sizes).ravel())
    lines.append(numpy.ones(math.prod(sizes)))
    points = builder.const(numpy.stack(lines, 1), theta.dtype)
    found = builder.MatMul(points, builder.Transpose(theta, perm=[0, 2, 1]))
    return builder.reshape(found, static(theta)[0], *sizes, len(sizes))


@rule("DeformConv")
def deform_conv(builder, call):
    """A product of the filter with samples of the image."""
    data, weight, offset = call.inputs[:3]
    bias, mask = call.input(3), call.input(4)
    kernel = static(weight)[2:]
    rank, taps = len(kernel), math.prod(kernel)
    group, parts = call.get("group", 1), call.get("offset_group", 1)
    batch, channels, *sizes = static(data)
    out = static(offset)[2:]
    pads = call.get("pads") or [0] * 2 * rank
    strides, dilations = (call.get(key) or [1] * rank
                          for key in ("strides", "dilations"))
    columns = []
    moves = builder.reshape(offset, batch, parts, taps, rank, math.prod(out))
    if mask is not None:
        mask = builder.reshape(mask, batch, parts, taps * math.prod(out))
    width = channels // parts
    for part in range(parts):
        image = Image(builder, builder.Slice(
            data, builder.ints(part * width), builder.ints((part + 1) * width),
            builder.ints(1)))
        own = pick(builder, moves, part, 1)
        places = []
        for dim in range(rank):
            tap = numpy.indices(kernel)[dim].reshape(-1, 1) * dilations[dim]
            spot = numpy.indices(out)[dim].reshape(1, -1) * strides[dim]
            base = builder.const((tap + spot - pads[dim])[None], data.dtype)
            place = builder.Add(pick(builder, own, dim, 2), base)
            places.append(builder.reshape(place, batch, -1))
        found = image.sample(places, "linear")
        if mask is not None:
            found = builder.Mul(found, builder.Unsqueeze(pick(builder, mask, part, 1),
                                                         builder.ints(2)))
        found = builder.reshape(found, batch, taps, -1, width)
        columns.append(builder.Transpose(found, perm=[0, 3, 1, 2]))
    column = builder.Concat(*columns, axis=1)
    rows = builder.reshape(weight, group, weight.shape[0] // group, -1)
    column = builder.reshape(column, batch, group, channels // group * taps, -1)
    result = builder.reshape(builder.MatMul(rows, column), batch, weight.shape[0], *out)
    if bias is None:
        return result
    return builder.Add(result, builder.reshape(bias, 1, -1, *[1] * rank))


def pick(builder, value, place, axis):
    return builder.Gather(value, builder.const(place, "int64"), axis=axis)
