# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that count."""

import typing

from jaxlib.mlir import ir


class Counter(typing.NamedTuple):
    """The part of a loop's state that counts its steps."""

    #: Its place among the operands of the loop.
    place: int
    initial: ir.Value
    #: The first value, or with `inclusive` the last one, for which no step, or one
    #: more step, is made.
    bound: ir.Value
    step: int
    inclusive: bool


#: Comparisons of a counter with its bound: whether that is a step's last value.
DIRECTIONS = {"LT": False, "LE": True}
#: The same with the bound first.
SWAPPED = {"GT": "LT", "GE": "LE"}


def owner_of(value):
    """The op of a result; None for a block's argument."""
    return None if isinstance(value.owner, ir.Block) else value.owner.operation


def constant_of(value):
    """The number that a value without dimensions is, or None."""
    op = owner_of(value)
    if op is None or op.name != "stablehlo.constant":
        return None
    element = ir.DenseElementsAttr(op.attributes["value"]).get_splat_value()
    return element.value if isinstance(element, ir.IntegerAttr) else None


def place_in(block, value):
    """The place of an argument of the block, or None."""
    return next((place for place, argument in enumerate(block.arguments)
                 if argument == value), None)


def direction_of(compare):
    """LT, GT and so on."""
    return str(compare.attributes["comparison_direction"]).split()[-1].rstrip(">")


def hoist(value, block, loop):
    """The value outside of the loop, or None if a step may change it."""
    op = owner_of(value)
    if op is None:
        return None if place_in(block, value) is not None else value
    if op.block != block:
        return value
    if op.name != "stablehlo.constant":
        return None
    op.move_before(loop.operation)
    return value


def find_step(block, place):
    """The positive number that each step adds to the state at `place`, or None."""
    value = list(list(block.operations)[-1].operands)[place]
    add = owner_of(value)
    if add is None or add.name != "stablehlo.add":
        return None
    left, right = add.operands
    if right == block.arguments[place]:
        left, right = right, left
    step = constant_of(right) if left == block.arguments[place] else None
    return step if step and step > 0 else None


def find_counter(loop):
    """The counter of a `stablehlo.while` whose invariants are outside, or None."""
    condition, body = (region.blocks[0] for region in loop.regions)
    compare = owner_of(list(condition.operations)[-1].operands[0])
    if compare is None or compare.name != "stablehlo.compare" or (
            compare.block != condition):
        return None
    counted, bound = compare.operands
    direction = direction_of(compare)
    if direction in SWAPPED:
        counted, bound, direction = bound, counted, SWAPPED[direction]
    place = place_in(condition, counted)
    if place is None or direction not in DIRECTIONS:
        return None
    element = ir.RankedTensorType(counted.type).element_type
    step = isinstance(element, ir.IntegerType) and find_step(body, place)
    bound = step and hoist(bound, condition, loop)
    return bound and Counter(place, loop.operands[place], bound, step,
                             DIRECTIONS[direction])
