# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized operators as arithmetic."""

import numpy

from .._values import TYPES, Unsupported, static
from . import rule


def along(builder, value, data, axis, block=0):
    """A scale or zero point, one for each index of an axis or for each block of
    them, as a value that broadcasts over `data`."""
    if value is None or value.rank == 0 or value.shape == (1,):
        return value and builder.reshape(value)
    if block and value.rank == data.rank:
        return repeat(builder, value, static(data), axis % data.rank, block)
    if value.rank != 1:
        return value
    sizes = [1] * data.rank
    sizes[axis % data.rank] = -1
    return builder.reshape(value, *sizes)


def repeat(builder, value, shape, axis, block):
    """Each element `block` times along an axis, cut to `shape`."""
    sizes = list(static(value))
    wide = builder.Unsqueeze(value, builder.ints(axis + 1))
    wide = builder.Expand(wide, builder.ints(*sizes[:axis + 1], block,
                                             *sizes[axis + 1:]))
    wide = builder.reshape(wide, *sizes[:axis], -1, *sizes[axis + 1:])
    return builder.Slice(wide, builder.ints(0), builder.ints(shape[axis]),
                         builder.ints(axis))


def saturate(builder, value, dtype, zero):
    """Rounded floats plus a zero point, as integers of `dtype`."""
    dtype = numpy.dtype(dtype)
    if dtype.kind not in "iu" or dtype.itemsize > 2:
        raise Unsupported(f"its result is of type {dtype}")
    limits = numpy.iinfo(dtype)
    value = builder.Round(value)
    if zero is not None:
        value = builder.Add(value, builder.cast(zero, value.dtype))
    value = builder.Max(value, builder.like(limits.min, value))
    value = builder.Min(value, builder.like(limits.max, value))
    return builder.cast(builder.cast(value, "int32"), dtype)


def wide_float(builder, value):
    """Scales of 16 bits are computed with in f32."""
    if value.dtype.itemsize == 2:
        return builder.cast(value, "float32")
    return value


@rule("QuantizeLinear")
def quantize(builder, call):
    data, scale = call.inputs[:2]
    zero, axis = call.input(2), call.get("axis", 1)
    block = call.get("block_size", 0)
    stated = call.get("output_dtype", 0)
    if zero is not None:
        dtype = zero.dtype
    elif stated in TYPES or not stated:
        dtype = TYPES.get(stated, numpy.dtype("uint8"))
    else:
        raise Unsupported(f"its result has the type of number {stated}")
    if not isinstance(dtype, numpy.dtype):
        raise Unsupported(f"its zero point has the type {dtype}")
    data, scale = (builder.cast(x, "float32") if not x.is_float else
                   wide_float(builder, x) for x in (data, scale))
    scale = along(builder, scale, data, axis, block)
    zero = along(builder, zero, data, axis, block)
    scaled = builder.Div(data, builder.cast(scale, data.dtype))
    return saturate(builder, scaled, dtype, zero)


def shifted(builder, data, zero):
    """Integers minus their zero point, as int32."""
    data = builder.cast(data, "int32")
    return data if zero is None else builder.Sub(data, builder.cast(zero, "int32"))


@rule("DequantizeLinear")
def dequantize(builder, call):
    data, scale = call.inputs[:2]
    if not isinstance(data.dtype, numpy.dtype) or data.dtype.kind not in "iu":
        raise Unsupported(f"it takes a tensor of {data.dtype}")
    axis, block = call.get("axis", 1), call.get("block_size", 0)
    dtype = TYPES.get(call.get("output_dtype", 0), scale.dtype)
    scale = along(builder, wide_float(builder, scale), data, axis, block)
    zero = along(builder, call.input(2), data, axis, block)
    result = builder.Mul(builder.cast(shifted(builder, data, zero), scale.dtype),
                         scale)
    return builder.cast(result, dtype)


def of_columns(builder, value):
    """A scale or zero point of the columns of a matrix, or of the whole."""
    return value if value is None or value.rank else builder.reshape(value)


def of_rows(builder, value):
    """A scale or zero point of the rows of a matrix, or of the whole."""
    if value is None or value.rank != 1 or value.shape == (1,):
        return value
    return builder.Unsqueeze(value, builder.ints(1))


def requantize(builder, total, scale, out_scale, dtype, zero):
    """Sums of products, as integers with another scale."""
    value = builder.Mul(builder.cast(total, "float32"), scale)
    return saturate(builder, builder.Div(value, out_scale), dtype, zero)


@rule("QLinearMatMul")
def quantized_matmul(builder, call):
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = call.inputs
    total = builder.MatMul(shifted(builder, a, of_rows(builder, a_zero)),
                           shifted(builder, b, of_columns(builder, b_zero)))
    a_scale, b_scale, y_scale = (wide_float(builder, x)
                                 for x in (a_scale, b_scale, y_scale))
    scale = builder.Mul(of_rows(builder, a_scale), b_scale)
    return requantize(builder, total, scale, of_rows(builder, y_scale), y_zero.dtype,
                      of_rows(builder, y_zero))


@rule("MatMulInteger")
def matmul_integer(builder, call):
    a, b = call.inputs[:2]
    return builder.MatMul(
        shifted(builder, a, of_rows(builder, call.input(2))),
        shifted(builder, b, of_columns(builder, call.input(3))))


def convolve(builder, call, data, weight, attributes):
    """A convolution of integers that f32 represents: exact while the sums of
    products stay below 2**24, else in f64."""
    taps = weight.size // max(weight.shape[0], 1)
    dtype = "float32" if taps * 255 * 255 < 1 << 24 else "float64"
    held = (builder.cast(x, dtype) for x in (data, weight))
    return builder.cast(builder.emit("Conv", list(held), attributes)[0], "int32")


def per_filter(builder, value, rank, at):
    """A value of each filter, along dimension `at` of a tensor of this rank."""
    if value is None or value.rank == 0 or value.shape == (1,):
        return value and builder.reshape(value)
    sizes = [1] * rank
    sizes[at] = -1
    return builder.reshape(value, *sizes)


@rule("ConvInteger")
def conv_integer(builder, call):
    x, w = call.inputs[:2]
    zero = per_filter(builder, call.input(3), w.rank, 0)
    x_zero = call.input(2)
    return convolve(builder, call,
                    shifted(builder, x, x_zero and builder.reshape(x_zero)),
                    shifted(builder, w, zero), call.attributes)


@rule("QLinearConv")
def quantized_conv(builder, call):
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero = call.inputs[:8]
    x_zero, x_scale, y_scale, y_zero = (
        builder.reshape(value) for value in (x_zero, x_scale, y_scale, y_zero))
    total = convolve(builder, call, shifted(builder, x, x_zero),
                     shifted(builder, w, per_filter(builder, w_zero, w.rank, 0)),
                     call.attributes)
    if call.input(8) is not None:
        total = builder.Add(total, per_filter(builder, call.input(8), x.rank, 1))
    scale = builder.Mul(x_scale, per_filter(builder, w_scale, x.rank, 1))
    return requantize(builder, total, scale, y_scale, y_zero.dtype, y_zero)
