# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that a function gets and returns changed, as variables of the module."""

import typing

from jaxlib.mlir import ir

from ._inline import find_public
from ._rewriter import create, signless_type


class Variable(typing.NamedTuple):
    """An argument of the public function, by its place, which begins as `array` and is
    what the result at a place says after a call."""

    name: str
    argument: int
    result: int
    array: typing.Any


def declare(module, number, variable, type_):
    """Adds the global to the module; returns the reference to it."""
    name = f"variable{number}"
    bare = signless_type(type_)
    with ir.InsertionPoint.at_block_begin(module.body):
        create("ml_program.global", [], sym_name=ir.StringAttr.get(name),
               type=ir.TypeAttr.get(bare), is_mutable=ir.UnitAttr.get(),
               sym_visibility=ir.StringAttr.get("private"),
               value=ir.DenseElementsAttr.get(variable.array, type=bare))
    return ir.FlatSymbolRefAttr.get(name)


def cast(value, type_):
    return value if value.type == type_ else create(
        "builtin.unrealized_conversion_cast", [type_], [value]).result


def bind(module, block, number, variable):
    """Loads a variable where the function begins, and stores it where it ends."""
    argument = block.arguments[variable.argument]
    end = list(block.operations)[-1]
    with ir.Location.name(variable.name):
        reference = declare(module, number, variable, argument.type)
        bare = signless_type(argument.type)
        with ir.InsertionPoint.at_block_begin(block):
            loaded = cast(create("ml_program.global_load", [bare],
                                 **{"global": reference}).result, argument.type)
        argument.replace_all_uses_with(loaded)
        with ir.InsertionPoint(end):
            create("ml_program.global_store", [],
                   [cast(end.operands[variable.result], bare)],
                   **{"global": reference})


def bind_variables(module, variables):
    """Makes variables of arguments and results of the public function."""
    function = find_public(module)
    block = function.regions[0].blocks[0]
    with module.context:
        for number, variable in enumerate(variables):
            bind(module, block, number, variable)
        gone = {variable.result for variable in variables}
        end = list(block.operations)[-1]
        kept = [value for place, value in enumerate(end.operands) if place not in gone]
        with ir.InsertionPoint(end), end.location:
            create(end.name, [], kept)
        end.erase()
        for place in sorted((variable.argument for variable in variables), reverse=True):
            block.erase_argument(place)
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
            [argument.type for argument in block.arguments],
            [value.type for value in kept]))
        for name in ("arg_attrs", "res_attrs"):
            if name in function.attributes:
                del function.attributes[name]
