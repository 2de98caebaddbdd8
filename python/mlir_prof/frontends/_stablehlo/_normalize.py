# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalization over a batch."""

from jaxlib.mlir import ir

from ._expand import expand_jax
from ._kernel import sizes_of
from ._rewriter import rewrites


class Batch:
    """The sums over all dimensions but that of the features."""

    def __init__(self, op):
        rank = len(sizes_of(op.operands[0]))
        feature = ir.IntegerAttr(op.attributes["feature_index"]).value
        self.others = tuple(axis for axis in range(rank) if axis != feature)
        self.epsilon = ir.FloatAttr(op.attributes["epsilon"]).value

    def spread(self, value):
        """The values of features, over the others."""
        import jax.numpy as jnp
        return jnp.expand_dims(value, self.others)

    def normalize(self, x, scale, offset, mean, variance):
        from jax import lax
        factor = scale * lax.rsqrt(variance + x.dtype.type(self.epsilon))
        return (x - self.spread(mean)) * self.spread(factor) + self.spread(offset)


@rewrites("stablehlo.batch_norm_inference")
def lower_inference(op):
    return expand_jax(op, Batch(op).normalize)


@rewrites("stablehlo.batch_norm_training")
def lower_training(op):
    batch = Batch(op)

    def normalize(x, scale, offset):
        mean = x.mean(batch.others)
        variance = ((x - batch.spread(mean)) ** 2).mean(batch.others)
        return batch.normalize(x, scale, offset, mean, variance), mean, variance

    return expand_jax(op, normalize)


@rewrites("stablehlo.batch_norm_grad")
def lower_gradient(op):
    batch = Batch(op)

    def gradient(x, scale, mean, variance, gradient):
        from jax import lax
        factor = lax.rsqrt(variance + x.dtype.type(batch.epsilon))
        normal = (x - batch.spread(mean)) * batch.spread(factor)
        of_scale = (gradient * normal).sum(batch.others)
        of_offset = gradient.sum(batch.others)
        count = x.dtype.type(x.size / scale.size)
        rest = gradient - batch.spread(of_offset / count) - normal * batch.spread(
            of_scale / count)
        return batch.spread(scale * factor) * rest, of_scale, of_offset

    return expand_jax(op, gradient)
