# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Limits as those that keep what is no number (NaN): the kernels of clamp and of extremes,
and selections."""

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten.hardtanh.default)
def hardtanh(x, min_val=-1, max_val=1):
    if not x.is_floating_point():
        min_val, max_val = int(min_val), int(max_val)
    return aten.clamp.default(x, min_val, max_val)


@register(aten.clamp_min.default)
def clamp_min(x, min):
    return aten.clamp.default(x, min)


@register(aten.clamp_max.default)
def clamp_max(x, max):
    return aten.clamp.default(x, None, max)


@register(aten.maximum.default)
def maximum(x, y):
    if not x.is_floating_point() or x.dtype != y.dtype:
        return NotImplemented
    return torch.where((x > y) | (x != x), x, y)


@register(aten.minimum.default)
def minimum(x, y):
    if not x.is_floating_point() or x.dtype != y.dtype:
        return NotImplemented
    return torch.where((x < y) | (x != x), x, y)


@register(aten.clamp.Tensor)
def clamp_to_tensors(x, min=None, max=None):
    if min is not None:
        x = torch.maximum(x, min)
    return x if max is None else torch.minimum(x, max)


def register_place(operator, find):
    @register(operator)
    def decompose(x, dim=None, keepdim=False):
        if dim is not None:
            return find(x, dim, keepdim)[1]
        place = find(x.flatten(), 0)[1]
        return place.reshape([1] * x.dim()) if keepdim else place


register_place(aten.argmax.default, torch.max)
register_place(aten.argmin.default, torch.min)
