# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as ONNX Runtime's optimizer and exporters write it (com.microsoft)."""

import math

import numpy

from .._values import Unsupported, static
from ..kernels.cache import merge
from . import rule
from .runtime import RUNTIME, add, rotated, swap


def to_heads(builder, value, heads):
    """[B, S, H * D] -> [B, H, S, D]."""
    split = builder.reshape(value, 0, 0, heads, -1)
    return builder.Transpose(split, perm=[0, 2, 1, 3])


def from_heads(builder, value):
    """[B, H, S, D] -> [B, S, H * D]."""
    return builder.reshape(builder.Transpose(value, perm=[0, 2, 1, 3]), 0, 0, -1)


def size_of(value, dim, what):
    if value.shape[dim] is None:
        raise Unsupported(f"it needs {what}, which is dynamic; hint: pass example "
                          "inputs")
    return value.shape[dim]


def masked(builder, keep, amount):
    """0 where the mask [.., S, T] keeps, else `amount`."""
    return builder.Where(keep, builder.const(0.0, "float32"),
                         builder.const(amount, "float32"))


def from_lengths(builder, lengths, total):
    """A mask [B, 1, 1, T] of the first elements of each sequence."""
    along = builder.const(numpy.arange(total).reshape(1, 1, 1, -1), "int64")
    return builder.Less(along, builder.reshape(builder.cast(lengths, "int64"),
                                               -1, 1, 1, 1))


def keep_of(builder, mask, batch, total):
    """A mask of ONNX Runtime in one of its forms, as bool [B, 1, S or 1, T]."""
    if mask.rank == 1:
        count = size_of(mask, 0, "the size of its mask")
        if batch is None or count % max(batch, 1):
            raise Unsupported("its mask has a size that is not known")
        if count == batch:
            return from_lengths(builder, mask, total)
        if count != 2 * batch:
            raise Unsupported("its mask has offsets of sequences that are packed")
        ends = builder.Slice(mask, builder.ints(0), builder.ints(batch),
                             builder.ints(0))
        begins = builder.Slice(mask, builder.ints(batch), builder.ints(2 * batch),
                               builder.ints(0))
        return builder.And(from_lengths(builder, ends, total),
                           builder.Not(from_lengths(builder, begins, total)))
    keep = builder.Greater(mask, builder.const(0, mask.dtype))
    axes = {2: [1, 2], 3: [1], 4: []}[mask.rank]
    return builder.Unsqueeze(keep, builder.ints(*axes)) if axes else keep


def causal(rows, columns, window=0):
    """Which of the columns each of the last rows sees: [S, T]."""
    row = numpy.arange(rows)[:, None] + columns - rows
    column = numpy.arange(columns)
    keep = column <= row
    return keep & (column > row - window) if window > 0 else keep


def attend(builder, q, k, v, scale, bias):
    """The attention of q [B, H, S, D] on k and v [B, H, T, D], with a list of terms
    that are added to the scores; computed in float32."""
    dtype = q.dtype
    q, k, v = (builder.cast(x, "float32") for x in (q, k, v))
    scale = scale or 1 / math.sqrt(size_of(q, 3, "the size of a head"))
    scores = builder.MatMul(builder.Mul(q, builder.like(scale, q)), swap(builder, k))
    for term in bias:
        scores = builder.Add(scores, builder.cast(term, "float32"))
    weights = builder.Softmax(scores, axis=-1)
    return builder.cast(builder.MatMul(weights, v), dtype)


def terms(builder, call, q, k, mask, bias, one_way):
    """The terms that are added to the scores."""
    found, amount = [], call.get("mask_filter_value", -10000.0)
    total = k.shape[2]
    if mask is not None:
        if mask.rank == 1:
            total = size_of(k, 2, "the length of the sequence")
        keep = keep_of(builder, mask, q.shape[0], total)
        if keep.rank == 4 and mask.rank == 4 and keep.shape[2] != q.shape[2]:
            rows = size_of(q, 2, "the length of the sequence")
            past = size_of(k, 2, "the length of the sequence") - rows
            keep = builder.Slice(keep, builder.ints(past, 0),
                                 builder.ints(past + rows, past + rows),
                                 builder.ints(2, 3))
        found.append(masked(builder, keep, amount))
    if one_way:
        rows, columns = (size_of(x, 2, "the length of the sequence") for x in (q, k))
        # Far below what a mask adds.
        found.append(masked(builder, builder.const(causal(rows, columns)), -3e38))
    if bias is not None:
        found.append(bias)
    return found


@rule("Attention", domain=RUNTIME)
def attention(builder, call):
    x, weight = call.inputs[:2]
    heads = call.get("num_heads")
    if call.get("do_rotary", 0) or call.get("past_present_share_buffer", 0):
        raise Unsupported("it rotates, or writes into a buffer of the past")
    projected = add(builder, builder.MatMul(x, weight), call.input(2))
    sizes = list(call.get("qkv_hidden_sizes") or [weight.shape[1] // 3] * 3)
    parts = builder.emit("Split", [projected, builder.ints(*sizes)], dict(axis=2),
                         outputs=3)
    q, k, v = (to_heads(builder, part, heads) for part in parts)
    past, present = call.input(4), None
    if past is not None:
        k, v = (builder.Concat(builder.Gather(past, builder.const(place, "int64"),
                                              axis=0), new, axis=2)
                for place, new in enumerate((k, v)))
    if call.uses(1):
        present = builder.Concat(*(builder.Unsqueeze(x, builder.ints(0))
                                   for x in (k, v)), axis=0)
    bias = terms(builder, call, q, k, call.input(3), call.input(5),
                 call.get("unidirectional", 0))
    found = attend(builder, q, k, v, call.get("scale"), bias)
    return [from_heads(builder, found), present][:len(call.outputs)]


def unpack(builder, packed, count):
    """The parts of [B, S, H, count, D], each [B, H, S, D]."""
    turned = builder.Transpose(packed, perm=[3, 0, 2, 1, 4])
    return [builder.Gather(turned, builder.const(place, "int64"), axis=0)
            for place in range(count)]


def heads_of(builder, call, heads):
    """q, k, v [B, H, S, D] of MultiHeadAttention, of packed or separate inputs."""
    query, key, value = (call.input(place) for place in range(3))
    bias = call.input(3)
    if query.rank == 5:
        return unpack(builder, query, 3)
    biases = [None] * 3
    if bias is not None:
        width = size_of(query, 2, "the size of its query")
        rest = (size_of(bias, 0, "the size of its bias") - 2 * width,)
        biases = builder.emit("Split", [bias, builder.ints(width, width, *rest)],
                              dict(axis=0), outputs=3)
    q = to_heads(builder, add(builder, query, biases[0]), heads)
    if key.rank == 5:
        return [q, *unpack(builder, key, 2)]
    if key.rank == 4:
        return [q, key, value]
    return [q, *(to_heads(builder, add(builder, x, b), heads)
                 for x, b in ((key, biases[1]), (value, biases[2])))]


@rule("MultiHeadAttention", domain=RUNTIME)
def multi_head_attention(builder, call):
    q, k, v = heads_of(builder, call, call.get("num_heads"))
    if call.input(8) is not None or call.input(9) is not None or call.uses(3):
        raise Unsupported("it writes into a buffer of the past, or gives scores")
    if call.input(6) is not None:
        k = builder.Concat(call.input(6), k, axis=2)
        v = builder.Concat(call.input(7), v, axis=2)
    bias = terms(builder, call, q, k, call.input(4), call.input(5),
                 call.get("unidirectional", 0))
    found = attend(builder, q, k, v, call.get("scale"), bias)
    return [from_heads(builder, found), k, v][:len(call.outputs)]


def repeated(builder, value, times):
    """[B, H, T, D] -> [B, H * times, T, D]: each head for several of the query."""
    if times == 1:
        return value
    heads, width = value.shape[1], value.shape[3]
    wide = builder.Unsqueeze(value, builder.ints(2))
    wide = builder.Expand(wide, builder.ints(1, 1, times, 1, 1))
    batch = builder.Slice(builder.Shape(value), builder.ints(0), builder.ints(1))
    sizes = builder.Concat(batch, builder.ints(heads * times, -1, width), axis=0)
    return builder.Reshape(wide, sizes)


def grouped_parts(builder, call, heads, groups):
    """q [B, H, S, D], k and v [B, G, S, D] of GroupQueryAttention."""
    query, key, value = (call.input(place) for place in range(3))
    if key is None:
        width = size_of(query, 2, "the size of its query") // (heads + 2 * groups)
        query, key, value = builder.emit("Split", [query, builder.ints(
            heads * width, groups * width, groups * width)], dict(axis=2), outputs=3)
    return [to_heads(builder, x, count) for x, count in
            ((query, heads), (key, groups), (value, groups))]


@rule("GroupQueryAttention", domain=RUNTIME)
def group_query_attention(builder, call):
    heads, groups = call.get("num_heads"), call.get("kv_num_heads")
    if call.input(11) is not None or call.get("smooth_softmax", 0) or call.uses(3):
        raise Unsupported("it has a sink of attention, or gives scores")
    if call.get("softcap", 0.0):
        raise Unsupported("it caps its scores")
    q, k, v = grouped_parts(builder, call, heads, groups)
    rows = size_of(q, 2, "the length of the sequence")
    total = builder.reshape(builder.cast(call.inputs[6], "int64"))
    ends = builder.Add(builder.cast(builder.reshape(call.inputs[5], -1), "int64"),
                       builder.const(1, "int64"))
    # The first call does not have a past, though sequences may be shorter than others.
    first = builder.LessOrEqual(total, builder.const(rows, "int64"))
    begins = builder.Where(first, builder.const(0, "int64"),
                           builder.Sub(ends, builder.const(rows, "int64")))
    if call.get("do_rotary", 0):
        q, k = grouped_rotation(builder, call, q, k, begins, rows)
    keys, values = (cached(builder, past, new, begins, total)
                    for past, new in ((call.input(3), k), (call.input(4), v)))
    bias = [visible(builder, (begins, ends), rows, keys, call.get("local_window_size", -1))]
    if call.input(10) is not None:
        bias.append(call.input(10))
    found = attend(builder, q, *(repeated(builder, x, heads // groups)
                                 for x in (keys, values)), call.get("scale"), bias)
    return [from_heads(builder, found), keys, values][:len(call.outputs)]


def grouped_rotation(builder, call, q, k, begins, rows):
    cosines, sines, places = (call.input(place) for place in (7, 8, 9))
    if places is None:
        along = builder.const(numpy.arange(rows)[None], "int64")
        places = builder.Add(builder.Unsqueeze(begins, builder.ints(1)), along)
    width = 2 * size_of(cosines, 1, "the size of its cosines")
    return [rotated(builder, x, places, cosines, sines, width,
                    call.get("rotary_interleaved", 0)) for x in (q, k)]


def cached(builder, past, new, begins, total):
    """The past [B, G, P, D] with `new` [B, G, S, D] written at the places of each
    batch: [B, G, max(P, total), D]."""
    if past is None or past.shape[2] == 0:
        return new
    shape = (*static(new)[:2], None, new.shape[3])
    if total.data is not None and past.shape[2] is not None:
        shape = (*shape[:2], max(past.shape[2], int(total.data)), shape[3])
    return builder.kernel(merge, [past, new, begins, total], [(new.dtype, shape)])[0]


def visible(builder, lengths, rows, keys, window):
    """A term [B, 1, S, T] of the scores, by which each row sees the elements
    before it; `lengths` are those of each batch before and with the rows."""
    begins, ends = (builder.reshape(value, -1, 1, 1, 1) for value in lengths)
    row = builder.Add(begins, builder.const(
        numpy.arange(rows).reshape(1, 1, -1, 1), "int64"))
    if keys.shape[2] is None:
        size = builder.Gather(builder.Shape(keys), builder.const(2, "int64"), axis=0)
        column = builder.Range(builder.const(0, "int64"), size,
                               builder.const(1, "int64"))
        column = builder.Unsqueeze(column, builder.ints(0, 1, 2))
    else:
        column = builder.const(numpy.arange(keys.shape[2]).reshape(1, 1, 1, -1),
                               "int64")
    keep = builder.And(builder.LessOrEqual(column, row), builder.Less(column, ends))
    if window > 0:
        least = builder.Sub(row, builder.const(window, "int64"))
        keep = builder.And(keep, builder.Greater(column, least))
    return masked(builder, keep, -3e38)
