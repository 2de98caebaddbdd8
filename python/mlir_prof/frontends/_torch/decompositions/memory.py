# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New tensors whose order in memory differs from that of their dimensions. A module of
tensors does not have such an order, and results are contiguous."""

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten.empty_permuted.default)
def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None,
                   pin_memory=None):
    return torch.empty(size, dtype=dtype, device=device)


@register(aten.new_empty_strided.default)
def new_empty_strided(x, size, stride, *, dtype=None, layout=None, device=None,
                      pin_memory=None):
    return torch.empty(size, dtype=dtype or x.dtype, device=x.device)
