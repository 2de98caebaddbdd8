# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Histograms as sums at indices."""

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten.histc.default)
def histc(x, bins=100, min=0, max=0):
    if min == max:  # the bounds are those of the data
        return NotImplemented
    x = x.flatten()
    inside = (x >= min) & (x <= max)
    places = ((x - min) * (bins / (max - min))).to(torch.int64).clamp(0, bins - 1)
    return torch.zeros(bins, dtype=x.dtype).index_add(0, places, inside.to(x.dtype))
