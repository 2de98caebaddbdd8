# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions."""

import itertools
import math

import numpy

from .._sizes import END, count_up, reshape, scalar, size_of, sizes_of
from .._values import Unsupported, constant, static
from . import rule


def axes_of(call, rank):
    """The axes of a reduction: as a list, or None if they are not constant."""
    value = call.input(1)
    axes = call.get("axes")
    if value is not None:
        if value.data is None:
            return None
        axes = value.data.tolist()
    if not axes:
        return [] if call.get("noop_with_empty_axes", 0) else list(range(rank))
    return sorted({axis % rank for axis in axes})


_REDUCTIONS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
               "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
               "ReduceSumSquare")

#: The results for no elements.
_EMPTY = {"ReduceSum": 0, "ReduceProd": 1, "ReduceMax": -math.inf,
          "ReduceMin": math.inf, "ReduceL1": 0, "ReduceL2": 0,
          "ReduceSumSquare": 0, "ReduceLogSum": -math.inf,
          "ReduceLogSumExp": -math.inf, "ReduceMean": math.nan}


def emit(builder, op, data, axes, keep):
    return builder.emit(op, [data, builder.ints(*axes)],
                        dict(keepdims=keep, noop_with_empty_axes=1))[0]


def kept(shape, axes, keep):
    return [1 if dim in axes else size for dim, size in enumerate(shape)
            if keep or dim not in axes]


@rule(*_REDUCTIONS)
def reduction(builder, call):
    data = call.inputs[0]
    axes, keep = axes_of(call, data.rank), call.get("keepdims", 1)
    if axes is None:
        return at_run_time(builder, call, keep)
    if data.is_static and any(data.shape[axis] == 0 for axis in axes):
        shape = kept(data.shape, axes, keep)
        empty = _EMPTY[call.op]
        if data.dtype == bool:
            empty = empty > 0
        if data.dtype.kind in "iu" and math.isinf(empty):
            limits = numpy.iinfo(data.dtype)
            empty = limits.min if empty < 0 else limits.max
        return builder.identity(builder.const(numpy.full(shape, empty), data.dtype))
    if data.dtype == bool or data.dtype == "uint64":
        return narrow(builder, call, data, axes, keep)
    if call.op in _BY_OTHERS:
        return _BY_OTHERS[call.op](builder, data, axes, keep)
    if not axes:
        return builder.identity(data)
    return builder.native(call.op, [data, builder.ints(*axes)], keepdims=keep)[0]


def narrow(builder, call, data, axes, keep):
    if data.dtype == bool:
        found = emit(builder, call.op, builder.cast(data, "int32"), axes, keep)
        return builder.cast(found, bool)
    raise Unsupported("it reduces unsigned integers of 64 bits")


def l1(builder, data, axes, keep):
    return emit(builder, "ReduceSum", builder.Abs(data), axes, keep)


def square_sum(builder, data, axes, keep):
    return emit(builder, "ReduceSum", builder.Mul(data, data), axes, keep)


def l2(builder, data, axes, keep):
    total = square_sum(builder, data, axes, keep)
    if data.dtype.kind in "iu":
        return builder.cast(builder.Sqrt(builder.cast(total, "float64")), data.dtype)
    return builder.Sqrt(total)


def log_sum(builder, data, axes, keep):
    return builder.Log(emit(builder, "ReduceSum", data, axes, keep))


def log_sum_exp(builder, data, axes, keep):
    """With the largest element taken out, so that nothing overflows."""
    high = emit(builder, "ReduceMax", data, axes, 1)
    huge = builder.like(numpy.finfo(data.dtype).max, data)
    high = builder.Clip(high, builder.Neg(huge), huge)
    total = emit(builder, "ReduceSum", builder.Exp(builder.Sub(data, high)), axes, keep)
    if not keep and axes:
        high = builder.Squeeze(high, builder.ints(*axes))
    return builder.Add(builder.Log(total), high)


def product(builder, data, axes, keep):
    """The last of cumulative products, of which only one is stored."""
    from ..kernels.reduce import reduce
    if not axes:
        return builder.identity(data)
    rest = [dim for dim in range(data.rank) if dim not in axes]
    turned = builder.Transpose(data, perm=rest + axes)
    flat = builder.Flatten(turned, axis=len(rest))
    found, = builder.kernel(reduce, [flat], [(data.dtype, flat.shape[:1])], how="mul")
    from .indices import wrapped
    return reshape(builder, wrapped(builder, found, "mul"),
                   kept(sizes_of(builder, data), axes, keep))


_BY_OTHERS = {"ReduceL1": l1, "ReduceL2": l2, "ReduceSumSquare": square_sum,
              "ReduceLogSum": log_sum, "ReduceLogSumExp": log_sum_exp,
              "ReduceProd": product}


def candidates(shape, stated, count, keep):
    """The sets of axes that give the shape that the model states."""
    for axes in itertools.combinations(range(len(shape)), count):
        if tuple(kept(shape, axes, keep)) == tuple(stated):
            yield list(axes)


def at_run_time(builder, call, keep):
    """Axes that are known at run time: of all sets of axes that give the stated
    shape, the one that they name."""
    data, axes = call.inputs[:2]
    stated, count = call.declared_shape(), static(axes)[0]
    if not stated or None in stated:
        constant(axes, "axes")
    if not count:
        axes = [] if call.get("noop_with_empty_axes", 0) else list(range(data.rank))
        return emit(builder, call.op, data, axes, keep)
    found, named = None, builder.Mod(builder.Add(axes, builder.const(
        data.rank, "int64")), builder.const(data.rank, "int64"))
    for chosen in candidates(static(data), stated, count, keep):
        value = emit(builder, call.op, data, chosen, keep)
        if found is None:
            found = value
            continue
        hits = builder.Equal(builder.Unsqueeze(named, builder.ints(1)),
                             builder.ints(*chosen))
        hits = emit(builder, "ReduceSum", builder.cast(hits, "int64"), [0, 1], 0)
        same = builder.Equal(hits, builder.const(count, "int64"))
        found = builder.Where(same, value, found)
    return found if found is not None else constant(axes, "axes")


@rule("ArgMax", "ArgMin")
def arg_extreme(builder, call):
    """With the last of equal elements: counted from the end."""
    data = call.inputs[0]
    axis = call.get("axis", 0) % data.rank
    keep = call.get("keepdims", 1)
    if data.dtype == bool:
        data = builder.cast(data, "int32")
    if not call.get("select_last_index", 0):
        return builder.native(call.op, [data], axis=axis, keepdims=keep)[0]
    size = size_of(builder, data, axis)
    last = builder.Sub(scalar(builder, size), builder.const(1, "int64"))
    back = builder.Sub(last, count_up(builder, size))
    place = builder.native(call.op, [builder.Gather(data, back, axis=axis)],
                           axis=axis, keepdims=keep)[0]
    return builder.Sub(last, place)


@rule("InstanceNormalization")
def instance_normalization(builder, call):
    """torch-mlir's is wrong where sizes are dynamic."""
    data, scale, bias = call.inputs
    axes = builder.ints(*range(2, data.rank))
    away = builder.Sub(data, builder.ReduceMean(data, axes))
    spread = builder.ReduceMean(builder.Mul(away, away), axes)
    epsilon = builder.like(call.get("epsilon", 1e-5), data)
    found = builder.Div(away, builder.Sqrt(builder.Add(spread, epsilon)))
    sizes = [1, -1] + [1] * (data.rank - 2)
    return builder.Add(builder.Mul(found, builder.reshape(scale, *sizes)),
                       builder.reshape(bias, *sizes))


@rule("LRN")
def local_response_normalization(builder, call):
    """torch-mlir needs the sizes."""
    data, size = call.inputs[0], call.get("size")
    if data.is_static:
        return None
    low, total = (size - 1) // 2, None
    pads = [0] * 2 * data.rank
    pads[1], pads[data.rank + 1] = low, size - 1 - low
    wide = builder.Pad(builder.Mul(data, data), builder.ints(*pads))
    for place in range(size):
        end = place - size + 1
        part = builder.Slice(wide, builder.ints(place), builder.ints(end or END),
                             builder.ints(1))
        total = part if total is None else builder.Add(total, part)
    factor = builder.like(call.get("alpha", 1e-4) / size, data)
    base = builder.Add(builder.like(call.get("bias", 1.0), data),
                       builder.Mul(factor, total))
    return builder.Div(data, builder.Pow(base, builder.like(call.get("beta", 0.75),
                                                            data)))
