# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module as a file, and its function's types."""

import os
import typing

class Signature(typing.NamedTuple):
    """The public function of a module."""

    entry: str
    #: Names of the arguments, as their locations have them.
    names: list
    #: MLIR types.
    arguments: list
    results: list


def signature_of(module):
    """The signature of the module's public function."""
    from jaxlib.mlir import ir
    from ._inline import find_public
    from ._places import name_of
    function = find_public(module)
    entry = ir.StringAttr(function.attributes["sym_name"]).value
    type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    arguments = function.regions[0].blocks[0].arguments
    return Signature(entry,
                     [name_of(value.location) or f"argument {place}"
                      for place, value in enumerate(arguments)],
                     list(type_.inputs), list(type_.results))


def add_lines(module, lines):
    """Adds files and lines, by the names of locations."""
    from jaxlib.mlir import ir
    from ._places import name_of

    def visit(op):
        name = name_of(op.location)
        if name in lines:
            file, line = lines[name]
            op.location = ir.Location.name(name, ir.Location.file(file, line, 0))
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit)


def bind_constants(module, arrays):
    """Replaces arguments of the public function by constants: the arrays by the places
    of the arguments."""
    from jaxlib.mlir import ir
    from ._inline import find_public
    function = find_public(module)
    block = function.regions[0].blocks[0]
    with module.context, function.location, ir.InsertionPoint.at_block_begin(block):
        for place, array in arrays.items():
            argument = block.arguments[place]
            value = ir.DenseElementsAttr.get(array, type=argument.type)
            argument.replace_all_uses_with(ir.Operation.create(
                "stablehlo.constant", results=[argument.type],
                attributes={"value": value}).result)
        for place in sorted(arrays, reverse=True):
            block.erase_argument(place)
        type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
            [argument.type for argument in block.arguments], list(type_.results)))
        if "arg_attrs" in function.attributes:
            del function.attributes["arg_attrs"]


def name_arguments(module, names):
    """Gives the arguments of the public function names as their locations."""
    from jaxlib.mlir import ir
    from ._inline import find_public
    function = find_public(module)
    block = function.regions[0].blocks[0]
    with module.context:
        for name, argument in zip(names, list(block.arguments)):
            named = block.add_argument(argument.type, ir.Location.name(name))
            argument.replace_all_uses_with(named)
        for _ in names:
            block.erase_argument(0)


def shape_of(type_):
    """The sizes of a tensor; None for one that a call chooses."""
    from jaxlib.mlir import ir
    tensor = ir.RankedTensorType(type_)
    return tuple(None if tensor.is_dynamic_dim(place) else tensor.get_dim_size(place)
                 for place in range(tensor.rank))


def write(module, path):
    """Writes the module with its locations; the file appears as a whole."""
    draft = path.with_suffix(".part")
    with open(draft, "w", encoding="utf-8") as file:
        module.operation.print(file=file, enable_debug_info=True)
    os.replace(draft, path)
    return path
