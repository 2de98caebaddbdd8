# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of 16-bit numbers: their sums have 32 bits, as in XLA."""

from jaxlib.mlir import ir

from ._kernel import element_of
from ._rewriter import create, rewrites


@rewrites("stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general")
def widen_sums(op):
    """The op with results of f32, which are rounded once."""
    result = op.results[0]
    if str(element_of(result)) not in ("bf16", "f16"):
        return None
    type_ = ir.RankedTensorType(result.type)
    wide = ir.RankedTensorType.get(type_.shape, ir.F32Type.get())
    attributes = {name: op.attributes[name] for name in op.attributes}
    sums = create(op.name, [wide], list(op.operands), **attributes).result
    return [create("stablehlo.convert", [type_], [sums]).result]
