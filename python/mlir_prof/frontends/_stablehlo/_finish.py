# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repairs behind jaxlib's lowering."""

from jaxlib.mlir import ir

from ._rewriter import before, create, find, move_block, replace, signless_type


def make_signless(module):
    """Gives all integers types without a sign, as linalg and arith have them."""
    def visit(op):
        for result in op.results:
            result.set_type(signless_type(result.type))
        for region in op.regions:
            for block in region:
                for argument in block.arguments:
                    argument.set_type(signless_type(argument.type))
        return ir.WalkResult.ADVANCE

    module.walk(visit, ir.WalkOrder.PRE_ORDER)
    for function in find(module, lambda op: op.name == "func.func"):
        type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
            [signless_type(one) for one in type_.inputs],
            [signless_type(one) for one in type_.results]))
    for cast in find(module, is_idle_cast):
        replace(cast, list(cast.operands))


def is_idle_cast(op):
    return (op.name == "builtin.unrealized_conversion_cast" and
            [value.type for value in op.operands] ==
            [value.type for value in op.results])


def has_no_dimensions(op):
    return op.name == "linalg.generic" and all(
        isinstance(value.type, ir.RankedTensorType) and
        ir.RankedTensorType(value.type).rank == 0
        for value in (*op.operands, *op.results))


def inline_scalars(module):
    """Replaces `linalg.generic` of tensors without dimensions by its ops: counters,
    conditions and keys of loops stay in registers."""
    for generic in find(module, has_no_dimensions):
        with generic.location, ir.InsertionPoint(generic):
            scalars = [create("tensor.extract", [
                ir.RankedTensorType(value.type).element_type], [value]).result
                for value in generic.operands]
            values = move_block(generic.regions[0].blocks[0], scalars,
                                before(generic))
            replace(generic, [
                create("tensor.from_elements", [result.type], [value]).result
                for result, value in zip(list(generic.results), values)])
