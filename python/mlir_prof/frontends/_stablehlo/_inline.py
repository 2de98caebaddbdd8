# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions, and kernels in place of ops."""

from jaxlib.mlir import ir

from ._places import below, name_of
from ._rewriter import before, find, move_block, replace


def place_below(location):
    """A function that puts an op, and the ops in it, below `location`."""
    def visit(op):
        op.location = below(location, op.location)
        return ir.WalkResult.ADVANCE
    return lambda op: op.operation.walk(visit)


def place_named(location):
    """A function that leaves the locations that have names, and gives the call's to
    the others."""
    def visit(op):
        if not name_of(op.location):
            op.location = location
        return ir.WalkResult.ADVANCE
    return lambda op: op.operation.walk(visit)


def place_at(location):
    """A function that gives an op, and the ops in it, one location."""
    def visit(op):
        op.location = location
        return ir.WalkResult.ADVANCE
    return lambda op: op.operation.walk(visit)


def inline(function, arguments, call, place):
    """Puts a copy of the function's body before `call`; `place` sets locations.
    Returns the function's results."""
    copy = function.operation.clone()
    block = copy.regions[0].blocks[0]
    for op in block.operations:
        place(op)
    values = move_block(block, arguments, before(call))
    copy.erase()
    return values


def functions_of(module):
    return {ir.StringAttr(op.attributes["sym_name"]).value: op
            for op in module.regions[0].blocks[0].operations
            if op.operation.name == "func.func"}


def is_private(function):
    attributes = function.attributes
    return "sym_visibility" in attributes and ir.StringAttr(
        attributes["sym_visibility"]).value == "private"


def find_public(module):
    """The module's public function: main, if there are several, since JAX leaves
    comparators public."""
    public = {name: op for name, op in functions_of(module.operation).items()
              if not is_private(op)}
    return public["main"] if "main" in public else next(iter(public.values()))


def called(op):
    return ir.FlatSymbolRefAttr(op.attributes["callee"]).value


def expand_text(op, text, operands):
    """Puts the function @kernel of MLIR text in place of an op; returns its results.
    Calls in it of functions @region0, @region1 and so on, which are only declared,
    become the op's regions."""
    module = ir.Module.parse(text)
    kernel = functions_of(module.operation)["kernel"].operation
    for call in find(kernel, lambda other: other.name == "func.call"):
        copy = op.operation.clone(ir.InsertionPoint(call))
        region = copy.regions[int(called(call).removeprefix("region"))]
        replace(call, move_block(region.blocks[0], list(call.operands),
                                 before(call)))
        copy.erase()
    return inline(kernel, operands, op.operation, place_at(op.location))


def inline_calls(module, place=place_below):
    """Puts all functions into the public one; `place(location of the call)` places
    their ops."""
    functions = functions_of(module)
    while calls := find(module, lambda op: op.name == "func.call"):
        for call in calls:
            replace(call, inline(functions[called(call)], list(call.operands), call,
                                 place(call.location)))
    for function in functions.values():
        if is_private(function):
            function.operation.erase()
        elif "arg_attrs" in function.attributes:
            # Donated arguments, shardings: meant for JAX.
            del function.attributes["arg_attrs"]
