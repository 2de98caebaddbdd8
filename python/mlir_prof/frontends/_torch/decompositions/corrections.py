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


@register(aten.isfinite.default)
def isfinite(x):
    if not x.is_floating_point():
        return torch.ones_like(x, dtype=torch.bool)
    return x.abs() < math.inf


def as_tensor(y, x):
    """A number as a tensor with the element type of x."""
    return y if isinstance(y, torch.Tensor) else torch.full((), y, dtype=x.dtype)


@register(aten.remainder.Scalar)
def remainder(x, y):
    """As of a tensor. torch-mlir subtracts the rounded quotient times a number, which
    is 1 less 10 times 0.1."""
    if not x.is_floating_point():
        return NotImplemented
    return torch.remainder(x, as_tensor(y, x))


@register(aten.fmod.Tensor, aten.fmod.Scalar)
def fmod(x, y):
    """The remainder of the absolute values, with the sign of x. torch-mlir subtracts
    the rounded quotient times y, which infinities and large quotients make wrong."""
    if not x.is_floating_point():
        return NotImplemented
    rest = torch.remainder(x.abs(), as_tensor(y, x).abs())
    return torch.where(x < 0, -rest, rest)


def divides_exactly(y):
    """Whether quotients by a number are exact: a power of two, mostly."""
    return not isinstance(y, torch.Tensor) and math.frexp(y)[0] in (0.5, -0.5)


@register(aten.div.Tensor_mode, aten.div.Scalar_mode)
def divide(x, y, rounding_mode=None):
    """As PyTorch computes it, from the remainder: the rounded quotient may be the next
    integer, as 10 is for 1 and 0.1. An infinity does not have a
    remainder."""
    if not isinstance(x, torch.Tensor):
        x = as_tensor(x, y)
    if rounding_mode != "floor" or not torch.is_floating_point(x):
        return NotImplemented
    if divides_exactly(y):
        return torch.where(x.abs() == math.inf, math.nan, torch.floor(torch.div(x, y)))
    rest = torch.fmod(x, y)
    if isinstance(y, torch.Tensor):
        is_below = (rest != 0) & ((rest < 0) != (y < 0))
    else:
        is_below = rest < 0 if y > 0 else rest > 0
    y = as_tensor(y, x)
    quotient = torch.div(x - rest, y) - is_below.to(x.dtype)
    floor = quotient.floor()
    floor = floor + (quotient - floor > 0.5).to(x.dtype)
    return torch.where(y == 0, torch.div(x, y), floor)


@register(aten.floor_divide.default, aten.floor_divide.Scalar)
def floor_divide(x, y):
    return divide(x, y, rounding_mode="floor")


@register(aten.pow.Tensor_Scalar)
def power(x, exponent):
    """A power of integers as products, which are exact."""
    if x.is_floating_point() or x.is_complex() or x.dtype == torch.bool or \
            not isinstance(exponent, int) or exponent < 0:
        return NotImplemented
    result = torch.ones_like(x)
    while exponent:
        if exponent % 2:
            result = result * x
        exponent //= 2
        if exponent:
            x = x * x
    return result
