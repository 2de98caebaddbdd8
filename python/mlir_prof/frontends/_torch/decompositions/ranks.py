# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls with fewer dimensions than torch-mlir takes: pools of one image, and operators along
the only dimension of a number."""

import torch

from ..._source import FrontEndError
from .._decompositions import register

aten = torch.ops.aten

#: Pools by the number of the dimensions that they reduce.
POOLS = {1: [aten.avg_pool1d.default, aten.max_pool1d.default],
         2: [aten.avg_pool2d.default, aten.max_pool2d_with_indices.default,
             aten.adaptive_max_pool2d.default],
         3: [aten.avg_pool3d.default, aten.max_pool3d_with_indices.default,
             aten._adaptive_avg_pool3d.default, aten.adaptive_max_pool3d.default]}


def pool_integers(pool, x, *options, **keywords):
    """A pool of integers, of which torch-mlir's code takes none."""
    if x.dtype == torch.int64:
        raise FrontEndError(f"{pool} of 64-bit integers is not lowered; hint: pool "
                            "integers of 32 bits, or numbers in floating point")
    result = pool(x.double(), *options, **keywords)
    if isinstance(result, tuple):
        return result[0].to(x.dtype), *result[1:]
    return result.to(x.dtype)


def register_pool(pool, rank):
    @register(pool)
    def decompose(x, *options, **keywords):
        if not x.is_floating_point():
            return pool_integers(pool, x, *options, **keywords)
        if x.dim() != rank + 1:
            return NotImplemented
        result = pool(x[None], *options, **keywords)
        return tuple(each[0] for each in result) if isinstance(result, tuple) \
            else result[0]


for rank, pools in POOLS.items():
    for pool in pools:
        register_pool(pool, rank)


@register(aten.adaptive_avg_pool1d.default)
def adaptive_average(x, size):
    return torch.nn.functional.adaptive_avg_pool2d(x[..., None, :], [1, *size])[..., 0, :]


@register(aten.adaptive_max_pool1d.default)
def adaptive_maximum(x, size):
    results = aten.adaptive_max_pool2d(x[..., None, :], [1, *size])
    return tuple(each[..., 0, :] for each in results)


@register(aten.cumsum.default, aten.cumprod.default)
def scan(x, dim, *, dtype=None):
    return NotImplemented if x.dim() else x.to(
        dtype or (x.dtype if x.is_floating_point() else torch.int64), copy=True)


@register(aten.max.dim, aten.min.dim, aten.cummax.default, aten.cummin.default)
def find(x, dim, keepdim=False):
    return NotImplemented if x.dim() else (x.clone(), torch.zeros_like(x, dtype=torch.int64))
