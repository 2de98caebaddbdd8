# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The greatest and least numbers along a dimension, and their places. NaN is the greatest
and the least, as in PyTorch; torch-mlir's places pass over it."""

import torch

from ._registry import Kernel, register
from ._text import Writer

aten = torch.ops.aten

#: Whether an operator looks for the greatest number.
IS_GREATEST = {aten.max.dim: True, aten.min.dim: False,
               aten.cummax.default: True, aten.cummin.default: False}


class Keys:
    """Integers in the order of the numbers of a tensor, with NaN before all others: a
    comparison of integers is the shorter wait of the next one."""

    def __init__(self, kind, greatest, unsigned):
        self.kind, self.greatest = kind, greatest
        self.bits = int(kind.element.strip("bfi"))
        self.element = f"i{self.bits}"
        self.unsigned = unsigned and not kind.is_float
        self.most, self.least = 2 ** (self.bits - 1) - 1, -2 ** (self.bits - 1)

    def get_start(self):
        """A key that no other one is before."""
        if self.element == "i1":
            return not self.greatest
        if self.unsigned:
            return 0 if self.greatest else -1  # all bits
        return self.least if self.greatest else self.most

    def flip(self, w, bits):
        """From the bits of a number to its key, and back."""
        sign = w.let(f"arith.shrsi {bits}, {w.constant(self.bits - 1, self.element)} : "
                     f"{self.element}")
        mask = w.let(f"arith.andi {sign}, {w.constant(self.most, self.element)} : "
                     f"{self.element}")
        return w.let(f"arith.xori {bits}, {mask} : {self.element}")

    def encode(self, w, number):
        if not self.kind.is_float:
            return number
        element = self.kind.element
        # Zeros of both signs are equal.
        zeroed = w.let(f"arith.addf {number}, {w.constant(0, element)} : {element}")
        key = self.flip(w, w.let(f"arith.bitcast {zeroed} : {element} to {self.element}"))
        lacks = w.let(f"arith.cmpf uno, {number}, {number} : {element}")
        first = w.constant(self.most if self.greatest else self.least, self.element)
        return w.let(f"arith.select {lacks}, {first}, {key} : {self.element}")

    def decode(self, w, key):
        if not self.kind.is_float:
            return key
        return w.let(f"arith.bitcast {self.flip(w, key)} : {self.element} to "
                     f"{self.kind.element}")

    def is_before(self, w, a, b, or_same=False):
        predicate = ("u" if self.unsigned else "s") + ("g" if self.greatest else "l") + \
            ("e" if or_same else "t")
        return w.let(f"arith.cmpi {predicate}, {a}, {b} : {self.element}")


def describe_axes(rank, dim, keeps):
    """The maps of the source and of the results, and the kinds of loops."""
    axes = [f"d{axis}" for axis in range(rank)]
    kept = ["0" if axis == dim else name for axis, name in enumerate(axes)
            if keeps or axis != dim]
    source, result = [f"affine_map<({', '.join(axes)}) -> ({', '.join(names)})>"
                      for names in (axes, kept)]
    kinds = ['"reduction"' if axis == dim else '"parallel"' for axis in range(rank)]
    return source, result, ", ".join(kinds)


def choose(w, takes, pairs, elements):
    return [w.let(f"arith.select {takes}, {new}, {old} : {element}")
            for (new, old), element in zip(pairs, elements)]


def reduce(w, x, source, keys, outs, kinds, axes, dim):
    """The first key of each row, and its place."""
    of_source, of_result, loops = axes
    types = ", ".join(map(str, kinds))
    result, number, best, place = [w.fresh() for _ in range(4)]
    elements = [kind.element for kind in kinds]
    w.do(f"{result}:2 = linalg.generic {{indexing_maps = [{of_source}, {of_result}, "
         f"{of_result}], iterator_types = [{loops}]}} ins({x} : {source}) "
         f"outs({', '.join(outs)} : {types}) {{")
    w.do(f"^bb0({number}: {source.element}, {best}: {elements[0]}, "
         f"{place}: {elements[1]}):")
    here = w.let(f"linalg.index {dim} : index")
    here = w.let(f"arith.index_cast {here} : index to {elements[1]}")
    key = keys.encode(w, number)
    chosen = choose(w, keys.is_before(w, key, best), ((key, best), (here, place)), elements)
    w.do(f"linalg.yield {', '.join(chosen)} : {', '.join(elements)}")
    w.do(f"}} -> ({types})")
    return f"{result}#0", f"{result}#1"


def write_extremes(dim, keeps, greatest, unsigned, operands, results):
    w = Writer(operands, results)
    (x,), (source,), (kind, of_places) = w.arguments, w.operands, w.results
    keys = Keys(source, greatest, unsigned)
    sizes = [w.size(x, source, axis) for axis in range(source.rank)]
    sizes = [w.index(1) if axis == dim else size for axis, size in enumerate(sizes)
             if keeps or axis != dim]
    of_keys = kind.with_element(keys.element)
    outs = [w.fill(of_keys, sizes, keys.get_start()), w.fill(of_places, sizes, 0)]
    found, places = reduce(w, x, source, keys, outs, [of_keys, of_places],
                           describe_axes(source.rank, dim, keeps), dim)
    if not kind.is_float:
        return w.text(found, places)
    values = w.map(found, of_keys, kind, sizes, lambda key: keys.decode(w, key))
    return w.text(values, places)


def write_running(dim, greatest, unsigned, operands, results):
    """Each place takes the first number up to it, the last one of equal ones."""
    w = Writer(operands, results)
    (x,), (source,), kinds = w.arguments, w.operands, w.results
    keys = Keys(source, greatest, unsigned)
    sizes = [w.size(x, source, axis) for axis in range(source.rank)]
    elements = [kind.element for kind in kinds]

    def step(place, values):
        i = place[dim]
        starts = w.let(f"arith.cmpi eq, {i}, {w.index(0)} : index")
        back = w.let(f"arith.subi {i}, {w.index(1)} : index")
        back = w.let(f"arith.select {starts}, {i}, {back} : index")
        before = [*place[:dim], back, *place[dim + 1:]]
        number = w.load(x, source, place)
        here = w.let(f"arith.index_cast {i} : index to {elements[1]}")
        old = [w.load(value, kind, before) for value, kind in zip(values, kinds)]
        takes = keys.is_before(w, *[keys.encode(w, each) for each in (number, old[0])],
                               or_same=True)
        takes = w.let(f"arith.ori {starts}, {takes} : i1")
        chosen = choose(w, takes, zip((number, here), old), elements)
        return [w.store(scalar, value, kind, place)
                for scalar, value, kind in zip(chosen, values, kinds)]

    outs = [w.fill(kind, sizes, 0) for kind in kinds]
    return w.text(*w.nest(sizes, outs, kinds, step))


@register(aten.max.dim, aten.min.dim)
def make_extremes(node):
    x, dim, keeps = (*node.args, False)[:3]
    keeps = node.kwargs.get("keepdim", keeps)
    tensor = x.meta["val"]
    unsigned = tensor.dtype in (torch.uint8, torch.bool)
    return Kernel([x], lambda operands, results: write_extremes(
        dim % tensor.dim(), keeps, IS_GREATEST[node.target], unsigned, operands, results))


@register(aten.cummax.default, aten.cummin.default)
def make_running(node):
    x, dim = node.args
    tensor = x.meta["val"]
    unsigned = tensor.dtype in (torch.uint8, torch.bool)
    return Kernel([x], lambda operands, results: write_running(
        dim % tensor.dim(), IS_GREATEST[node.target], unsigned, operands, results))
