# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of dimensions: numbers where they are known, else values of type int64 and
shape [1] that the model computes when it runs."""

import math

from ._values import Value

#: The end of a slice up to the last element.
END = (1 << 63) - 1


def size_of(builder, value, dim):
    known = value.shape[dim]
    if known is not None:
        return known
    return builder.Gather(builder.Shape(value), builder.ints(dim), axis=0)


def sizes_of(builder, value):
    return [size_of(builder, value, dim) for dim in range(value.rank)]


def known(size):
    """A size as part of a shape: None if it is a value."""
    return None if isinstance(size, Value) else size


def one_element(builder, size):
    return size if isinstance(size, Value) else builder.ints(size)


def scalar(builder, size):
    """A size as a value without dimensions."""
    if isinstance(size, Value):
        return builder.reshape(size)
    return builder.const(size, "int64")


def vector(builder, sizes):
    """Sizes as one value."""
    if not any(isinstance(size, Value) for size in sizes):
        return builder.ints(*sizes)
    return builder.Concat(*(one_element(builder, size) for size in sizes), axis=0)


def product(builder, sizes):
    """The product of sizes."""
    total = math.prod(size for size in sizes if not isinstance(size, Value))
    for size in sizes:
        if isinstance(size, Value):
            total = size if isinstance(total, int) and total == 1 else builder.Mul(
                size, one_element(builder, total))
    return total


def quotient(builder, size, divisor):
    if isinstance(size, Value):
        return builder.Div(size, builder.ints(divisor))
    return size // divisor


def reshape(builder, value, sizes):
    """`value` with other sizes, of which any may be values."""
    dynamic = [place for place, size in enumerate(sizes) if isinstance(size, Value)]
    if len(dynamic) < 2:
        return builder.reshape(value, *(-1 if place in dynamic else size
                                        for place, size in enumerate(sizes)))
    return builder.emit("Reshape", [value, vector(builder, sizes)], declared=[
        (value.dtype, tuple(map(known, sizes)))])[0]


def expand(builder, value, sizes):
    """`value` broadcast to sizes, of which any may be values."""
    shape = tuple(map(known, sizes))
    if value.shape == shape and None not in shape:
        return value
    return builder.emit("Expand", [value, vector(builder, sizes)],
                        declared=[(value.dtype, shape)])[0]


def count_up(builder, size):
    """0, 1, ... up to a size, without it."""
    if isinstance(size, Value):
        zero, one = builder.const(0, "int64"), builder.const(1, "int64")
        return builder.Range(zero, builder.reshape(size), one)
    return builder.Range(*(builder.const(number, "int64") for number in (0, size, 1)))
