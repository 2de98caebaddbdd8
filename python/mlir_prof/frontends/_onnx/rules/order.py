# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that order elements, and those whose results have a size that depends
on the data."""

import math

import numpy

from .._values import NUMBERS, Unsupported, constant, static
from ..kernels.order import order
from ..kernels.places import places
from ..kernels.scan import scan
from . import rule


def true_places(builder, mask):
    """The indices of the true elements of a flat mask."""
    return builder.kernel(places, [mask], [("int64", (None,))])[0]


def sort_rows(builder, data, descending=False):
    """The indices that sort each row of [R, N]; the order of equal ones stays."""
    if data.dtype == "uint64":
        # With the highest bit flipped, the order is that of signed numbers.
        data = builder.Add(builder.BitCast(data, to=NUMBERS[numpy.dtype("int64")]),
                           builder.const(-1 << 63, "int64"))
    if data.dtype == bool:
        data = builder.cast(data, "int32")
    return builder.kernel(order, [data], [("int64", data.shape)],
                          descending=descending)[0]


def cumulate(builder, data, axis, how="add", exclusive=False, reverse=False):
    """Cumulative sums or products along an axis."""
    from .indices import wrapped
    shape = static(data)
    outer, inner = math.prod(shape[:axis]), math.prod(shape[axis + 1:])
    flat = builder.reshape(data, outer, shape[axis], inner)
    out, = builder.kernel(scan, [flat], [(flat.dtype, flat.shape)], how=how,
                          exclusive=exclusive, reverse=reverse)
    return builder.reshape(wrapped(builder, out, how), *shape)


@rule("CumSum", "CumProd")
def cumulative(builder, call):
    data, axis = call.inputs
    options = dict(how="mul" if call.op == "CumProd" else "add",
                   exclusive=bool(call.get("exclusive", 0)),
                   reverse=bool(call.get("reverse", 0)))
    if axis.data is not None:
        axis = int(numpy.ravel(axis.data)[0]) % data.rank
        return cumulate(builder, data, axis, **options)
    # Along each axis, of which the one that is named is the result.
    found = cumulate(builder, data, 0, **options)
    axis = builder.reshape(builder.cast(axis, "int64"))
    axis = builder.Where(builder.Less(axis, builder.const(0, "int64")),
                         builder.Add(axis, builder.const(data.rank, "int64")), axis)
    for dim in range(1, data.rank):
        found = builder.Where(builder.Equal(axis, builder.const(dim, "int64")),
                              cumulate(builder, data, dim, **options), found)
    return found


def last_axis(rank, axis):
    """The permutation that exchanges an axis with the last one."""
    dims = list(range(rank))
    dims[axis], dims[-1] = dims[-1], dims[axis]
    return dims


@rule("TopK")
def top_k(builder, call):
    data = call.inputs[0]
    shape = list(static(data))
    axis = call.get("axis", -1) % data.rank
    stated = call.declared_shape(0) or call.declared_shape(1)
    if call.inputs[1].data is not None:
        count = int(numpy.ravel(call.inputs[1].data)[0])
    elif stated and stated[axis] is not None:
        count = stated[axis]
    else:
        constant(call.inputs[1], "number of elements")
    if not 0 <= count <= shape[axis]:
        raise Unsupported(f"it takes {count} of {shape[axis]} elements")
    swap = last_axis(data.rank, axis)
    turned = builder.Transpose(data, perm=swap)
    rows = builder.reshape(turned, data.size // max(shape[axis], 1), shape[axis])
    index = sort_rows(builder, rows, bool(call.get("largest", 1)))
    index = builder.Slice(index, builder.ints(0), builder.ints(count),
                          builder.ints(1))
    values = builder.GatherElements(rows, index, axis=1)
    sizes = [turned.shape[dim] for dim in range(data.rank - 1)] + [count]
    return [builder.Transpose(builder.reshape(found, *sizes), perm=swap)
            for found in (values, index)]


def divide(builder, index, divisor):
    return builder.Div(index, builder.const(divisor, "int64"))


def coordinates(builder, index, shape):
    """The coordinates of flat indices: [rank, count]."""
    found = []
    for dim, size in enumerate(shape):
        step = math.prod(shape[dim + 1:])
        part = builder.Mod(divide(builder, index, step),
                           builder.const(size, "int64"))
        found.append(builder.Unsqueeze(part, builder.ints(0)))
    return builder.Concat(*found, axis=0)


@rule("NonZero")
def non_zero(builder, call):
    data = call.inputs[0]
    shape = static(data) or (1,)
    mask = builder.cast(builder.reshape(data, -1), bool)
    return coordinates(builder, true_places(builder, mask), shape)


@rule("Compress")
def compress(builder, call):
    data, mask = call.inputs
    axis = call.get("axis")
    if axis is None:
        data, axis = builder.reshape(data, -1), 0
    return builder.Gather(data, true_places(builder, mask), axis=axis)


def order_rows(builder, rows):
    """The indices that sort the rows of [N, K] by their first, then their next
    elements."""
    count, width = static(rows)
    index = builder.const(numpy.arange(count, dtype="int64"))
    for column in reversed(range(width)):
        keys = builder.Gather(rows, builder.const(column, "int64"), axis=1)
        keys = builder.reshape(builder.Gather(keys, index, axis=0), 1, count)
        found = builder.reshape(sort_rows(builder, keys), count)
        index = builder.Gather(index, found, axis=0)
    return index


def unlike_before(builder, rows):
    """Which rows of [N, K] differ from the one before."""
    count = rows.shape[0]
    before = builder.Slice(rows, builder.ints(0), builder.ints(count - 1),
                           builder.ints(0))
    after = builder.Slice(rows, builder.ints(1), builder.ints(count),
                          builder.ints(0))
    unlike = builder.cast(builder.Not(builder.Equal(before, after)), "int32")
    unlike = builder.ReduceMax(unlike, builder.ints(1), keepdims=0)
    return builder.cast(builder.Concat(builder.const([1], "int32"), unlike, axis=0),
                        bool)


def invert(builder, index):
    """The permutation that undoes `index`, of a size known at run time."""
    return builder.Squeeze(sort_rows(builder, builder.Unsqueeze(
        index, builder.ints(0))), builder.ints(0))


@rule("Unique")
def unique(builder, call):
    data, axis = call.inputs[0], call.get("axis")
    if axis is None:
        rows, shape, axis = builder.reshape(data, -1, 1), [-1], 0
    else:
        axis %= data.rank
        swap = [axis] + [dim for dim in range(data.rank) if dim != axis]
        turned = builder.Transpose(data, perm=swap)
        rows = builder.reshape(turned, data.shape[axis], -1)
        shape = [-1, *static(turned)[1:]]
    count = static(rows)[0]
    index = order_rows(builder, rows)
    new = unlike_before(builder, builder.Gather(rows, index, axis=0))
    begins = true_places(builder, new)
    first = builder.Gather(index, begins, axis=0)
    ends = builder.Concat(builder.Slice(begins, builder.ints(1), builder.ints(count),
                                        builder.ints(0)), builder.ints(count), axis=0)
    counts = builder.Sub(ends, begins)
    number = builder.Sub(cumulate(builder, builder.cast(new, "int64"), 0),
                         builder.const(1, "int64"))
    inverse = builder.Gather(number, invert(builder, index), axis=0)
    if not call.get("sorted", 1):
        by_place = builder.Squeeze(sort_rows(builder, builder.Unsqueeze(
            first, builder.ints(0))), builder.ints(0))
        inverse = builder.Gather(invert(builder, by_place), inverse, axis=0)
        first, counts = (builder.Gather(x, by_place, axis=0)
                         for x in (first, counts))
    values = builder.reshape(builder.Gather(rows, first, axis=0), *shape)
    if len(shape) > 1:
        back = [swap.index(dim) for dim in range(data.rank)]
        values = builder.Transpose(values, perm=back)
    return [values, first, inverse, counts]
