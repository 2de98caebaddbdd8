# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks as the places that they choose, whose number only the data tell."""

import torch

from .._decompositions import register

aten = torch.ops.aten

MASKS = (torch.bool, torch.uint8)


def select_rows(x, mask, axis):
    """The part that a mask over the dimensions from `axis` on chooses."""
    x = x.flatten(axis, axis + mask.dim() - 1)
    return x.index_select(axis, mask.flatten().nonzero()[:, 0])


@register(aten.index.Tensor)
def index(x, indices):
    if not any(each is not None and each.dtype in MASKS for each in indices):
        return NotImplemented
    given = [axis for axis, each in enumerate(indices) if each is not None]
    if len(given) == 1 and indices[given[0]].dim():
        return select_rows(x, indices[given[0]], given[0])
    places = []
    for each in indices:
        if each is not None and each.dtype in MASKS:
            places += each.nonzero().unbind(1)
        else:
            places.append(each)
    return aten.index(x, places)


@register(aten.masked_select.default)
def masked_select(x, mask):
    shape = torch.broadcast_shapes(x.shape, mask.shape)
    return index(x.expand(shape), [mask.expand(shape)])


@register(aten.masked_scatter.default)
def masked_scatter(x, mask, source):
    """Each chosen place takes the next number of the source."""
    shape = torch.broadcast_shapes(x.shape, mask.shape)
    mask = mask.expand(shape)
    order = mask.flatten().to(torch.int64).cumsum(0) - 1
    taken = source.flatten().index_select(0, order.clamp(min=0))
    return torch.where(mask, taken.view(shape), x)
