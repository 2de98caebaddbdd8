# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operators that torch-mlir lowers to other results, or not at all."""

import math

import numpy

from .._sizes import count_up, size_of
from .._values import TYPES, Unsupported, Value, static
from ..kernels.number import number
from ..kernels.unsigned import unsigned
from . import rule


def broadcast(builder, *values):
    """The values, expanded to their common shape."""
    shape = numpy.broadcast_shapes(*(static(value) for value in values))
    return [value if value.shape == shape else
            builder.Expand(value, builder.ints(*shape)) for value in values]


def has_long_unsigned(call):
    return any(value and value.dtype == "uint64" for value in call.inputs)


_COMPARE = {"Less": "ult", "LessOrEqual": "ule", "Greater": "ugt",
            "GreaterOrEqual": "uge"}


@rule("Less", "LessOrEqual", "Greater", "GreaterOrEqual")
def compare_unsigned(builder, call):
    if not has_long_unsigned(call):
        return None
    operands = broadcast(builder, *call.inputs)
    return builder.kernel(unsigned, operands, [("bool", operands[0].shape)],
                          op=f"arith.cmpi {_COMPARE[call.op]},")[0]


_UNSIGNED = {"Max": "arith.maxui", "Min": "arith.minui", "Div": "arith.divui",
             "Mod": "arith.remui"}


@rule("Max", "Min", "Div", "Mod")
def calculate_unsigned(builder, call):
    if not has_long_unsigned(call):
        return None
    total = call.inputs[0]
    for operand in call.inputs[1:]:
        operands = broadcast(builder, total, operand)
        total = builder.kernel(unsigned, operands,
                               [("uint64", operands[0].shape)],
                               op=_UNSIGNED[call.op])[0]
    return total


@rule("Cast")
def cast_unsigned(builder, call):
    """From and to unsigned integers of 64 bits."""
    data, target = call.inputs[0], TYPES.get(call.attributes["to"])
    if target is None or not data.is_static:
        return None
    if data.dtype == "uint64" and target.kind == "f":
        return builder.kernel(unsigned, [data], [(target, data.shape)],
                              op="arith.uitofp", converts=True)[0]
    if target == "uint64" and data.dtype.kind == "f":
        return builder.kernel(unsigned, [data], [(target, data.shape)],
                              op="arith.fptoui", converts=True)[0]
    return None


@rule("BitShift")
def shift(builder, call):
    """Shifts by the width and more give 0, or -1 for negative numbers that go to
    the right."""
    data, amount = broadcast(builder, *call.inputs)
    right, wide = call.get("direction") == "RIGHT", "uint64"
    if right and data.dtype.kind == "i":
        wide = "int64"
    held, by = builder.cast(data, wide), builder.cast(amount, "uint64")
    fits = builder.Less(by, builder.const(64, "uint64"))
    if wide == "int64":
        by = builder.cast(builder.Min(by, builder.const(63, "uint64")), wide)
    op = {"int64": "arith.shrsi"}.get(wide, "arith.shrui" if right else "arith.shli")
    moved = builder.kernel(unsigned, [held, by], [(wide, data.shape)], op=op)[0]
    if wide == "uint64":
        moved = builder.Where(fits, moved, builder.const(0, "uint64"))
    return builder.cast(moved, data.dtype)


@rule("Mod")
def modulo(builder, call):
    left, right = call.inputs
    if left.is_float:
        left, right = broadcast(builder, left, right)
        rest = builder.kernel(unsigned, [left, right], [(left.dtype, left.shape)],
                              op="arith.remf")[0]
        return rest if call.get("fmod", 0) else with_sign(builder, rest, right)
    if left.dtype.kind == "u" or not call.get("fmod", 0):
        return None
    rest = builder.Sub(left, builder.Mul(builder.Div(left, right), right))
    return rest


def with_sign(builder, rest, divisor):
    """The remainder that has the sign of the divisor."""
    zero = builder.like(0, rest)
    below = builder.Less(divisor, zero)
    differs = builder.Xor(builder.Less(rest, zero), below)
    none = builder.Where(below, builder.like(-0.0, rest), zero)
    moved = builder.Where(differs, builder.Add(rest, divisor), rest)
    return builder.Where(builder.Equal(rest, zero), none, moved)


@rule("Pow")
def power(builder, call):
    """With operands whose types differ."""
    base, exponent = call.inputs
    if exponent.dtype == base.dtype:
        if base.dtype.kind not in "iu":
            return None
    if base.dtype.kind == "f":
        return builder.native("Pow", [base, builder.cast(exponent, base.dtype)])[0]
    found = builder.native("Pow", [builder.cast(base, "float64"),
                                   builder.cast(exponent, "float64")])[0]
    return builder.cast(found, base.dtype)


@rule("Gelu")
def gelu(builder, call):
    """By tanh: torch-mlir's factor is wrong in the fourth digit."""
    if call.get("approximate", "none") != "tanh":
        return None
    x = call.inputs[0]
    cube = builder.Mul(builder.Mul(x, x), x)
    inner = builder.Add(x, builder.Mul(builder.like(0.044715, x), cube))
    inner = builder.Mul(builder.like(math.sqrt(2 / math.pi), x), inner)
    outer = builder.Add(builder.like(1, x), builder.Tanh(inner))
    return builder.Mul(builder.Mul(builder.like(0.5, x), x), outer)


@rule("IsInf")
def is_infinite(builder, call):
    x = call.inputs[0]
    found = []
    for name, number in (("detect_positive", math.inf), ("detect_negative", -math.inf)):
        if call.get(name, 1):
            found.append(builder.Equal(x, builder.like(number, x)))
    if not found:
        return builder.cast(builder.Mul(x, builder.like(0, x)), "bool")
    return found[0] if len(found) == 1 else builder.Or(*found)


@rule("Hardmax")
def hardmax(builder, call):
    x = call.inputs[0]
    axis = call.get("axis", -1) % x.rank
    place = builder.ArgMax(x, axis=axis, keepdims=1)
    sizes = [1] * x.rank
    sizes[axis] = -1
    along = builder.reshape(count_up(builder, size_of(builder, x, axis)), *sizes)
    return builder.cast(builder.Equal(place, along), x.dtype)


def is_training(call):
    mode = call.input(2)
    if mode is not None and mode.data is None:
        return True
    return mode is not None and bool(mode.data)


@rule("Dropout")
def dropout(builder, call):
    x = call.inputs[0]
    ratio = call.input(1)
    if is_training(call):
        amount = 0.5 if ratio is None else ratio.data
        if amount is None or float(amount):
            raise Unsupported("it drops random elements, as in training; hint: "
                              "export the model for inference")
    mask = builder.ConstantOfShape(builder.Shape(x), value=one_of_bool())
    return [builder.identity(x), mask]


def one_of_bool():
    from onnx import TensorProto, helper
    return helper.make_tensor("", TensorProto.BOOL, [1], [1])


@rule("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike",
      "Multinomial", "Bernoulli")
def random(builder, call):
    raise Unsupported("its results are random; hint: make them an input")


@rule("BitCast")
def bit_cast(builder, call):
    data, target = call.inputs[0], TYPES.get(call.attributes["to"])
    if target is None:
        raise Unsupported("its result has a type that is not taken")
    if target.itemsize != data.dtype.itemsize:
        raise Unsupported(f"it makes {target} of {data.dtype}")
    if bool in (target, data.dtype):
        return builder.cast(data, target)
    from .. import _carry
    from ..kernels.convert import reinterpret
    stored = _carry.pack(builder, data)
    held, = builder.kernel(reinterpret, [stored],
                           [(_carry.storage(target), data.shape)], raw=True)
    return _carry.unpack(builder, Value(held.name, target, data.shape))


@rule("Range")
def arange(builder, call):
    start, limit, delta = (builder.reshape(value) for value in call.inputs)
    stated = call.declared_shape()
    if stated and stated[0] is not None:
        count = builder.const(numpy.arange(stated[0]).astype(start.dtype))
        return builder.Add(start, builder.Mul(count, delta))
    wide = "float64" if start.is_float else "int64"
    room = builder.Sub(builder.cast(limit, wide), builder.cast(start, wide))
    count, = builder.kernel(number, [room, builder.cast(delta, wide)],
                            [("int64", (None,))])
    return builder.Add(start, builder.Mul(builder.cast(count, start.dtype), delta))


@rule("MatMul")
def matmul(builder, call):
    """Vectors as matrices, and batches whose number is dynamic as batches of batches:
    torch-mlir does not lower those of one dimension."""
    left, right = call.inputs
    if left.rank == right.rank == 3 and None in (left.shape[0], right.shape[0]):
        first = builder.ints(0)
        left, right = (builder.Unsqueeze(value, first) for value in (left, right))
        return builder.Squeeze(builder.native("MatMul", [left, right])[0], first)
    if left.rank > 1 and right.rank > 1:
        return None
    dims = []
    if right.rank == 1:
        right, dims = builder.Unsqueeze(right, builder.ints(1)), [-1]
    if left.rank == 1:
        left, dims = builder.Unsqueeze(left, builder.ints(0)), [-2] + dims
    found = builder.native("MatMul", [left, right])[0]
    return builder.Squeeze(found, builder.ints(*(dim % found.rank for dim in dims)))


@rule("Softmax", "LogSoftmax")
def softmax_of_half(builder, call):
    """Sums of 16 bits would lose digits."""
    data = call.inputs[0]
    if not data.is_float or data.dtype.itemsize != 2:
        return None
    found = builder.emit(call.op, [builder.cast(data, "float32")], call.attributes,
                         version=call.version)[0]
    return builder.cast(found, data.dtype)


@rule("LpNormalization")
def lp_normalization(builder, call):
    """Zeros stay zeros."""
    data, p = call.inputs[0], call.get("p", 2)
    axes = builder.ints(call.get("axis", -1) % data.rank)
    norm = builder.emit(f"ReduceL{p}", [data, axes])[0]
    none = builder.Equal(norm, builder.like(0, data))
    return builder.Div(data, builder.Where(none, builder.like(1, data), norm))
