# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resize and Upsample: each output element is a sum of input elements with
weights, one axis after the other."""

import math

from .._sizes import count_up, one_element, size_of
from .._values import Unsupported, Value
from . import rule


class Axis:
    """How one axis is resized: arrays as values, so that scales may be computed
    at run time. Sizes, too, may be values."""

    def __init__(self, builder, size, out, scale, begin=None, end=None):
        self.builder, self.size, self.out, self.scale = builder, size, out, scale
        self.begin, self.end = begin, end

    def f(self, number):
        return float_of(self.builder, number)

    def places(self, mode):
        """The coordinate in the input of each output element."""
        b = self.builder
        x = b.cast(count_up(b, self.out), "float32")
        if mode == "asymmetric":
            return b.Div(x, self.scale)
        if mode == "align_corners":
            last = b.Sub(b.Mul(self.scale, self.f(self.size)), self.f(1))
            none = b.Equal(last, self.f(0))
            return b.Div(b.Mul(x, b.Sub(self.f(self.size), self.f(1))),
                         b.Where(none, self.f(1), last))
        if mode == "tf_crop_and_resize":
            return self.crop(x)
        half = b.Sub(b.Div(b.Add(x, self.f(0.5)), self.scale), self.f(0.5))
        if mode == "pytorch_half_pixel":
            return b.Where(b.Equal(self.f(self.out), self.f(1)), self.f(-0.5), half)
        if mode == "half_pixel_symmetric":
            adjust = b.Div(self.f(self.out), b.Mul(self.scale, self.f(self.size)))
            middle = b.Mul(self.f(self.size), self.f(0.5))
            return b.Add(half, b.Mul(middle, b.Sub(self.f(1), adjust)))
        if mode != "half_pixel":
            raise Unsupported(f"its coordinate transformation is '{mode}'")
        return half

    def crop(self, x):
        if isinstance(self.out, Value):
            raise Unsupported("it crops to a size that is known at run time only")
        b = self.builder
        last = b.Sub(self.f(self.size), self.f(1))
        begin, end = (b.reshape(b.cast(v, "float32")) for v in (self.begin, self.end))
        if self.out == 1:
            middle = b.Mul(b.Mul(self.f(0.5), b.Add(begin, end)), last)
            return b.Expand(middle, b.ints(1))
        step = b.Div(b.Mul(b.Sub(end, begin), last), self.f(self.out - 1))
        return b.Add(b.Mul(begin, last), b.Mul(x, step))


def float_of(builder, number):
    """A number or a size as a float."""
    if isinstance(number, Value):
        return builder.cast(builder.reshape(number), "float32")
    return builder.const(number, "float32")


def nearest(builder, places, how):
    """Places rounded to whole ones."""
    half = builder.const(0.5, "float32")
    if how == "floor":
        return builder.Floor(places)
    if how == "ceil":
        return builder.Ceil(places)
    if how == "round_prefer_ceil":
        return builder.Floor(builder.Add(places, half))
    return builder.Ceil(builder.Sub(places, half))


def cubic_weight(builder, distance, a):
    """Keys' cubic of absolute distances."""
    b = builder

    def f(number):
        return b.const(number, "float32")
    d = b.Abs(distance)
    near = b.Add(b.Mul(b.Mul(b.Sub(b.Mul(f(a + 2), d), f(a + 3)), d), d), f(1))
    far = b.Sub(b.Mul(b.Add(b.Mul(b.Sub(b.Mul(f(a), d), f(5 * a)), d), f(8 * a)), d),
                f(4 * a))
    return b.Where(b.LessOrEqual(d, f(1)), near,
                   b.Where(b.Less(d, f(2)), far, f(0)))


def linear_weight(builder, distance):
    f = builder.const(1, "float32")
    return builder.Max(builder.Sub(f, builder.Abs(distance)),
                       builder.const(0, "float32"))


def taps(builder, axis, places, options):
    """[(index, weight)]: the input elements of each output element."""
    b = builder
    cubic = options["mode"] == "cubic"
    reach, stretch = (2 if cubic else 1), b.const(1, "float32")
    count = reach
    if options["antialias"]:
        stretch = b.Min(stretch, axis.scale)
        count = math.ceil(reach / least_scale(axis))
    base, found = b.Floor(places), []
    for offset in range(1 - count, count + 1):
        place = b.Add(base, b.const(offset, "float32"))
        distance = b.Mul(b.Sub(places, place), stretch)
        weight = cubic_weight(b, distance, options["a"]) if cubic else \
            linear_weight(b, distance)
        if options["exclude"]:
            weight = b.Where(inside(b, place, axis.size), weight,
                             b.const(0, "float32"))
        found.append((place, weight))
    if options["antialias"] or options["exclude"]:
        total = found[0][1]
        for _, weight in found[1:]:
            total = b.Add(total, weight)
        found = [(place, b.Div(weight, total)) for place, weight in found]
    return found


def least_scale(axis):
    """The scale, at most 1, or less than it: the quotient of the sizes."""
    if axis.scale.data is not None:
        return min(1.0, float(axis.scale.data))
    if isinstance(axis.out, Value) or isinstance(axis.size, Value):
        raise Unsupported("it smooths by a scale that is known at run time only")
    return min(1.0, axis.out / axis.size)


def inside(builder, place, size):
    return builder.And(
        builder.GreaterOrEqual(place, builder.const(0, "float32")),
        builder.LessOrEqual(place, last_place(builder, size)))


def last_place(builder, size):
    return builder.Sub(float_of(builder, size), builder.const(1, "float32"))


def index_of(builder, place, size):
    """Places as indices of elements that exist."""
    place = builder.Min(builder.Max(place, builder.const(0, "float32")),
                        last_place(builder, size))
    return builder.cast(place, "int64")


def along(builder, vector, rank, dim):
    sizes = [1] * rank
    sizes[dim] = -1
    return builder.reshape(vector, *sizes)


def resize_axis(builder, data, dim, axis, options):
    """`data` with one axis resized."""
    places = axis.places(options["coordinates"])
    if options["mode"] == "nearest":
        places = nearest(builder, places, options["nearest"])
        found = builder.Gather(data, index_of(builder, places, axis.size), axis=dim)
    else:
        found = None
        for place, weight in taps(builder, axis, places, options):
            if weight.data is not None and not weight.data.any():
                continue
            part = builder.Gather(data, index_of(builder, place, axis.size), axis=dim)
            part = builder.Mul(part, along(builder, builder.cast(weight, data.dtype),
                                           data.rank, dim))
            found = part if found is None else builder.Add(found, part)
    if options["coordinates"] == "tf_crop_and_resize":
        keep = along(builder, inside(builder, places, axis.size), data.rank, dim)
        found = builder.Where(keep, found,
                              builder.like(options["outside"], data))
    return found


def chosen_sizes(builder, call, axes, scales, sizes):
    """The output size of each of `axes`."""
    stated, data = call.declared_shape(), call.inputs[0]
    before = [size_of(builder, data, dim) for dim in axes]
    if sizes is not None and sizes.data is not None:
        return adapt(call, before, [int(n) for n in sizes.data])
    if scales is not None and scales.data is not None:
        return [scaled_size(builder, size, float(scale))
                for size, scale in zip(before, scales.data)]
    if stated and None not in stated:
        return [stated[dim] for dim in axes]
    if call.get("keep_aspect_ratio_policy", "stretch") != "stretch":
        raise Unsupported("it keeps the ratio of sizes that are known at run time only")
    if sizes is not None:
        return [builder.cast(builder.Gather(sizes, builder.ints(place)), "int64")
                for place in range(len(axes))]
    return [scaled_size(builder, size, builder.Gather(scales, builder.ints(place)))
            for place, size in enumerate(before)]


def scaled_size(builder, size, scale):
    """A size times a scale, each of which may be a value."""
    if not isinstance(size, Value) and not isinstance(scale, Value):
        return math.floor(size * scale + 1e-6)
    wide = builder.cast(one_element(builder, size), "float64")
    if isinstance(scale, Value):
        scale = builder.cast(scale, "float64")
    else:
        scale = builder.const([scale], "float64")
    total = builder.Add(builder.Mul(wide, scale), builder.const(1e-6, "float64"))
    return builder.cast(builder.Floor(total), "int64")


def adapt(call, before, sizes):
    """Sizes by the policy for the aspect ratio."""
    policy = call.get("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return sizes
    if any(isinstance(size, Value) for size in before):
        raise Unsupported("it keeps the ratio of sizes that are known at run time only")
    ratios = [size / old for old, size in zip(before, sizes)]
    ratio = min(ratios) if policy == "not_larger" else max(ratios)
    return [math.floor(ratio * old + 0.5) for old in before]


def scale_of(builder, call, place, axes, outs, scales, sizes):
    data = call.inputs[0]
    if scales is not None:
        if scales.data is not None:
            return builder.const(scales.data[place], "float32")
        return builder.cast(builder.Gather(scales, builder.const(place, "int64")),
                            "float32")
    policy = call.get("keep_aspect_ratio_policy", "stretch")
    if policy != "stretch" and sizes.data is not None:
        ratios = [size / data.shape[dim] for dim, size in zip(axes, sizes.data)]
        return builder.const(min(ratios) if policy == "not_larger" else max(ratios),
                             "float32")
    size, out = size_of(builder, data, axes[place]), outs[place]
    if isinstance(size, Value) or isinstance(out, Value):
        return builder.Div(float_of(builder, out), float_of(builder, size))
    return builder.const(out / size, "float32")


def is_kept(size, out, scale):
    """Whether an axis stays as it is."""
    return scale.data is not None and float(scale.data) == 1 and (
        size is None or size == out)


@rule("Resize")
def resize(builder, call):
    data = call.inputs[0]
    if call.version < 11:
        roi, scales, sizes = None, call.inputs[1], None
    else:
        roi, scales, sizes = (call.input(place) for place in (1, 2, 3))
    if scales is not None and scales.shape == (0,):
        scales = None
    axes = [axis % data.rank for axis in call.get("axes") or range(data.rank)]
    outs = chosen_sizes(builder, call, axes, scales, sizes)
    options = dict(mode=call.get("mode", "nearest"), a=call.get("cubic_coeff_a", -0.75),
                   antialias=call.get("antialias", 0),
                   exclude=call.get("exclude_outside", 0),
                   outside=call.get("extrapolation_value", 0.0),
                   nearest=call.get("nearest_mode", "round_prefer_floor"),
                   coordinates=call.get("coordinate_transformation_mode",
                                        "half_pixel"))
    if call.version < 11:
        options.update(coordinates="asymmetric", nearest="floor")
    held = data if options["mode"] == "nearest" or data.is_float else \
        builder.cast(data, "float32")
    for place, (dim, out) in enumerate(zip(axes, outs)):
        scale = scale_of(builder, call, place, axes, outs, scales, sizes)
        crops = options["coordinates"] == "tf_crop_and_resize"
        if not crops and is_kept(data.shape[dim], out, scale):
            continue
        begin, end = ((builder.Gather(roi, builder.const(at, "int64"))
                       for at in (place, place + len(axes))) if crops
                      else (None, None))
        size = size_of(builder, data, dim)
        axis = Axis(builder, size, out, scale, begin, end)
        held = resize_axis(builder, held, dim, axis, options)
    return builder.cast(held, data.dtype) if held is not data else \
        builder.identity(data)


@rule("Upsample")
def upsample(builder, call):
    scales = call.input(1)
    if scales is None:
        scales = builder.const(call.attributes["scales"], "float32")
    return builder.emit("Resize", [call.inputs[0], None, scales],
                        dict(mode=call.get("mode", "nearest"), nearest_mode="floor",
                             coordinate_transformation_mode="asymmetric"),
                        declared=call.declared)
