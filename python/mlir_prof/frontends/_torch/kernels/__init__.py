# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that torch-mlir does not lower to linalg, as functions in linalg and scf.

Such an operator is imported as the call of a function without a body. After
torch-mlir has lowered the rest, the body replaces the call. To add a kernel, add
`register(...)` in a file of this package, and the file's name here.
"""

import importlib

from torch_mlir import ir

from ._registry import Kernel, find, is_kernel, register
from ._text import Writer

__all__ = ["PREFIX", "Kernel", "expand", "find", "is_kernel", "register", "write_same"]

#: How functions of kernels are called until they are expanded.
PREFIX = "mlir_prof_kernel_"

FILES = ["experts", "extremes", "limits", "nonzero", "recurrent", "scan", "scatter", "sort"]

for name in FILES:
    importlib.import_module(f".{name}", __name__)


def write_same(operands, results):
    """A function that returns its arguments."""
    w = Writer(operands, results)
    return w.text(*w.arguments)


def parse(text, location):
    """The function of a text, all of whose ops have the location."""
    module = ir.Module.parse(text, location.context)
    function = list(module.body.operations)[0]

    def place(op):
        op.location = location
        for region in op.regions:
            for argument in region.blocks[0].arguments if len(region.blocks) else ():
                argument.set_location(location)
        return ir.WalkResult.ADVANCE

    function.operation.walk(place)
    return module, function


def inline(call, function):
    """Replaces a call by the body, which is one block."""
    body = function.regions[0].blocks[0]
    for argument, operand in zip(list(body.arguments), list(call.operands)):
        argument.replace_all_uses_with(operand)
    *ops, end = list(body.operations)
    for op in ops:
        op.operation.move_before(call)
    for result, value in zip(list(call.results), list(end.operands)):
        result.replace_all_uses_with(value)
    call.erase()


def expand(module, calls):
    """Replaces the calls of kernels; `calls` has the node and kernel by name."""
    found = []

    def visit(op):
        if op.name == "func.call":
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    for call in found:
        name = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
        if name not in calls:
            continue
        node, kernel = calls[name]
        text = kernel.write([str(x.type) for x in call.operands],
                            [str(x.type) for x in call.results])
        made, function = parse(text, call.location)
        inline(call, function)
