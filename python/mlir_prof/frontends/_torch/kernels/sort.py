# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting along the last dimension, stable; NaN is the greatest number.

The largest few are kept in a sorted row, into which each element of the source is
inserted; a whole row is sorted by merging runs of growing length.
"""

import torch

from ._registry import Kernel, register
from ._text import Type, Writer

aten = torch.ops.aten

#: More elements than these are merged, not inserted.
INSERTED = 32


def is_before(w, a, b, kind, descending):
    """Whether number `a` must precede an earlier `b`."""
    if not descending:
        a, b = b, a
    if not kind.is_float:
        sign = "u" if kind.element == "i1" else "s"
        return w.let(f"arith.cmpi {sign}gt, {a}, {b} : {kind.element}")
    greater = w.let(f"arith.cmpf ugt, {a}, {b} : {kind.element}")
    number = w.let(f"arith.cmpf ord, {b}, {b} : {kind.element}")
    return w.let(f"arith.andi {greater}, {number} : i1")


def insert(w, j, number, row, values, kinds, last, descending):
    """Puts a number, the j-th of the source, where it belongs in a sorted row."""
    def precedes(place):
        other = w.load(place[1], kinds[0], [*row, place[0]])
        return is_before(w, number, other, kinds[0], descending)

    def has_place(carried):
        at = carried[0]
        positive = w.let(f"arith.cmpi ugt, {at}, {w.index(0)} : index")
        left = w.let(f"arith.subi {at}, {w.index(1)} : index")
        left = w.let(f"arith.select {positive}, {left}, {at} : index")
        return w.let(f"arith.andi {positive}, {precedes([left, carried[1]])} : i1")

    def shift(carried):
        at, *tensors = carried
        left = w.let(f"arith.subi {at}, {w.index(1)} : index")
        moved = [w.store(w.load(tensor, kind, [*row, left]), tensor, kind, [*row, at])
                 for tensor, kind in zip(tensors, kinds)]
        return [left, *moved]

    end = w.let(f"arith.minui {j}, {last} : index")
    at, *tensors = w.repeat([end, *values], ["index", *kinds], has_place, shift)
    place = w.let(f"arith.index_cast {j} : index to {kinds[1].element}")
    return [w.store(scalar, tensor, kind, [*row, at]) for scalar, tensor, kind in
            zip((number, place), tensors, kinds)]


def write_top(descending, operands, results):
    w = Writer(operands, results)
    (x,), (source,), kinds = w.arguments, w.operands, w.results
    sizes = [w.size(x, source, axis) for axis in range(source.rank)]
    count = w.index(kinds[0].shape[-1])
    last = w.index(kinds[0].shape[-1] - 1)
    tensors = [w.fill(kind, [*sizes[:-1], count], 0) for kind in kinds]

    def take(place, values):
        *row, j = place
        number = w.load(x, source, place)
        least = w.load(values[0], kinds[0], [*row, last])
        fits = w.let(f"arith.cmpi ult, {j}, {count} : index")
        enters = is_before(w, number, least, kinds[0], descending)
        enters = w.let(f"arith.ori {fits}, {enters} : i1")
        return w.choose(enters, kinds,
                        lambda: insert(w, j, number, row, values, kinds, last,
                                       descending), lambda: values)

    return w.text(*w.nest(sizes, tensors, kinds, take))


def merge(w, bounds, offsets, tensors, kinds, descending):
    """Merges two sorted runs of a row, from one half of the tensors to the other."""
    start, middle, end = bounds
    source, target = offsets
    limit = w.let(f"arith.subi {end}, {w.index(1)} : index")

    def read(place, carried):
        at = w.let(f"arith.minui {place}, {limit} : index")
        at = w.let(f"arith.addi {at}, {source} : index")
        return [w.load(tensor, kind, [at]) for tensor, kind in zip(carried, kinds)]

    def step(k, carried):
        i, j, *tensors = carried
        left, right = read(i, tensors), read(j, tensors)
        first = is_before(w, right[0], left[0], kinds[0], descending)
        more = w.let(f"arith.cmpi ult, {j}, {end} : index")
        first = w.let(f"arith.andi {first}, {more} : i1")
        done = w.let(f"arith.cmpi uge, {i}, {middle} : index")
        first = w.let(f"arith.ori {first}, {done} : i1")
        at = w.let(f"arith.addi {k}, {target} : index")
        stored = []
        for a, b, tensor, kind in zip(right, left, tensors, kinds):
            chosen = w.let(f"arith.select {first}, {a}, {b} : {kind.element}")
            stored.append(w.store(chosen, tensor, kind, [at]))
        steps = [w.let(f"arith.addi {place}, {w.index(1)} : index") for place in (i, j)]
        return [w.let(f"arith.select {first}, {i}, {steps[0]} : index"),
                w.let(f"arith.select {first}, {steps[1]}, {j} : index"), *stored]

    return w.loop(start, end, [start, middle, *tensors], ["index", "index", *kinds],
                  step)[2:]


def sort_row(w, n, tensors, kinds, descending):
    """Sorts the first of two halves; the offset of the half with the result."""
    zero = w.index(0)

    def unfinished(carried):
        return w.let(f"arith.cmpi ult, {carried[0]}, {n} : index")

    def double(carried):
        width, source, *tensors = carried
        pair = w.let(f"arith.addi {width}, {width} : index")
        target = w.let(f"arith.subi {n}, {source} : index")
        pairs = w.let(f"arith.ceildivui {n}, {pair} : index")

        def both(p, values):
            start = w.let(f"arith.muli {p}, {pair} : index")
            ends = [w.let(f"arith.minui {w.let(f'arith.addi {start}, {x} : index')}, "
                          f"{n} : index") for x in (width, pair)]
            return merge(w, (start, *ends), (source, target), values, kinds, descending)
        return [pair, target, *w.loop(zero, pairs, tensors, kinds, both)]

    return w.repeat([w.index(1), zero, *tensors], ["index", "index", *kinds],
                    unfinished, double)[1:]


def write_sort(descending, operands, results):
    w = Writer(operands, results)
    (x,), (source,), kinds = w.arguments, w.operands, w.results
    sizes = [w.size(x, source, axis) for axis in range(source.rank)]
    n = sizes[-1]
    twice = w.let(f"arith.addi {n}, {n} : index")
    halves = [Type(f"tensor<?x{kind.element}>") for kind in kinds]
    scratch = [w.empty(half, [twice]) for half in halves]

    def sort(row, values):
        def read(j, tensors):
            place = w.let(f"arith.index_cast {j} : index to {kinds[1].element}")
            return [w.store(scalar, tensor, half, [j]) for scalar, tensor, half in
                    zip((w.load(x, source, [*row, j]), place), tensors, halves)]
        filled = w.loop(w.index(0), n, values[2:], halves, read)
        offset, *ordered = sort_row(w, n, filled, halves, descending)

        def write(j, outs):
            at = w.let(f"arith.addi {j}, {offset} : index")
            return [w.store(w.load(tensor, half, [at]), out, kind, [*row, j])
                    for tensor, half, out, kind in zip(ordered, halves, outs, kinds)]
        return [*w.loop(w.index(0), n, values[:2], kinds, write), *ordered]

    outs = [w.empty(kind, sizes) for kind in kinds]
    made = w.nest(sizes[:-1], [*outs, *scratch], [*kinds, *halves], sort)
    return w.text(*made[:2])


@register(aten.topk.default)
def make_topk(node):
    x, count = node.args[:2]
    largest = node.args[3] if len(node.args) > 3 else True
    return Kernel([x], lambda operands, results: write_top(largest, operands, results))


@register(aten.sort.default, aten.sort.stable)
def make_sort(node):
    x = node.args[0]
    descending = node.args[-1] if len(node.args) > 2 else \
        node.kwargs.get("descending", False)
    size = x.meta["val"].shape[-1]
    write = write_top if isinstance(size, int) and size <= INSERTED else write_sort
    return Kernel([x], lambda operands, results: write(descending, operands, results))
