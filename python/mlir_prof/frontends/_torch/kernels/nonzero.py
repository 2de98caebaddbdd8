# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The places of what is not zero, whose number the data tell."""

import torch

from ._registry import Kernel, register
from ._text import Writer

aten = torch.ops.aten


def is_nonzero(w, scalar, kind):
    if kind.element == "i1":
        return scalar
    zero = w.constant(0, kind.element)
    op = "arith.cmpf une" if kind.is_float else "arith.cmpi ne"
    return w.let(f"{op}, {scalar}, {zero} : {kind.element}")


def write_places(operands, results):
    w = Writer(operands, results)
    (x,), (source,), (kind,) = w.arguments, w.operands, w.results
    sizes = [w.size(x, source, axis) for axis in range(source.rank)]
    one = w.index(1)

    def count(place, values):
        found = is_nonzero(w, w.load(x, source, place), source)
        step = w.let(f"arith.select {found}, {one}, {w.index(0)} : index")
        return [w.let(f"arith.addi {values[0]}, {step} : index")]

    def take(place, values):
        found = is_nonzero(w, w.load(x, source, place), source)

        def add():
            out, row = values
            for axis, at in enumerate(place):
                number = w.let(f"arith.index_cast {at} : index to {kind.element}")
                out = w.store(number, out, kind, [row, w.index(axis)])
            return [out, w.let(f"arith.addi {row}, {one} : index")]
        return w.choose(found, [kind, "index"], add, lambda: values)

    total = w.nest(sizes, [w.index(0)], ["index"], count)[0]
    out = w.empty(kind, [total, None])
    return w.text(w.nest(sizes, [out, w.index(0)], [kind, "index"], take)[0])


@register(aten.nonzero.default)
def make_places(node):
    return Kernel([node.args[0]], write_places) if node.args[0].meta["val"].dim() else None
