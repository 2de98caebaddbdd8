# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hides calls of kernels from torch-mlir's conversion of ONNX's operators.

That conversion takes the graphs within a Loop or If only if each operation in them is
of its own dialect, which `func.call` is not. A call there becomes an operation of that
dialect with any operands, and a call again afterwards.
"""

from torch_mlir import ir

#: An operation with any number of operands, and a result of any type.
_HIDDEN = "torch.prim.tolist"

_CALLEE = "mlir_prof.callee"


def find(module, name, chosen):
    """The operations of a name that `chosen` takes."""
    found = []

    def look(operation):
        if operation.name == name and chosen(operation):
            found.append(operation)
        return ir.WalkResult.ADVANCE
    module.operation.walk(look)
    return found


def replace(old, name, results, operands, attributes):
    """The operation that stands where `old` is."""
    return ir.Operation.create(name, results=results, operands=operands,
                               attributes=attributes, loc=old.location,
                               ip=ir.InsertionPoint(old))


def take_uses(old, values):
    for result, value in zip(list(old.results), values):
        result.replace_all_uses_with(value)
    old.erase()


def hide(module):
    """Hides the calls within the graphs of operators."""
    def is_inner(call):
        return call.parent.name != "func.func"
    with module.context:
        for call in find(module, "func.call", is_inner):
            types = [result.type for result in call.results]
            callee = {_CALLEE: call.attributes["callee"]}
            made = types if len(types) == 1 else [ir.Type.parse(
                f"!torch.tuple<{', '.join(map(str, types))}>")]
            hidden = replace(call, _HIDDEN, made, list(call.operands), callee)
            if len(types) > 1:
                hidden = replace(call, "torch.prim.TupleUnpack", types,
                                 [hidden.results[0]], {})
            take_uses(call, hidden.results)


def show(module):
    """Makes them calls again."""
    with module.context:
        for hidden in find(module, _HIDDEN, lambda op: _CALLEE in op.attributes):
            users = [use.owner for use in hidden.results[0].uses]
            unpack = next((user.operation for user in users
                           if user.operation.name == "torch.prim.TupleUnpack"), None)
            old = unpack or hidden
            call = replace(hidden, "func.call", [result.type for result in old.results],
                           list(hidden.operands),
                           {"callee": hidden.attributes[_CALLEE]})
            take_uses(old, call.results)
            if unpack:
                hidden.erase()
