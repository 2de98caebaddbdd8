# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that read and write by indices."""

import numpy

from .._sizes import (END, count_up, expand, product, quotient, reshape, scalar,
                      size_of, sizes_of)
from .._values import Unsupported, constant, static
from ..kernels.scatter import scatter
from . import rule


def positive(builder, index, size):
    """Indices of type int64 with negative ones counted from the end of `size`."""
    index = builder.cast(index, "int64")
    return builder.Where(builder.Less(index, builder.const(0, "int64")),
                         builder.Add(index, scalar(builder, size)), index)


def stride(builder, sizes, dim):
    return product(builder, sizes[dim + 1:])


def grid(builder, sizes, dim):
    """The coordinate along `dim` of each element, to be broadcast along `sizes`."""
    ones = [1] * len(sizes)
    ones[dim] = -1
    return builder.reshape(count_up(builder, sizes[dim]), *ones)


def flat_places(builder, data, index, axis):
    """The places in the flat `data` of elements whose coordinate along `axis` is in
    `index` and whose others are those of `index`."""
    sizes = sizes_of(builder, data)
    total = builder.Mul(positive(builder, index, sizes[axis]),
                        scalar(builder, stride(builder, sizes, axis)))
    for dim in range(len(sizes)):
        if dim != axis:
            along = builder.Mul(grid(builder, sizes_of(builder, index), dim),
                                scalar(builder, stride(builder, sizes, dim)))
            total = builder.Add(total, along)
    return total


def within(builder, data, index, axis):
    """Indices of a constant, all of which lie in the dimension; negative ones, which
    count from its end, become others. The compiler checks indices that the model
    computes: a loop here would hide sizes of 1 that torch-mlir finds and broadcasts."""
    size = data.shape[axis]
    if index.data is None or size is None:
        return index
    places = index.data.astype("int64")
    if ((places < -size) | (places >= size)).any():
        raise Unsupported(f"an index is not in a dimension of {size} elements")
    return builder.const(numpy.where(places < 0, places + size, places))


@rule("Gather")
def gather(builder, call):
    """By a flat list of indices."""
    data, index = call.inputs
    axis = call.get("axis", 0) % max(data.rank, 1)
    if index.rank == 1:
        return builder.native("Gather", [data, within(builder, data, index, axis)],
                              axis=axis)[0]
    if not index.rank:
        flat = within(builder, data, builder.reshape(index, 1), axis)
        found = builder.native("Gather", [data, flat], axis=axis)[0]
        return builder.Squeeze(found, builder.ints(axis))
    if not (data.is_static and index.is_static):
        return builder.native("Gather", [data, within(builder, data, index, axis)],
                              axis=axis)[0]
    flat = within(builder, data, builder.reshape(index, -1), axis)
    found = builder.native("Gather", [data, flat], axis=axis)[0]
    return builder.reshape(found, *data.shape[:axis], *index.shape,
                           *data.shape[axis + 1:])


@rule("GatherElements")
def gather_elements(builder, call):
    data, index = call.inputs
    axis = call.get("axis", 0) % data.rank
    if not (data.is_static and index.is_static):
        return None
    places = flat_places(builder, data, index, axis)
    return builder.Gather(builder.reshape(data, -1), places, axis=0)


def nd_places(builder, data, index, batch):
    """(rows, row shape): `data` viewed as rows, and the row of each index tuple."""
    sizes, depth, total = sizes_of(builder, data), index.shape[-1], None
    if depth is None:
        raise Unsupported("the length of its indices is known at run time only")
    for place in range(depth):
        part = builder.Gather(index, builder.const(place, "int64"), axis=-1)
        step = product(builder, sizes[batch + place + 1:batch + depth])
        part = builder.Mul(positive(builder, part, sizes[batch + place]),
                           scalar(builder, step))
        total = part if total is None else builder.Add(total, part)
    for dim in range(batch):
        step = product(builder, sizes[dim + 1:batch + depth])
        along = builder.Mul(grid(builder, sizes_of(builder, index)[:-1], dim),
                            scalar(builder, step))
        total = builder.Add(total, along)
    return total, product(builder, sizes[:batch + depth]), sizes[batch + depth:]


@rule("GatherND")
def gather_nd(builder, call):
    data, index = call.inputs
    if not (data.is_static and index.is_static):
        return None
    batch = call.get("batch_dims", 0)
    total, rows, rest = nd_places(builder, data, index, batch)
    return builder.Gather(reshape(builder, data, [rows, *rest]), total, axis=0)


def write(builder, data, rows, rest, places, updates, how):
    """Scatters `updates` into `data`, both viewed as rows of the sizes `rest`."""
    width, count = (product(builder, sizes) for sizes in (
        rest, sizes_of(builder, places)))
    if rows == 0 or count == 0 or width == 0:
        return builder.identity(data)
    kinds = {"none": "none", "add": "add", "mul": "mul", "max": "max", "min": "min"}
    if how not in kinds:
        raise Unsupported(f"its reduction is '{how}'")
    held, flags = data, data.dtype == bool
    if flags:
        held, updates = (builder.cast(x, "int32") for x in (data, updates))
    held = reshape(builder, held, [rows, width])
    out, = builder.kernel(
        scatter, [held, builder.reshape(places, -1),
                  reshape(builder, updates, [count, width])],
        [(held.dtype, held.shape)], how=how)
    out = reshape(builder, wrapped(builder, out, how), sizes_of(builder, data))
    return builder.cast(out, bool) if flags else out


def wrapped(builder, value, how):
    """Sums and products of narrow integers brought back into their type."""
    from .. import _carry
    if how in ("add", "mul") and value.dtype.kind in "iu":
        held = value.__class__(value.name, _carry.carrier(value.dtype), value.shape)
        return _carry.wrap(builder, held, value.dtype)
    return value


@rule("ScatterND")
def scatter_nd(builder, call):
    data, index, updates = call.inputs
    total, rows, rest = nd_places(builder, data, index, 0)
    return write(builder, data, rows, rest, total, updates,
                 call.get("reduction", "none"))


@rule("ScatterElements", "Scatter")
def scatter_elements(builder, call):
    data, index, updates = call.inputs
    if not data.rank:
        raise Unsupported("its data have no dimensions")
    axis = call.get("axis", 0) % data.rank
    places = flat_places(builder, data, index, axis)
    return write(builder, data, product(builder, sizes_of(builder, data)), [], places,
                 updates, call.get("reduction", "none"))


@rule("TensorScatter")
def tensor_scatter(builder, call):
    """Writes `update` into a cache at a place of its own for each batch."""
    cache, update = call.inputs[:2]
    shape, sizes = static(cache), static(update)
    axis = call.get("axis", -2) % cache.rank
    begin = call.input(2) or builder.const(numpy.zeros(shape[0], "int64"))
    begin = builder.reshape(begin, shape[0], *[1] * (cache.rank - 1))
    index = builder.Add(builder.cast(begin, "int64"), grid(builder, sizes, axis))
    if call.get("mode", "linear") == "circular":
        index = builder.Mod(index, builder.const(shape[axis], "int64"))
    index = builder.Expand(index, builder.ints(*sizes))
    places = flat_places(builder, cache, index, axis)
    return write(builder, cache, cache.size, [], places, update, "none")


@rule("OneHot")
def one_hot(builder, call):
    index, depth, values = call.inputs
    stated = call.declared_shape()
    axis = call.get("axis", -1) % (index.rank + 1)
    if depth.data is not None:
        count = int(numpy.ravel(depth.data)[0])
    elif stated and stated[axis] is not None:
        count = stated[axis]
    else:
        constant(depth, "depth")
    index = positive(builder, index, count)
    index = builder.Unsqueeze(index, builder.ints(axis))
    sizes = [1] * (index.rank)
    sizes[axis] = count
    hot = builder.Equal(index, builder.const(numpy.arange(count).reshape(sizes)))
    off = builder.Gather(values, builder.const(0, "int64"), axis=0)
    on = builder.Gather(values, builder.const(1, "int64"), axis=0)
    return builder.Where(hot, on, off)


@rule("ArrayFeatureExtractor", domain="ai.onnx.ml")
def array_feature_extractor(builder, call):
    data, index = call.inputs
    index = builder.reshape(index, -1)
    found = builder.Gather(data, index, axis=-1)
    return builder.reshape(found, 1, -1) if data.rank == 1 else found


@rule("ReverseSequence")
def reverse_sequence(builder, call):
    data, lengths = call.inputs
    shape = sizes_of(builder, data)
    time, batch = call.get("time_axis", 0), call.get("batch_axis", 1)
    along = grid(builder, shape, time)
    sizes = [1] * data.rank
    sizes[batch] = -1
    lengths = builder.reshape(lengths, *sizes)
    turned = builder.Sub(builder.Sub(lengths, builder.const(1, "int64")), along)
    index = builder.Where(builder.Less(along, lengths), turned, along)
    return builder.GatherElements(data, expand(builder, index, shape), axis=time)


@rule("Split")
def split_evenly(builder, call):
    """Into parts of one size, the last of which may be smaller."""
    if call.input(1) is not None:
        return None
    data, count = call.inputs[0], call.get("num_outputs") or len(call.outputs)
    axis = call.get("axis", 0) % data.rank
    size = data.shape[axis]
    if size is None:
        return parts_of(builder, data, axis, count)
    part = -(-size // count)
    sizes = [min(part, max(size - part * place, 0)) for place in range(count)]
    return builder.emit("Split", [data, builder.ints(*sizes)], dict(axis=axis),
                        outputs=call.outputs)


def parts_of(builder, data, axis, count):
    """Even parts of an axis whose size is known at run time."""
    size = size_of(builder, data, axis)
    rest = builder.Add(size, builder.ints(count - 1))
    part = quotient(builder, rest, count)
    ends = [product(builder, [part, place]) for place in range(1, count)]
    begins = [builder.ints(0), *ends]
    return [builder.Slice(data, begin, end, builder.ints(axis))
            for begin, end in zip(begins, [*ends, builder.ints(END)])]
