# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that only hand on their operands, and tensors without elements."""

import numpy
from jaxlib.mlir import ir

from ._counted import constant_of
from ._kernel import sizes_of
from ._rewriter import create, rewrites


@rewrites("stablehlo.optimization_barrier", "@Sharding", "@SPMDFullToShardShape",
          "@SPMDShardToFullShape", "@annotate_device_placement", "mhlo.copy",
          "sdy.sharding_constraint", "sdy.mesh")
def hand_on(op):
    return list(op.operands)


def is_empty(value):
    type_ = ir.RankedTensorType(value.type)
    return type_.has_static_shape and 0 in type_.shape


@rewrites("stablehlo.slice")
def drop_empty_slice(op):
    """jaxlib makes slices that end beyond their operand."""
    if not is_empty(op.results[0]):
        return None
    return [create("tensor.empty", [op.results[0].type]).result]


@rewrites("stablehlo.concatenate")
def drop_empty_operands(op):
    operands = [value for value in op.operands if not is_empty(value)]
    if len(operands) in (0, len(op.operands)):
        return None
    return [create(op.name, [op.results[0].type], operands,
                   dimension=op.attributes["dimension"]).result]


@rewrites("stablehlo.reduce")
def drop_idle_reduce(op):
    """A reduction of no dimensions, or of no elements."""
    count = len(op.results)
    values, initial = list(op.operands)[:count], list(op.operands)[count:]
    if is_empty(values[0]):
        return [create("stablehlo.broadcast_in_dim", [result.type], [value],
                       broadcast_dimensions=ir.DenseI64ArrayAttr.get([])).result
                for result, value in zip(op.results, initial)]
    return None if any(value.type != result.type for value, result in
                       zip(values, op.results)) else values


@rewrites("stablehlo.pad")
def fill_empty_pad(op):
    """jaxlib puts an operand without elements behind the end of the result."""
    if not is_empty(op.operands[0]) or None in sizes_of(op.results[0]):
        return None
    return [create("stablehlo.broadcast_in_dim", [op.results[0].type], [op.operands[1]],
                   broadcast_dimensions=ir.DenseI64ArrayAttr.get([])).result]


def is_alone(op):
    """Whether a device exchanges values with itself only."""
    groups = next(op.attributes[name] for name in ("replica_groups",
                                                   "source_target_pairs")
                  if name in op.attributes)
    pairs = numpy.array(ir.DenseIntElementsAttr(groups))
    if "source_target_pairs" in op.attributes:
        return pairs.tolist() == [[0, 0]]
    return pairs.shape[1:] == (1,)


@rewrites("stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all",
          "stablehlo.collective_broadcast", "stablehlo.collective_permute",
          "stablehlo.reduce_scatter")
def hand_on_alone(op):
    """A gathering or reduction of one device is the value itself."""
    return list(op.operands) if is_alone(op) and [
        value.type for value in op.operands] == [
            result.type for result in op.results] else None


@rewrites("stablehlo.partition_id", "stablehlo.replica_id")
def number_alone(op):
    """The model runs on one device."""
    type_ = op.results[0].type
    zero = ir.IntegerAttr.get(ir.RankedTensorType(type_).element_type, 0)
    return [create("stablehlo.constant", [type_],
                   value=ir.DenseElementsAttr.get_splat(type_, zero)).result]


@rewrites("stablehlo.set_dimension_size")
def drop_static_size(op):
    """The dimension has that size already."""
    place = ir.IntegerAttr(op.attributes["dimension"]).value
    size, stated = constant_of(op.operands[1]), sizes_of(op.results[0])[place]
    return [op.operands[0]] if size is not None and size == stated else None


@rewrites("mhlo.erf")
def replace_erf(op):
    return [create("chlo.erf", [op.results[0].type], list(op.operands)).result]
