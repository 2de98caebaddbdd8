# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that write to places that an index tensor names.

A loop runs over the elements in order, so that repeated places add up, and the last
write to a place remains, as in PyTorch.
"""

import torch

from ._registry import Kernel, register
from ._text import Writer

aten = torch.ops.aten

#: The operation on floating-point numbers and on integers, by PyTorch's name.
COMBINE = {"sum": ("arith.addf", "arith.addi"),
           "prod": ("arith.mulf", "arith.muli"),
           "amax": ("arith.maximumf", "arith.maxsi"),
           "amin": ("arith.minimumf", "arith.minsi")}


def combine(w, how, old, new, kind):
    """The value that a place gets."""
    if how is None:
        return new
    op = COMBINE[how][0 if kind.is_float else 1]
    return w.let(f"{op} {old}, {new} : {kind.element}")


def read_index(w, index, kind, place, size, wraps=False):
    """A place along a dimension; one outside is an error."""
    number = w.load(index, kind, place)
    at = w.let(f"arith.index_cast {number} : {kind.element} to index")
    if wraps:
        negative = w.let(f"arith.cmpi slt, {at}, {w.index(0)} : index")
        wrapped = w.let(f"arith.addi {at}, {size} : index")
        at = w.let(f"arith.select {negative}, {wrapped}, {at} : index")
    # Unsigned, so that negative ones are too large.
    inside = w.let(f"arith.cmpi ult, {at}, {size} : index")
    w.do(f'cf.assert {inside}, "index out of range"')
    return at


def update(w, out, kind, place, how, new):
    old = w.load(out, kind, place) if how else None
    return w.store(combine(w, how, old, new, kind), out, kind, place)


# --- one index per slice ------------------------------------------------------

def write_slices(dim, how, scale, operands, results):
    """out[..., index[i], ...] = combine(out[...], scale * source[..., i, ...])"""
    w = Writer(operands, results)
    x, index, source = w.arguments
    kind, index_kind, source_kind = w.operands
    sizes = [w.size(source, source_kind, axis) for axis in range(kind.rank)]
    limit = w.size(x, kind, dim)
    factor = None if scale == 1 else w.constant(scale, kind.element)

    def add(outer, values):
        *outer, i = outer
        at = read_index(w, index, index_kind, [i] * index_kind.rank, limit)

        def element(inner, values):
            new = w.load(source, source_kind, [*outer, i, *inner])
            if factor:
                op = "arith.mulf" if kind.is_float else "arith.muli"
                new = w.let(f"{op} {new}, {factor} : {kind.element}")
            return [update(w, values[0], kind, [*outer, at, *inner], how, new)]
        return w.nest(sizes[dim + 1:], values, [kind], element)

    return w.text(*w.nest(sizes[:dim + 1], [x], [kind], add))


def make_slices(node, how, scale=1):
    x, dim, index, source = node.args[:4]
    rank = x.meta["val"].dim()
    if not rank:
        return None
    return Kernel([x, index, source], lambda operands, results: write_slices(
        dim % rank, how, scale, operands, results))


@register(aten.index_add.default)
def make_index_add(node):
    return make_slices(node, "sum", node.kwargs.get("alpha", 1))


@register(aten.index_copy.default)
def make_index_copy(node):
    return make_slices(node, None)


# --- one index per element ----------------------------------------------------

def write_elements(dim, how, value, operands, results):
    """out[..., index[p], ...] = combine(out[...], source[p]) for every place p"""
    w = Writer(operands, results)
    x, index = w.arguments[:2]
    kind, index_kind = w.operands[:2]
    sizes = [w.size(index, index_kind, axis) for axis in range(kind.rank)]
    limit = w.size(x, kind, dim)
    fixed = w.constant(value, kind.element) if len(w.arguments) == 2 else None

    def element(place, values):
        at = read_index(w, index, index_kind, place, limit)
        new = fixed or w.load(w.arguments[2], w.operands[2], place)
        there = [*place[:dim], at, *place[dim + 1:]]
        return [update(w, values[0], kind, there, how, new)]

    return w.text(*w.nest(sizes, [x], [kind], element))


def make_elements(node, how):
    x, dim, index, source = node.args[:4]
    rank = x.meta["val"].dim()
    if not rank:
        return None
    tensors = [x, index]
    if isinstance(source, torch.fx.Node):
        tensors.append(source)
    return Kernel(tensors, lambda operands, results: write_elements(
        dim % rank, how, source, operands, results))


@register(aten.scatter.src, aten.scatter.value)
def make_scatter(node):
    return make_elements(node, None)


@register(aten.scatter_add.default)
def make_scatter_add(node):
    return make_elements(node, "sum")


@register(aten.scatter_reduce.two)
def make_scatter_reduce(node):
    how = node.args[4]
    if how not in COMBINE or not node.kwargs.get("include_self", True):
        return None
    return make_elements(node, how)


# --- several indices ----------------------------------------------------------

def write_put(axes, how, operands, results):
    """out[index0[p], index1[p], ...] = combine(out[...], values[p]), where the indices
    are of one shape and of the dimensions `axes`, which follow each other (see
    decompositions/places.py)."""
    w = Writer(operands, results)
    x, *indices, source = w.arguments
    kind, *index_kinds, source_kind = w.operands
    first, count = axes[0], index_kinds[0].rank
    bounds = [w.size(x, kind, axis) for axis in range(first)] + \
        [w.size(indices[0], index_kinds[0], axis) for axis in range(count)]
    rest = [w.size(x, kind, axis) for axis in range(axes[-1] + 1, kind.rank)]

    def add(outer, values):
        place = outer[first:]
        there = [read_index(w, index, index_kind, place, w.size(x, kind, axis), True)
                 for index, index_kind, axis in zip(indices, index_kinds, axes)]

        def element(inner, values):
            new = w.load(source, source_kind, [*outer, *inner])
            return [update(w, values[0], kind, [*outer[:first], *there, *inner], how,
                           new)]
        return w.nest(rest, values, [kind], element)

    return w.text(*w.nest(bounds, [x], [kind], add))


@register(aten.index_put.default)
def make_index_put(node):
    x, indices, source = node.args[:3]
    accumulates = len(node.args) > 3 and node.args[3]
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    if any(indices[axis].meta["val"].dtype == torch.bool for axis in axes):
        return None
    tensors = [indices[axis] for axis in axes]
    return Kernel([x, *tensors, source], lambda operands, results: write_put(
        axes, "sum" if accumulates else None, operands, results))
