# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Medians and other numbers of a certain rank, by sorting; places in sorted rows, by counts."""

import torch

from .._decompositions import register

aten = torch.ops.aten


def sort(x, dim):
    return aten.sort.stable(x, stable=True, dim=dim)


def take(x, rank, dim, keepdim):
    """The number of a rank along a dimension, and its place; `rank` may be a tensor."""
    values, places = sort(x, dim)
    if isinstance(rank, torch.Tensor):
        found = [each.gather(dim, rank) for each in (values, places)]
    else:
        found = [each.narrow(dim, rank, 1) for each in (values, places)]
    return tuple(found if keepdim else [each.squeeze(dim) for each in found])


def has_rank(x):
    return x.dim() > 0 and x.numel() > 0


@register(aten.kthvalue.default)
def kthvalue(x, k, dim=-1, keepdim=False):
    if not has_rank(x):
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    return take(x, k - 1, dim, keepdim)


def find_nan(x, dim):
    """Whether there is what is no number, and the first place of it."""
    is_nan = x != x
    return is_nan.any(dim, keepdim=True), is_nan.to(torch.int64).argmax(dim, keepdim=True)


@register(aten.median.dim)
def median_along(x, dim=-1, keepdim=False):
    if not has_rank(x):
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    values, places = take(x, (x.shape[dim] - 1) // 2, dim, True)
    if x.is_floating_point():
        lacks, at = find_nan(x, dim)
        values = torch.where(lacks, float("nan"), values)
        places = torch.where(lacks, at, places)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


@register(aten.median.default)
def median(x):
    return median_along(x.flatten(), 0)[0]


@register(aten.nanmedian.dim)
def nanmedian_along(x, dim=-1, keepdim=False):
    if not x.is_floating_point():
        return median_along(x, dim, keepdim)
    if not has_rank(x):
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    count = x.shape[dim] - (x != x).sum(dim, keepdim=True)
    return take(x, ((count - 1) // 2).clamp(min=0), dim, keepdim)


@register(aten.nanmedian.default)
def nanmedian(x):
    return nanmedian_along(x.flatten(), 0)[0]


@register(aten.searchsorted.Tensor)
def searchsorted(rows, x, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None:
        rows = rows.gather(-1, sorter)
    if rows.dim() == 1:
        rows = rows.expand(*x.shape[:-1], rows.shape[0])
    rows, values = (rows[..., None, :], x[..., None]) if x.dim() else (rows, x)
    before = rows <= values if right or side == "right" else rows < values
    # Nothing is greater than what is no number.
    before = before | ((values != values) & ~(rows != rows))
    return before.sum(-1).to(torch.int32 if out_int32 else torch.int64)


@register(aten.searchsorted.Scalar)
def searchsorted_scalar(rows, x, **options):
    return searchsorted(rows, torch.tensor(x, dtype=rows.dtype), **options)


@register(aten.bucketize.Tensor)
def bucketize(x, bounds, *, out_int32=False, right=False):
    return searchsorted(bounds, x.flatten(), out_int32=out_int32, right=right).view(x.shape)
