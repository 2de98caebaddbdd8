# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums and products: loops that carry the last element or slice."""

import torch

from ._registry import Kernel, register
from ._text import Writer

aten = torch.ops.aten

#: The operation on floating-point numbers and on integers, and its identity.
COMBINE = {aten.cumsum.default: ("arith.addf", "arith.addi", 0),
           aten.cumprod.default: ("arith.mulf", "arith.muli", 1)}


def convert(w, scalar, source, target):
    """A number of another element type."""
    if source == target:
        return scalar
    floats = not source.startswith("i"), not target.startswith("i")
    if floats == (True, True):
        op = "arith.extf" if int(source[-2:]) < int(target[-2:]) else "arith.truncf"
    elif floats == (False, True):
        op = "arith.uitofp" if source == "i1" else "arith.sitofp"
    elif floats == (True, False):
        op = "arith.fptosi"
    else:
        grows = int(source[1:]) < int(target[1:])
        op = ("arith.extui" if source == "i1" else "arith.extsi") if grows \
            else "arith.trunci"
    return w.let(f"{op} {scalar} : {source} to {target}")


def write_scan(operator, dim, operands, results):
    w = Writer(operands, results)
    (x,), (source,), (kind,) = w.arguments, w.operands, w.results
    of_floats, of_integers, identity = COMBINE[operator]
    op = of_floats if kind.is_float else of_integers
    sizes = [w.size(x, source, axis) for axis in range(source.rank)]
    # The scanned dimension is inside of those before it and outside of those after
    # it, so that the innermost loop runs along memory.
    before, after = sizes[:dim], sizes[dim + 1:]
    row_kind = kind.with_shape(kind.shape[dim + 1:])

    def scan(outer, values):
        row = w.fill(row_kind, after, identity) if after else \
            w.constant(identity, kind.element)
        kinds = [kind, row_kind if after else kind.element]

        def step(i, carried):
            def add(inner, tensors):
                place = [*outer, i, *inner]
                value = convert(w, w.load(x, source, place), source.element,
                                kind.element)
                old = w.load(tensors[1], row_kind, inner) if after else tensors[1]
                new = w.let(f"{op} {old}, {value} : {kind.element}")
                out = w.store(new, tensors[0], kind, place)
                return [out, w.store(new, tensors[1], row_kind, inner)
                        if after else new]
            return w.nest(after, carried, kinds, add)
        return w.loop(w.index(0), sizes[dim], [values[0], row], kinds, step)[:1]

    out = w.nest(before, [w.empty(kind, sizes)], [kind], scan)
    return w.text(*out)


@register(*COMBINE)
def make_scan(node):
    x, dim = node.args[:2]
    rank = x.meta["val"].dim()
    if not rank:
        return None
    return Kernel([x], lambda operands, results: write_scan(
        node.target, dim % rank, operands, results))
