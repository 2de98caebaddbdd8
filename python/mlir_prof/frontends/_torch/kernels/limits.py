# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Limits of floating-point numbers. torch-mlir's comparisons drop what is no number (NaN),
and PyTorch's keep it."""

import math

import torch

from ._registry import Kernel, register
from ._text import Writer

aten = torch.ops.aten


def limit(w, scalar, element, predicate, bound):
    """The bound where the comparison with it holds, else the number."""
    value = w.constant(bound, element)
    holds = w.let(f"arith.cmpf {predicate}, {scalar}, {value} : {element}")
    return w.let(f"arith.select {holds}, {value}, {scalar} : {element}")


def write_limits(limits, operands, results):
    w = Writer(operands, results)
    (x,), (kind,) = w.arguments, w.results
    sizes = [w.size(x, kind, axis) for axis in range(kind.rank)]

    def apply(scalar):
        for predicate, bound in limits:
            scalar = limit(w, scalar, kind.element, predicate, bound)
        return scalar

    return w.text(w.map(x, kind, kind, sizes, apply))


def is_bound(value):
    """Whether a number is one that text can have."""
    return isinstance(value, (int, float)) and math.isfinite(value)


@register(aten.clamp.default)
def make_limits(node):
    x, low, high = (*node.args, None, None)[:3]
    low, high = node.kwargs.get("min", low), node.kwargs.get("max", high)
    given = [(predicate, bound) for predicate, bound in (("olt", low), ("ogt", high))
             if bound is not None]
    tensor = x.meta["val"]
    if not tensor.is_floating_point() or not all(is_bound(bound) for _, bound in given):
        return None
    return Kernel([x], lambda operands, results: write_limits(given, operands, results))
