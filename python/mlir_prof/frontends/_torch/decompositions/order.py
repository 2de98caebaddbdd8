# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting in terms of the kernels, which sort along the last dimension."""

import torch

from .._decompositions import register

aten = torch.ops.aten

#: More elements than these are cheaper to sort than to insert one by one.
INSERTED = 64


def along_last(x, dim, sort):
    """`sort` along a dimension by transposes."""
    return tuple(y.transpose(dim, -1) for y in sort(x.transpose(dim, -1)))


def is_last(x, dim):
    return not x.dim() or dim % x.dim() == x.dim() - 1


@register(aten.topk.default)
def topk(x, k, dim=-1, largest=True, sorted=True):
    if not x.dim():
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    if not is_last(x, dim):
        return along_last(x, dim, lambda y: torch.topk(y, k, -1, largest))
    if k <= INSERTED:
        return NotImplemented
    values, indices = aten.sort.stable(x, stable=True, dim=-1, descending=largest)
    return values.narrow(-1, 0, k), indices.narrow(-1, 0, k)


@register(aten.sort.default)
def sort(x, dim=-1, descending=False):
    return aten.sort.stable(x, stable=True, dim=dim, descending=descending)


@register(aten.sort.stable)
def sort_stable(x, *, stable=True, dim=-1, descending=False):
    if not x.dim():
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    if is_last(x, dim):
        return NotImplemented
    return along_last(x, dim, lambda y: aten.sort.stable(
        y, stable=True, dim=-1, descending=descending))
