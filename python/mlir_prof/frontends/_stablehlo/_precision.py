# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products: how their operands are widened, and in which type sums are computed."""

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ._kernel import element_of
from ._rewriter import create, is_unsigned, rewrites


def convert(value, element):
    """The tensor with elements of another type."""
    type_ = ir.RankedTensorType.get(ir.RankedTensorType(value.type).shape, element)
    return value if type_ == value.type else create(
        "stablehlo.convert", [type_], [value]).result


def copy(op, type_, operands, without=()):
    """The op with another type of its result, and other operands."""
    attributes = {name: op.attributes[name] for name in op.attributes
                  if name not in without}
    return create(op.name, [type_], operands, **attributes).result


def round_operands(op):
    """The operands as the op's algorithm reads them. Those of which it takes several
    parts keep all of their digits."""
    algorithm = stablehlo.DotAlgorithm(op.attributes["algorithm"])
    parts = (algorithm.lhs_component_count, algorithm.rhs_component_count)
    types = (algorithm.lhs_precision_type, algorithm.rhs_precision_type)
    many = max(*parts, algorithm.num_primitive_operations) > 1
    return [value if many or str(type_).startswith("tf32") else
            convert(convert(value, type_), element_of(value))
            for value, type_ in zip(op.operands, types)]


@rewrites("stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general")
def widen(op):
    """The op of operands without an algorithm and, if they are unsigned, of its result's
    type; and with results of 16 bits from sums of 32, which are rounded once, as in
    XLA."""
    result = op.results[0]
    if "algorithm" in op.attributes:
        return [copy(op, result.type, round_operands(op), ["algorithm"])]
    if any(is_unsigned(value.type) and element_of(value) != element_of(result)
           for value in op.operands):
        return [copy(op, result.type, [convert(value, element_of(result))
                                       for value in op.operands])]
    if str(element_of(result)) not in ("bf16", "f16"):
        return None
    type_ = ir.RankedTensorType(result.type)
    wide = ir.RankedTensorType.get(type_.shape, ir.F32Type.get())
    return [convert(copy(op, wide, list(op.operands)), type_.element_type)]
