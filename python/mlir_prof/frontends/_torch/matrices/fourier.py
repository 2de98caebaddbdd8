# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms of pairs of real and imaginary parts, along the last dimension, as
products with matrices of at most 64 rows."""

import math

import torch

#: Lengths up to this one are a single product.
DIRECT = 64


def make_roots(rows, columns, length, sign, kind):
    """cos and sin of the angles sign * 2 pi row * column / length; the products are
    reduced first, so that large ones are exact."""
    turns = torch.outer(torch.arange(rows), torch.arange(columns)) % length
    angles = turns.to(torch.float64) * (sign * 2 * math.pi / length)
    return torch.cos(angles).to(kind), torch.sin(angles).to(kind)


def multiply(value, matrix):
    """The product along the last dimension, all others as rows."""
    rows = value.reshape(-1, value.shape[-1]) @ matrix
    return rows.reshape(*value.shape[:-1], matrix.shape[1])


def direct(real, imaginary, sign):
    """The transform as one product: from (real | imaginary) rows to such rows."""
    length = real.shape[-1]
    cos, sin = make_roots(length, length, length, sign, real.dtype)
    matrix = torch.cat([cos, sin], 1)
    if imaginary is not None:
        matrix = torch.cat([matrix, torch.cat([-sin, cos], 1)])
        real = torch.cat([real, imaginary], -1)
    both = multiply(real, matrix)
    return both[..., :length], both[..., length:]


def rotate(real, imaginary, cos, sin):
    """The product of complex numbers."""
    if imaginary is None:
        return real * cos, real * sin
    return real * cos - imaginary * sin, real * sin + imaginary * cos


def split_length(length):
    """The largest divisor that one product takes; 1 if there is none."""
    return next(size for size in range(DIRECT, 0, -1) if length % size == 0)


def composed(real, imaginary, sign, outer):
    """A transform of length outer * inner: of columns, turned, and of rows."""
    length = real.shape[-1]
    inner = length // outer

    def columns(value):
        return None if value is None else value.reshape(
            *value.shape[:-1], outer, inner).transpose(-1, -2)

    real, imaginary = direct(columns(real), columns(imaginary), sign)
    real, imaginary = rotate(real, imaginary,
                             *make_roots(inner, outer, length, sign, real.dtype))
    parts = transform(real.transpose(-1, -2), imaginary.transpose(-1, -2), sign)
    return [value.transpose(-1, -2).reshape(*value.shape[:-2], length)
            for value in parts]


def convolved(real, imaginary, sign):
    """A transform of any length as a convolution (Bluestein), whose length is a power
    of two."""
    length, kind = real.shape[-1], real.dtype
    size = 1 << (2 * length - 2).bit_length()
    places = torch.arange(length)
    angles = (places * places % (2 * length)).to(torch.float64) * (
        sign * math.pi / length)
    cos, sin = torch.cos(angles), torch.sin(angles)
    filters = [torch.cat([part, part.new_zeros(size - 2 * length + 1), part[1:].flip(0)])
               for part in (cos, -sin)]
    spectrum = [part / size for part in transform(*filters, -1)]

    def pad(value):
        return torch.constant_pad_nd(value, [0, size - length])

    parts = rotate(real, imaginary, cos.to(kind), sin.to(kind))
    parts = transform(*map(pad, parts), -1)
    parts = transform(*rotate(*parts, *[part.to(kind) for part in spectrum]), 1)
    return rotate(*(value[..., :length] for value in parts), cos.to(kind), sin.to(kind))


def transform(real, imaginary, sign):
    """The transform, not scaled; `imaginary` may be None."""
    length = real.shape[-1]
    if length <= DIRECT:
        return direct(real, imaginary, sign)
    outer = split_length(length)
    if outer == 1:
        return convolved(real, imaginary, sign)
    return composed(real, imaginary, sign, outer)
