# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distances of all pairs of rows, and writes to diagonals."""

import math

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten._cdist_forward.default)
def cdist(x, y, p, compute_mode):
    apart = (x[..., :, None, :] - y[..., None, :, :]).abs()
    if p == 0:
        return (apart != 0).to(x.dtype).sum(-1)
    if p == math.inf:
        return apart.amax(-1)
    if p == 1:
        return apart.sum(-1)
    if p == 2:
        return torch.sqrt((apart * apart).sum(-1))
    return (apart ** p).sum(-1) ** (1 / p)


@register(aten.diagonal_scatter.default)
def diagonal_scatter(x, source, offset=0, dim1=0, dim2=1):
    y = x.movedim((dim1, dim2), (-2, -1))
    rows, columns = y.shape[-2:]
    mask = torch.arange(columns)[None, :] - torch.arange(rows)[:, None] == offset
    square = torch.diag_embed(source, offset)
    square = torch.constant_pad_nd(square, [0, max(columns - square.shape[-1], 0),
                                            0, max(rows - square.shape[-2], 0)])
    square = square[..., :rows, :columns]
    return torch.where(mask, square, y).movedim((-2, -1), (dim1, dim2))
