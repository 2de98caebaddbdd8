# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow: loops and branches as scf."""

from jaxlib.mlir import ir

from ._counted import find_counter
from ._rewriter import (before, create, index, index_of, move_block, rewrites, scalar,
                        tensor_of)


def drop_invariants(op):
    """Values that a loop hands on unchanged are not part of its state. Returns the
    places of the others."""
    condition, body = (region.blocks[0] for region in op.regions)
    handed_on = list(list(body.operations)[-1].operands)
    kept = []
    for place, initial in enumerate(list(op.operands)):
        if handed_on[place] != body.arguments[place]:
            kept.append(place)
            continue
        for value in (condition.arguments[place], body.arguments[place],
                      op.results[place]):
            value.replace_all_uses_with(initial)
    return kept


def fill(block, source, arguments, end):
    """Moves the ops of `source` into `block`; `end(values)` adds the terminator of
    the values that the old one names."""
    values = move_block(source, arguments, block.append)
    with ir.InsertionPoint(block):
        end(values)


@rewrites("stablehlo.while")
def lower_while(op):
    kept = drop_invariants(op)
    counter = find_counter(op)
    if counter and counter.place in kept:
        return make_for(op, [place for place in kept if place != counter.place],
                        counter)
    return make_while(op, kept)


def make_while(op, kept):
    """A loop whose condition is computed before each step."""
    types = [op.results[place].type for place in kept]
    loop = create("scf.while", types, [op.operands[place] for place in kept],
                  regions=2)
    ends = (lambda values: create("scf.condition", [],
                                  [scalar(values[0]), *block.arguments]),
            lambda values: create("scf.yield", [], [values[place] for place in kept]))
    for region, source, end in zip(loop.regions, op.regions, ends):
        block = region.blocks.append(*types, arg_locs=[op.location] * len(types))
        fill(block, source.blocks[0],
             spread_or_own(block.arguments, kept, source.blocks[0]), end)
    return spread_or_own(loop.results, kept, op.operands)


def spread_or_own(values, kept, own):
    """`values` at the places `kept`; elsewhere values without uses."""
    own = list(own.arguments) if hasattr(own, "arguments") else list(own)
    for place, value in zip(kept, values):
        own[place] = value
    return own


def make_for(op, kept, counter):
    """A loop whose steps are counted."""
    types = [op.results[place].type for place in kept]
    lower, upper = (index_of(value) for value in (counter.initial, counter.bound))
    if counter.inclusive:
        upper = create("arith.addi", [upper.type], [upper, index(1)]).result
    step = index(counter.step)
    loop = create("scf.for", types,
                  [lower, upper, step, *(op.operands[place] for place in kept)],
                  regions=1)
    body = op.regions[1].blocks[0]
    block = loop.regions[0].blocks.append(
        upper.type, *types, arg_locs=[op.location] * (len(types) + 1))
    with ir.InsertionPoint(block):
        number = tensor_of(block.arguments[0], counter.initial.type)
    places = [counter.place, *kept]
    fill(block, body,
         spread_or_own([number, *list(block.arguments)[1:]], places, body),
         lambda values: create("scf.yield", [], [values[place] for place in kept]))
    last = counter_after(lower, upper, step, counter.initial.type)
    return spread_or_own([last, *loop.results], places, op.operands)


def counter_after(lower, upper, step, type_):
    """The counter when the loop ends."""
    def make(name, *operands):
        return create(name, [lower.type], operands).result
    steps = make("arith.ceildivsi", make("arith.subi", upper, lower), step)
    steps = make("arith.maxsi", steps, index(0))
    return tensor_of(make("arith.addi", lower, make("arith.muli", steps, step)), type_)


@rewrites("stablehlo.case")
def lower_case(op):
    return make_branches(op, scalar(op.operands[0]), list(op.regions), 0)


@rewrites("stablehlo.if")
def lower_if(op):
    return make_if(op, scalar(op.operands[0]), lambda: take(op.regions[0]),
                   lambda: take(op.regions[1]))


def take(region):
    """Moves the ops of a branch to the current place; returns its values."""
    place = ir.InsertionPoint.current
    next_ = place.ref_operation
    return move_block(region.blocks[0], [], before(next_.operation) if next_ else
                      place.block.append)


def make_branches(op, number, regions, first):
    """The branch `number`, of those from `first` on; the last one, if there is
    none."""
    if len(regions) == 1:
        return take(regions[0])
    equal = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
    constant = create("arith.constant", [number.type],
                      value=ir.IntegerAttr.get(number.type, first)).result
    chosen = create("arith.cmpi", [ir.IntegerType.get_signless(1)],
                    [number, constant], predicate=equal).result
    return make_if(op, chosen, lambda: take(regions[0]),
                   lambda: make_branches(op, number, regions[1:], first + 1))


def make_if(op, condition, *branches):
    made = create("scf.if", [result.type for result in op.results], [condition],
                  regions=2)
    for region, branch in zip(made.regions, branches):
        with ir.InsertionPoint(region.blocks.append()):
            create("scf.yield", [], branch())
    return list(made.results)
