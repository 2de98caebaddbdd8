# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions of floating-point numbers to integers. As in XLA, those outside of the
range become its ends, and what is no number becomes 0."""

import numpy
from jaxlib.mlir import ir

from ._expand import DTYPES, dtype_of
from ._kernel import element_of
from ._rewriter import create, rewrites

#: Marks conversions of numbers that are in range.
IN_RANGE = "in_range"


def find_bounds(dtype, limits):
    """The smallest and largest floating-point numbers whose conversion is in range, and
    the first one above it, or None if there is none."""
    type_ = numpy.dtype("float64" if dtype == "float64" else "float32").type
    largest = type_(limits.max)
    if int(largest) <= limits.max:
        return float(limits.min), float(largest), None
    return float(limits.min), float(numpy.nextafter(largest, type_(0))), float(largest)


def constant(type_, value):
    """A tensor of one value."""
    element = ir.RankedTensorType(type_).element_type
    attribute = (ir.IntegerAttr if isinstance(element, ir.IntegerType)
                 else ir.FloatAttr).get(element, value)
    scalar = ir.RankedTensorType.get([], element)
    made = create("stablehlo.constant", [scalar],
                  value=ir.DenseElementsAttr.get_splat(scalar, attribute)).result
    if ir.RankedTensorType(type_).rank == 0:
        return made
    return create("stablehlo.broadcast_in_dim", [type_], [made],
                  broadcast_dimensions=ir.DenseI64ArrayAttr.get([])).result


def compare(left, right, direction):
    shape = ir.RankedTensorType(left.type)
    bits = ir.RankedTensorType.get(shape.shape, ir.IntegerType.get_signless(1))
    return create("stablehlo.compare", [bits], [left, right], comparison_direction=ir.
                  Attribute.parse(f"#stablehlo<comparison_direction {direction}>")
                  ).result


class IntegerLimits:
    """The range of an integer type."""

    def __init__(self, is_signed, width):
        self.min = -(1 << (width - 1)) if is_signed else 0
        self.max = (1 << (width - is_signed)) - 1


@rewrites("stablehlo.convert")
def keep_in_range(op):
    value, type_ = op.operands[0], op.results[0].type
    element = element_of(op.results[0])
    if (IN_RANGE in op.attributes or not isinstance(element, ir.IntegerType) or
            element.width == 1 or str(element_of(value)) not in DTYPES or
            not isinstance(element_of(value), ir.FloatType) or
            not ir.RankedTensorType(type_).has_static_shape):
        return None
    if element_of(value).width < 32:
        value = create("stablehlo.convert", [ir.RankedTensorType.get(
            ir.RankedTensorType(type_).shape, ir.F32Type.get())], [value]).result
    limits = IntegerLimits(not element.is_unsigned, element.width)
    low, high, above = find_bounds(dtype_of(value), limits)

    def select(condition, yes, no):
        return create("stablehlo.select", [no.type], [condition, yes, no]).result

    bounded = create("stablehlo.clamp", [value.type], [
        constant(value.type, low), value, constant(value.type, high)]).result
    bounded = select(compare(value, value, "EQ"), bounded, constant(value.type, 0.0))
    result = create("stablehlo.convert", [type_], [bounded],
                    **{IN_RANGE: ir.UnitAttr.get()}).result
    if above is None:
        return [result]
    return [select(compare(value, constant(value.type, above), "GE"),
                   constant(type_, limits.max), result)]
