# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of groups of rows, each with a matrix of its own (mixtures of experts)."""

import torch

from ._registry import Kernel, register
from ._text import Type, Writer

aten = torch.ops.aten


def read_end(w, offsets, kind, place, start, rows):
    """The end of a group; groups must follow each other."""
    number = w.load(offsets, kind, [place])
    end = w.let(f"arith.index_cast {number} : {kind.element} to index")
    ordered = w.let(f"arith.cmpi ule, {start}, {end} : index")
    inside = w.let(f"arith.cmpi ule, {end}, {rows} : index")
    both = w.let(f"arith.andi {ordered}, {inside} : i1")
    w.do(f'cf.assert {both}, "groups of rows are not in order"')
    return end


def write_groups(operands, results):
    w = Writer(operands, results)
    x, weight, offsets = w.arguments
    x_kind, weight_kind, offsets_kind = w.operands
    kind = w.results[0]
    rows = w.size(x, x_kind, 0)
    _, depth, width = w.dims(weight, weight_kind)
    part = Type(f"tensor<?x{width}x{kind.element}>")

    def multiply(group, carried):
        out, start = carried
        end = read_end(w, offsets, offsets_kind, group, start, rows)
        count = w.let(f"arith.subi {end}, {start} : index")
        left_kind = x_kind.with_shape([None, x_kind.shape[1]])
        right_kind = weight_kind.with_shape(weight_kind.shape[1:])
        left = w.slice(x, x_kind, [start, 0], [count, depth], left_kind)
        right = w.slice(weight, weight_kind, [group, 0, 0], [1, depth, width],
                        right_kind)
        zeros = w.fill(part, [count, None], 0)
        product = w.let(f"linalg.matmul ins({left}, {right} : {left_kind}, "
                        f"{right_kind}) outs({zeros} : {part}) -> {part}")
        return [w.put(product, part, out, kind, [start, 0], [count, width]), end]

    out = w.fill(kind, [rows, w.size(weight, weight_kind, 2)], 0)
    return w.text(w.loop(w.index(0), w.size(weight, weight_kind, 0),
                         [out, w.index(0)], [kind, "index"], multiply)[0])


@register(aten._grouped_mm.default, "transformers.grouped_mm_fallback.default")
def make_groups(node):
    x, weight, offsets = (*node.args, None)[:3]
    known = all(isinstance(size, int) for size in weight.meta["val"].shape)
    ranks = x.meta["val"].dim(), weight.meta["val"].dim()
    if offsets is None or ranks != (2, 3) or not known or len(node.args) > 3:
        return None
    return Kernel([x, weight, offsets], write_groups)
