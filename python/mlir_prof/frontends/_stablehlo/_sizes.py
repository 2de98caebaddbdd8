# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes that each call chooses."""

from jaxlib.mlir import ir

from ._rewriter import create, index, rewrites, scalar, tensor_of


@rewrites("stablehlo.get_dimension_size")
def lower_dimension_size(op):
    place = ir.IntegerAttr(op.attributes["dimension"]).value
    size = create("tensor.dim", [ir.IndexType.get()],
                  [op.operands[0], index(place)]).result
    return [tensor_of(size, op.results[0].type)]


@rewrites("@shape_assertion")
def lower_shape_assertion(op):
    """JAX's checks that the sizes of arguments fit together."""
    message = ir.StringAttr(op.attributes["error_message"]).value
    create("cf.assert", [], [scalar(op.operands[0])], msg=ir.StringAttr.get(message))
    return []
