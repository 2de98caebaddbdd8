# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The largest elements of rows."""

from jaxlib.mlir import ir

from ._expand import expand_jax
from ._rewriter import rewrites


@rewrites("@ApproxTopK")
def lower_approximate(op):
    """Exactly: the largest or smallest ones along a dimension, and their places."""
    config = ir.DictAttr(op.attributes["mhlo.backend_config"])
    count = ir.IntegerAttr(config["top_k"]).value
    axis = ir.IntegerAttr(config["reduction_dim"]).value
    comparator = str(op.attributes["called_computations"])
    if "_gt_" not in comparator and "_lt_" not in comparator:
        return None

    def largest(values, places):
        import jax.numpy as jnp
        from jax import lax
        values, places = (jnp.moveaxis(x, axis, -1) for x in (values, places))
        found = lax.top_k(values if "_gt_" in comparator else -values, count)[1]
        return tuple(jnp.moveaxis(jnp.take_along_axis(x, found, -1), -1, axis)
                     for x in (values, places))

    return expand_jax(op, largest, list(op.operands)[:2])
