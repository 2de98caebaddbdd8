# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms as products with constant matrices, windows, and Einsum."""

import math

import numpy

from .._sizes import expand, product, reshape, sizes_of
from .._values import TYPES, Value, constant, static
from . import rule


def turns(rows, columns, inverse=False):
    """cos and sin of the angles of a transform of `columns` points: [rows, columns]."""
    sign = 1 if inverse else -1
    angle = sign * 2 * math.pi * (numpy.outer(numpy.arange(rows),
                                              numpy.arange(columns)) % columns) / columns
    return numpy.cos(angle), numpy.sin(angle)


def times(builder, data, matrix):
    """`data` [..., n] times a constant [m, n], transposed; in f64 until all terms are
    added, since they cancel where the result is 0."""
    return builder.MatMul(builder.cast(data, "float64"), builder.const(matrix.T))


def transform(builder, real, imaginary, count, inverse, rows):
    """The transform along the last axis, cut or filled with zeros to `count`."""
    cos, sin = turns(rows, count, inverse)
    size = real.shape[-1]
    cos, sin = cos[:, :size], sin[:, :size]
    if size > count:
        parts = [builder.ints(0), builder.ints(count), builder.ints(-1)]
        real = builder.Slice(real, *parts)
        imaginary = imaginary and builder.Slice(imaginary, *parts)
    a, b = times(builder, real, cos), times(builder, real, sin)
    if imaginary is not None:
        a = builder.Sub(a, times(builder, imaginary, sin))
        b = builder.Add(b, times(builder, imaginary, cos))
    if inverse:
        scale = builder.like(1 / count, a)
        a, b = builder.Mul(a, scale), builder.Mul(b, scale)
    return builder.cast(a, real.dtype), builder.cast(b, real.dtype)


def parts_of(builder, data):
    """(real, imaginary or None) without the last axis."""
    found = [builder.Gather(data, builder.const(place, "int64"), axis=-1)
             for place in range(static(data)[-1])]
    return found[0], found[1] if len(found) > 1 else None


@rule("DFT")
def dft(builder, call):
    data = call.inputs[0]
    if call.version >= 20:
        if call.input(2) is not None and call.input(2).data is None:
            return along_axis_at_run_time(builder, call)
        axis = -2 if call.input(2) is None else int(call.input(2).data)
    else:
        axis = call.get("axis", 1)
    axis %= data.rank
    length, inverse = call.input(1), bool(call.get("inverse", 0))
    onesided, stated = bool(call.get("onesided", 0)), call.declared_shape()
    count = static(data)[axis]
    if length is not None:
        count = int(constant(length, "length"))
    elif onesided and inverse:
        count = 2 * (count - 1)
        if stated and stated[axis] is not None:
            count = stated[axis]
    real, imaginary = parts_of(builder, data)
    swap = list(range(real.rank))
    swap[axis], swap[-1] = swap[-1], swap[axis]
    real = builder.Transpose(real, perm=swap)
    imaginary = imaginary and builder.Transpose(imaginary, perm=swap)
    if onesided and inverse:
        found = [back_to_real(builder, real, imaginary, count)]
    else:
        rows = count // 2 + 1 if onesided else count
        found = transform(builder, real, imaginary, count, inverse, rows)
    found = [builder.Unsqueeze(builder.Transpose(part, perm=swap), builder.ints(-1))
             for part in found]
    return found[0] if len(found) == 1 else builder.Concat(*found, axis=-1)


def along_axis_at_run_time(builder, call):
    """The transform along each axis that gives the stated shape, of which the one
    that is named is the result."""
    data, length, axis = call.inputs
    stated, found = call.declared_shape(), None
    axis = builder.Where(builder.Less(axis, builder.const(0, "int64")),
                         builder.Add(axis, builder.const(data.rank, "int64")), axis)
    for dim in range(data.rank - 1):
        value = builder.emit("DFT", [data, length, builder.const(dim, "int64")],
                             call.attributes, declared=call.declared)[0]
        if not stated or None in stated:
            constant(axis, "axis")
        if value.shape == tuple(stated):
            found = value if found is None else builder.Where(
                builder.Equal(axis, builder.const(dim, "int64")), value, found)
    return found


def back_to_real(builder, real, imaginary, count):
    """Real numbers from the first half of their transform."""
    half = static(real)[-1]
    cos, sin = turns(count, count, True)
    weights = numpy.full(half, 2.0)
    weights[0] = 1
    if count % 2 == 0 and half > count // 2:
        weights[count // 2] = 1
    cos, sin = (matrix[:, :half] * weights / count for matrix in (cos, sin))
    found = times(builder, real, cos)
    if imaginary is not None:
        found = builder.Sub(found, times(builder, imaginary, sin))
    return builder.cast(found, real.dtype)


@rule("STFT")
def stft(builder, call):
    signal, window = call.inputs[0], call.input(2)
    stated = call.declared_shape()
    size = static(signal)[1]
    if window is not None:
        length = static(window)[0]
    else:
        length = int(constant(call.input(3), "frame length"))
    onesided = bool(call.get("onesided", 1))
    step = call.inputs[1]
    if step.data is None and (not stated or stated[1] is None):
        constant(step, "step")
    frames = stated[1] if step.data is None else (size - length) // int(step.data) + 1
    begin = builder.Mul(builder.const(numpy.arange(frames).reshape(-1, 1), "int64"),
                        builder.reshape(builder.cast(step, "int64")))
    index = builder.Add(begin, builder.const(numpy.arange(length), "int64"))
    real, imaginary = parts_of(builder, signal) if signal.rank == 3 else (signal, None)
    found = []
    for part in (real, imaginary):
        if part is not None:
            part = builder.Gather(part, index, axis=1)
            part = part if window is None else builder.Mul(part, window)
        found.append(part)
    rows = length // 2 + 1 if onesided else length
    found = transform(builder, *found, length, False, rows)
    return builder.Concat(*(builder.Unsqueeze(part, builder.ints(-1))
                            for part in found), axis=-1)


_WINDOWS = {"HannWindow": (0.5, 0.5, 0.0),
            "HammingWindow": (25 / 46, 21 / 46, 0.0),
            "BlackmanWindow": (0.42, 0.5, 0.08)}


@rule(*_WINDOWS)
def window(builder, call):
    size, stated = call.inputs[0], call.declared_shape()
    if size.data is None and (not stated or stated[0] is None):
        constant(size, "size")
    count = stated[0] if size.data is None else int(size.data)
    around = count if call.get("periodic", 1) else max(count - 1, 1)
    angle = 2 * math.pi * numpy.arange(count) / around
    a, b, c = _WINDOWS[call.op]
    values = a - b * numpy.cos(angle) + c * numpy.cos(2 * angle)
    return builder.identity(builder.const(values, TYPES[call.get("output_datatype", 1)]))


@rule("Einsum")
def einsum(builder, call):
    """As matrix products, one operand after the other."""
    terms, result = parse(call.get("equation"), [value.rank for value in call.inputs])
    operands = [diagonal(builder, value, term)
                for value, term in zip(call.inputs, terms)]
    value, term = operands[0]
    for place, (other, letters) in enumerate(operands[1:], 1):
        needed = set(result).union(*(rest for _, rest in operands[place + 1:]))
        value, term = contract(builder, value, term, other, letters, needed)
    drop = [dim for dim, letter in enumerate(term) if letter not in result]
    if drop:
        value = builder.emit("ReduceSum", [value, builder.ints(*drop)],
                             dict(keepdims=0))[0]
        term = [letter for letter in term if letter in result]
    return builder.Transpose(value, perm=[term.index(letter) for letter in result])


def parse(equation, ranks):
    """(letters of each operand, letters of the result); those of an ellipsis are
    numbers, counted from the last."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms, most = [], 0
    for text, rank in zip(left.split(","), ranks):
        plain = len(text.replace("...", ""))
        hidden = rank - plain if "..." in text else 0
        most = max(most, hidden)
        terms.append(expanded(text, hidden))
    if arrow:
        return terms, expanded(right, most)
    flat = [letter for term in terms for letter in term]
    single = sorted(letter for letter in set(flat)
                    if isinstance(letter, str) and flat.count(letter) == 1)
    return terms, list(range(-most, 0)) + single


def expanded(text, hidden):
    before, dots, after = text.partition("...")
    return [*before, *(range(-hidden, 0) if dots else ()), *after]


def diagonal(builder, value, term):
    """An operand whose letters are different."""
    for letter in set(term):
        while term.count(letter) > 1:
            one = term.index(letter)
            other = term.index(letter, one + 1)
            order = [d for d in range(len(term)) if d not in (one, other)]
            value = builder.Transpose(value, perm=[one, other, *order])
            size = static(value)[0]
            rest = value.shape[2:]
            flat = builder.reshape(value, size * size, *rest)
            value = builder.Gather(flat, builder.const(
                numpy.arange(size) * (size + 1), "int64"), axis=0)
            term = [letter] + [term[d] for d in order]
    return value, term


def contract(builder, a, a_term, b, b_term, needed):
    """The product of two operands, summed over letters that nothing needs."""
    both = [letter for letter in a_term if letter in b_term]
    batch = [letter for letter in both if letter in needed]
    summed = [letter for letter in both if letter not in needed]
    a_own, b_own = ([letter for letter in term if letter not in both]
                    for term in (a_term, b_term))
    size = {}
    for value, term in ((a, a_term), (b, b_term)):
        for letter, count in zip(term, sizes_of(builder, value)):
            # A known size also says what the other operand has, unless it is 1.
            if size.get(letter, 1) == 1 or isinstance(size[letter], Value):
                size[letter] = size[letter] if letter in size and count == 1 else count

    def whole(letters):
        return product(builder, [size[letter] for letter in letters])

    def arranged(value, term, order, groups):
        value = builder.Transpose(value, perm=[term.index(letter) for letter in order])
        if any(value.shape[dim] == 1 and size[letter] != 1
               for dim, letter in enumerate(order)):
            value = expand(builder, value, [size[letter] for letter in order])
        return reshape(builder, value, [whole(group) for group in groups])
    a = arranged(a, a_term, batch + a_own + summed, [batch, a_own, summed])
    b = arranged(b, b_term, batch + summed + b_own, [batch, summed, b_own])
    term = batch + a_own + b_own
    return reshape(builder, builder.MatMul(a, b), [size[letter] for letter in term]), term
