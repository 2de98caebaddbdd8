# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that torch-mlir lowers to other results."""

import math

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten.constant_pad_nd.default)
def crop(x, amounts, value=0):
    """A pad by negative amounts, as a pad of a slice. torch-mlir drops a pad
    that does not change the shape."""
    if all(not isinstance(amount, int) or amount >= 0 for amount in amounts):
        return NotImplemented
    for place in range(0, len(amounts), 2):
        low, high = (max(-amount, 0) for amount in amounts[place:place + 2])
        dim = x.dim() - 1 - place // 2
        low = min(low, x.shape[dim])
        kept = max(x.shape[dim] - low - high, 0)
        x = x.narrow(dim, low, kept)
    return torch.constant_pad_nd(x, [max(amount, 0) for amount in amounts],
                                 value)


@register(aten.gelu.default)
def tanh_gelu(x, *, approximate="none"):
    """GELU by tanh. torch-mlir's factor for the square root of 2 / pi is wrong
    in the fourth digit."""
    if approximate != "tanh":
        return NotImplemented
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
    return 0.5 * x * (1 + torch.tanh(inner))


@register(aten.reciprocal.default)
def reciprocal(x):
    """The inverse, infinite for 0, where torch-mlir's code stops."""
    if not x.is_floating_point():
        x = x.to(torch.get_default_dtype())
    return x.new_ones(()) / x
