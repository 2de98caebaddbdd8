# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that order elements, and those whose results have a size that depends
on the data."""

import numpy

from .._sizes import (END, count_up, known, one_element, product, reshape, size_of,
                      sizes_of)
from .._values import NUMBERS, Unsupported, static
from ..kernels.columns import first_columns, pick_columns
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
    out, = builder.kernel(scan, [data], [(data.dtype, data.shape)], axis=axis, how=how,
                          exclusive=exclusive, reverse=reverse)
    return wrapped(builder, out, how)


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


def count_of(builder, call):
    """How many elements TopK takes: a number, or a value."""
    stated = call.declared_shape(0) or call.declared_shape(1)
    axis = call.get("axis", -1) % call.inputs[0].rank
    if call.inputs[1].data is not None:
        return int(numpy.ravel(call.inputs[1].data)[0])
    if stated and stated[axis] is not None:
        return stated[axis]
    return builder.cast(builder.reshape(call.inputs[1], 1), "int64")


@rule("TopK")
def top_k(builder, call):
    data = call.inputs[0]
    axis = call.get("axis", -1) % data.rank
    size, count = data.shape[axis], count_of(builder, call)
    if isinstance(count, int) and not 0 <= count <= (count if size is None else size):
        raise Unsupported(f"it takes {count} of {size} elements")
    swap = last_axis(data.rank, axis)
    turned = builder.Transpose(data, perm=swap)
    rows = builder.Flatten(turned, axis=data.rank - 1)
    index = sort_rows(builder, rows, bool(call.get("largest", 1)))
    shape = (rows.shape[0], known(count))
    if isinstance(count, int) and size is not None:
        index = builder.Slice(index, builder.ints(0), builder.ints(count),
                              builder.ints(1))
    else:
        index, = builder.kernel(first_columns, [index, one_element(builder, count)],
                                [(index.dtype, shape)])
    values, = builder.kernel(pick_columns, [rows, index], [(rows.dtype, shape)])
    sizes = [*sizes_of(builder, turned)[:-1], count]
    return [builder.Transpose(reshape(builder, found, sizes), perm=swap)
            for found in (values, index)]


def coordinates(builder, index, sizes):
    """The coordinates of flat indices: [rank, count]."""
    found = []
    for dim, size in enumerate(sizes):
        step = product(builder, sizes[dim + 1:])
        part = builder.Div(index, one_element(builder, step))
        part = builder.Mod(part, one_element(builder, size))
        found.append(builder.Unsqueeze(part, builder.ints(0)))
    return builder.Concat(*found, axis=0)


@rule("NonZero")
def non_zero(builder, call):
    data = call.inputs[0]
    mask = builder.cast(builder.reshape(data, -1), bool)
    return coordinates(builder, true_places(builder, mask),
                       sizes_of(builder, data) or [1])


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
    index = count_up(builder, size_of(builder, rows, 0))
    if rows.shape[1] is None:
        raise Unsupported("the length of what it compares is known at run time only")
    for column in reversed(range(rows.shape[1])):
        keys = builder.Gather(rows, builder.const(column, "int64"), axis=1)
        keys = builder.Unsqueeze(builder.Gather(keys, index, axis=0), builder.ints(0))
        found = builder.Squeeze(sort_rows(builder, keys), builder.ints(0))
        index = builder.Gather(index, found, axis=0)
    return index


def unlike_before(builder, rows):
    """Which rows of [N, K] differ from the one before."""
    before = builder.Slice(rows, builder.ints(0), builder.ints(-1), builder.ints(0))
    after = builder.Slice(rows, builder.ints(1), builder.ints(END), builder.ints(0))
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
        rows = builder.Flatten(turned, axis=1)
        shape = [-1, *static(turned.__class__("", data.dtype, turned.shape[1:]))]
    index = order_rows(builder, rows)
    new = unlike_before(builder, builder.Gather(rows, index, axis=0))
    begins = true_places(builder, new)
    first = builder.Gather(index, begins, axis=0)
    ends = builder.Concat(builder.Slice(begins, builder.ints(1), builder.ints(END),
                                        builder.ints(0)),
                          one_element(builder, size_of(builder, rows, 0)), axis=0)
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
