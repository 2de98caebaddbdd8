# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Different numbers, as the places of a sorted row where another one begins."""

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten._unique2.default)
def unique(x, sorted=True, return_inverse=False, return_counts=False):
    row, order = aten.sort.stable(x.flatten(), stable=True, dim=0)
    count = row.shape[0]
    if not isinstance(count, int) or not count:
        return NotImplemented
    begins = torch.cat([torch.ones(1, dtype=torch.bool), row[1:] != row[:-1]])
    places = begins.nonzero()[:, 0]
    ranks = begins.to(torch.int64).cumsum(0) - 1
    inverse = torch.zeros_like(order).scatter(0, order, ranks).view(x.shape)
    ends = torch.cat([places[1:], torch.full((1,), count)])
    return row.index_select(0, places), inverse, ends - places
