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
    out = w.empty(kind, [w.size(x, kind, axis) for axis in range(kind.rank)])
    indices = ", ".join(f"d{axis}" for axis in range(kind.rank))
    kinds = ", ".join(['"parallel"'] * kind.rank)
    result, scalar = w.fresh(), w.fresh()
    w.do(f"{result} = linalg.generic {{indexing_maps = "
         f"[affine_map<({indices}) -> ({indices})>, "
         f"affine_map<({indices}) -> ({indices})>], iterator_types = "
         f"[{kinds}]}} ins({x} : {kind}) "
         f"outs({out} : {kind}) {{")
    w.do(f"^bb0({scalar}: {kind.element}, {w.fresh()}: {kind.element}):")
    for predicate, bound in limits:
        scalar = limit(w, scalar, kind.element, predicate, bound)
    w.do(f"linalg.yield {scalar} : {kind.element}")
    w.do(f"}} -> {kind}")
    return w.text(result)


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
