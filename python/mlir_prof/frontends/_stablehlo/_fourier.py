# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms as products with matrices of at most 64 rows."""

import functools

import numpy
from jaxlib.mlir import ir

from ._expand import expand_jax
from ._rewriter import rewrites

#: Lengths up to this one are a single product.
DIRECT = 64


def roots(rows, columns, length, sign):
    """cos and sin of the angles sign * 2 pi row * column / length; the products are
    reduced first, so that large ones are exact."""
    turns = numpy.outer(numpy.arange(rows), numpy.arange(columns)) % length
    angles = sign * 2 * numpy.pi * turns / length
    return numpy.cos(angles), numpy.sin(angles)


def block_matrix(length, columns, sign, is_real):
    """The matrix from (real | imaginary) rows of `length` to those of `columns`."""
    cos, sin = roots(length, columns, length, sign)
    first = numpy.hstack([cos, sin])
    return first if is_real else numpy.vstack([first, numpy.hstack([-sin, cos])])


def multiply(value, matrix):
    """The product along the last dimension, all others as rows."""
    import jax.numpy as jnp
    rows = value.reshape(-1, value.shape[-1])
    return jnp.matmul(rows, matrix.astype(value.dtype), precision="highest").reshape(
        *value.shape[:-1], matrix.shape[1])


def direct(real, imaginary, sign, columns=None):
    """The first `columns` of the transform, as one product."""
    import jax.numpy as jnp
    length = real.shape[-1]
    both = real if imaginary is None else jnp.concatenate([real, imaginary], -1)
    both = multiply(both, block_matrix(length, columns or length, sign,
                                       imaginary is None))
    return jnp.split(both, 2, -1)


def rotate(real, imaginary, cos, sin):
    """The product of complex numbers."""
    cos, sin = cos.astype(real.dtype), sin.astype(real.dtype)
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
            *value.shape[:-1], outer, inner).swapaxes(-1, -2)

    real, imaginary = direct(columns(real), columns(imaginary), sign)
    real, imaginary = rotate(real, imaginary, *roots(inner, outer, length, sign))
    parts = transform(real.swapaxes(-1, -2), imaginary.swapaxes(-1, -2), sign)
    return [value.swapaxes(-1, -2).reshape(*value.shape[:-2], length)
            for value in parts]


def convolved(real, imaginary, sign):
    """A transform of any length as a convolution (Bluestein), whose length is a power
    of two."""
    import jax.numpy as jnp
    length = real.shape[-1]
    size = 1 << (2 * length - 2).bit_length()
    squares = numpy.arange(length) ** 2 % (2 * length)
    chirp = numpy.exp(sign * 1j * numpy.pi * squares / length)
    filter_ = numpy.zeros(size, complex)
    filter_[:length] = chirp.conj()
    filter_[size - length + 1:] = chirp.conj()[:0:-1]
    spectrum = numpy.fft.fft(filter_) / size

    def pad(value):
        return jnp.pad(value, [(0, 0)] * (value.ndim - 1) + [(0, size - length)])

    parts = rotate(real, imaginary, chirp.real, chirp.imag)
    parts = transform(*map(pad, parts), -1)
    parts = transform(*rotate(*parts, spectrum.real, spectrum.imag), 1)
    return rotate(*(value[..., :length] for value in parts), chirp.real, chirp.imag)


def transform(real, imaginary, sign):
    """The transform along the last dimension, not scaled."""
    length = real.shape[-1]
    if length <= DIRECT:
        return direct(real, imaginary, sign)
    outer = split_length(length)
    if outer == 1:
        return convolved(real, imaginary, sign)
    return composed(real, imaginary, sign, outer)


def along(value, axis, change):
    """Applies `change(real, imaginary)` along one dimension of complex numbers."""
    import jax.numpy as jnp
    from jax import lax
    value = jnp.moveaxis(value, axis, -1)
    return jnp.moveaxis(lax.complex(*change(value.real, value.imag)), -1, axis)


def of_complex(value, lengths, sign):
    for axis in range(-len(lengths), 0):
        value = along(value, axis, functools.partial(transform, sign=sign))
    if sign > 0:
        value = value * numpy.asarray(1 / numpy.prod(lengths, dtype=float), value.dtype)
    return value


def of_real(value, lengths):
    """Half of the spectrum: the other is its mirror."""
    from jax import lax
    columns = lengths[-1] // 2 + 1
    if lengths[-1] <= DIRECT:
        parts = direct(value, None, -1, columns)
    else:
        parts = [part[..., :columns] for part in transform(value, None, -1)]
    return along_rest(lax.complex(*parts), lengths[:-1], -1)


def along_rest(value, lengths, sign):
    """The transform along the dimensions before the last one."""
    import jax.numpy as jnp
    if not lengths:
        return value
    moved = jnp.moveaxis(value, -1, -len(lengths) - 1)
    return jnp.moveaxis(of_complex(moved, lengths, sign), -len(lengths) - 1, -1)


def to_real(value, lengths):
    """The inverse of `of_real`."""
    import jax.numpy as jnp
    value = along_rest(value, lengths[:-1], 1)
    length = lengths[-1]
    mirrored = value[..., 1:(length + 1) // 2][..., ::-1]
    real = jnp.concatenate([value.real, mirrored.real], -1)
    imaginary = jnp.concatenate([value.imag, -mirrored.imag], -1)
    return transform(real, imaginary, 1)[0] / numpy.asarray(length, real.dtype)


KINDS = {"RFFT": of_real, "IRFFT": to_real,
         "FFT": functools.partial(of_complex, sign=-1),
         "IFFT": functools.partial(of_complex, sign=1)}


@rewrites("stablehlo.fft")
def lower_fft(op):
    kind = KINDS[str(op.attributes["fft_type"]).split()[-1].rstrip(">")]
    lengths = tuple(ir.DenseI64ArrayAttr(op.attributes["fft_length"]))
    return expand_jax(op, lambda value: kind(value, lengths))
