# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of which rewrites are made."""

from jaxlib.mlir import ir

#: Names of ops, of custom calls ("@target") and of composites ("@name") to
#: functions that return the values for an op's results, or None to keep it.
REWRITES = {}


def rewrites(*names):
    def register(function):
        REWRITES.update(dict.fromkeys(names, function))
        return function
    return register


def key_of(op):
    """The name under which an op's rewrite is registered."""
    attributes = op.attributes
    if op.name == "stablehlo.custom_call":
        return "@" + ir.StringAttr(attributes["call_target_name"]).value
    if op.name == "stablehlo.composite":
        return "@" + ir.StringAttr(attributes["name"]).value
    return op.name


def find(root, wanted):
    """The ops below `root` for which `wanted(op)`, without those within another."""
    found = []

    def visit(op):
        if wanted(op):
            found.append(op)
            return ir.WalkResult.SKIP
        return ir.WalkResult.ADVANCE

    root.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def replace(op, values):
    """Replaces the op's results by `values`, and erases it."""
    for result, value in zip(list(op.results), values):
        result.replace_all_uses_with(value)
    op.erase()


def create(name, types, operands=(), regions=0, **attributes):
    """A new op at the current place; returns it."""
    return ir.Operation.create(name, results=list(types), operands=list(operands),
                               attributes=attributes, regions=regions)


def move_block(block, arguments, move):
    """Moves the ops of a block by `move(op)`, with `arguments` in place of the
    block's; returns the values that its terminator names."""
    for argument, value in zip(list(block.arguments), arguments):
        argument.replace_all_uses_with(value)
    *body, terminator = list(block.operations)
    for op in body:
        move(op.operation)
    return list(terminator.operands)


def before(place):
    """Moves ops before `place`."""
    return lambda op: op.move_before(place)


def index(value):
    """A constant of type index at the current place."""
    type_ = ir.IndexType.get()
    return create("arith.constant", [type_],
                  value=ir.IntegerAttr.get(type_, value)).result


def signless(value):
    """A tensor of integers as arith takes it: without a sign."""
    type_ = signless_type(value.type)
    return value if type_ == value.type else create(
        "builtin.unrealized_conversion_cast", [type_], [value]).result


def signless_type(type_):
    """The type without signs of integers."""
    if isinstance(type_, ir.RankedTensorType):
        tensor = ir.RankedTensorType(type_)
        element = signless_type(tensor.element_type)
        if element == tensor.element_type:
            return type_
        return ir.RankedTensorType.get(tensor.shape, element)
    if isinstance(type_, ir.IntegerType) and not ir.IntegerType(type_).is_signless:
        return ir.IntegerType.get_signless(ir.IntegerType(type_).width)
    return type_


def is_unsigned(type_):
    element = ir.RankedTensorType(type_).element_type
    return isinstance(element, ir.IntegerType) and (
        ir.IntegerType(element).is_unsigned)


def scalar(value):
    """The only element of a tensor without dimensions."""
    value = signless(value)
    return create("tensor.extract", [ir.RankedTensorType(value.type).element_type],
                  [value]).result


def index_of(value):
    """The element of a tensor without dimensions, as an index."""
    cast = "arith.index_castui" if is_unsigned(value.type) else "arith.index_cast"
    return create(cast, [ir.IndexType.get()], [scalar(value)]).result


def tensor_of(value, type_):
    """A tensor without dimensions, of an index."""
    bare = signless_type(type_)
    element = create("arith.index_cast", [ir.RankedTensorType(bare).element_type],
                     [value]).result
    made = create("tensor.from_elements", [bare], [element]).result
    return made if bare == type_ else create(
        "builtin.unrealized_conversion_cast", [type_], [made]).result
