# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms of tensors; see `matrices.fourier`. The operators that choose sizes,
windows and frames are PyTorch's."""

import math

import torch

from .._decompositions import register
from ..matrices.fourier import transform

aten = torch.ops.aten

#: How a result is scaled: by nothing, by the root of the number of elements, by the number.
SCALES = {0: lambda count: 1.0, 1: lambda count: 1 / math.sqrt(count),
          2: lambda count: 1 / count}


def along(parts, dim, sign):
    """The transform of a pair along a dimension."""
    moved = [None if part is None else part.transpose(dim, -1) for part in parts]
    return [part.transpose(dim, -1) for part in transform(*moved, sign)]


def scale(parts, shape, dims, normalization):
    factor = SCALES[normalization](math.prod(shape[dim] for dim in dims))
    return [part if factor == 1 else part * factor for part in parts]


def transform_all(parts, dims, sign):
    for dim in dims:
        parts = along(parts, dim, sign)
    return parts


@register(aten._fft_c2c.default)
def complex_to_complex(x, dims, normalization, forward):
    parts = transform_all((torch.real(x), torch.imag(x)), dims, -1 if forward else 1)
    return torch.complex(*scale(parts, x.shape, dims, normalization))


@register(aten._fft_r2c.default)
def real_to_complex(x, dims, normalization, onesided):
    # The last dimension first: it is the one of which half is kept.
    parts = along((x, None), dims[-1], -1)
    if onesided:
        half = x.shape[dims[-1]] // 2 + 1
        parts = [part.narrow(dims[-1], 0, half) for part in parts]
    parts = transform_all(parts, dims[:-1], -1)
    return torch.complex(*scale(parts, x.shape, dims, normalization))


@register(aten._fft_c2r.default)
def complex_to_real(x, dims, normalization, last_dim_size):
    last = dims[-1]
    real, imaginary = transform_all((torch.real(x), torch.imag(x)), dims[:-1], 1)
    mirrored = (last_dim_size + 1) // 2 - 1
    kept = [part.narrow(last, 0, last_dim_size // 2 + 1) for part in (real, imaginary)]
    other = [part.narrow(last, 1, mirrored).flip(last) for part in (real, imaginary)]
    real = torch.cat([kept[0], other[0]], last)
    imaginary = torch.cat([kept[1], -other[1]], last)
    parts = along((real, imaginary), last, 1)
    shape = list(x.shape)
    shape[last] = last_dim_size
    return scale(parts[:1], shape, dims, normalization)[0]
