# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes to places that several index tensors name, in the form that the kernel takes:
indices of one shape, of dimensions that follow each other, and a value for each place.
"""

import torch

from .._decompositions import register

aten = torch.ops.aten


def put_where(x, mask, values, accumulate):
    """Values at the places of a mask: the same ones at all places, or a row for each."""
    rest = x.dim() - mask.dim()
    mask = mask.reshape(*mask.shape, *[1] * rest)
    if isinstance(values.numel(), int) and values.numel() == 1:
        values = values.reshape(())
    if values.dim() <= rest:
        return torch.where(mask, x + values if accumulate else values, x)
    if values.shape[1:] != x.shape[x.dim() - rest:]:
        values = values.expand(values.shape[0], *x.shape[x.dim() - rest:])
    put = aten.masked_scatter(torch.zeros_like(x) if accumulate else x,
                              mask.expand(x.shape), values)
    return x + put if accumulate else put


def put_first(x, indices, axes, values, accumulate):
    """The same with the indexed dimensions first."""
    order = [*axes, *[axis for axis in range(x.dim()) if axis not in axes]]
    back = sorted(range(x.dim()), key=lambda place: order[place])
    return aten.index_put(x.permute(order), [indices[axis] for axis in axes], values,
                          accumulate).permute(back)


@register(aten.index_put.default)
def index_put(x, indices, values, accumulate=False):
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    tensors = [indices[axis] for axis in axes]
    if any(index.dtype == torch.bool for index in tensors):
        if len(indices) > 1:
            return NotImplemented
        return put_where(x, tensors[0], values, accumulate)
    if axes[-1] - axes[0] >= len(axes):
        return put_first(x, indices, axes, values, accumulate)
    shape = torch.broadcast_shapes(*[index.shape for index in tensors])
    full = (*x.shape[:axes[0]], *shape, *x.shape[axes[-1] + 1:])
    if values.shape == full and all(index.shape == shape for index in tensors):
        return NotImplemented
    same = [None if index is None else index.expand(shape) for index in indices]
    return aten.index_put(x, same, values.expand(full), accumulate)


@register(aten._unsafe_index_put.default)
def unsafe_index_put(x, indices, values, accumulate=False):
    return aten.index_put(x, indices, values, accumulate)
