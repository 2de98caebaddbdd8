# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bags of embeddings: torch-mlir visits each index for each bag."""

import torch

from .._decompositions import register

aten = torch.ops.aten

SUM, MEAN, MAX = range(3)


def find_bags(offsets, count, includes_last):
    """The bag of each index: how many offsets are not after it."""
    starts = offsets[:-1] if includes_last else offsets
    places = torch.arange(count, dtype=offsets.dtype)
    return (starts[None, :] <= places[:, None]).sum(1) - 1


def reduce(rows, bags, sizes, mode):
    """The sum, mean or maximum of the rows of each bag."""
    count = sizes.shape[0]
    if mode == MAX:
        low = torch.full((count, rows.shape[1]), float("-inf"), dtype=rows.dtype)
        most = low.scatter_reduce(0, bags[:, None].expand_as(rows), rows, "amax")
        return torch.where(sizes[:, None] > 0, most, 0)
    out = torch.zeros((count, rows.shape[1]), dtype=rows.dtype)
    out = out.index_add(0, bags, rows)
    return out / sizes.clamp(min=1)[:, None] if mode == MEAN else out


@register(aten._embedding_bag_backward.default)
def embedding_bag_backward(grad, indices, offsets, bags, sizes, maximum_indices, count,
                           scale_grad_by_freq, mode, sparse, per_sample_weights,
                           padding_idx=-1):
    if mode == MAX or scale_grad_by_freq or sparse or padding_idx >= 0:
        return NotImplemented
    if mode == MEAN:
        grad = grad / sizes.clamp(min=1)[:, None]
    rows = grad[bags]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    out = torch.zeros((count, grad.shape[1]), dtype=grad.dtype)
    return out.index_add(0, indices, rows)


@register(aten.embedding_bag.padding_idx, aten._embedding_bag.default,
          aten._embedding_bag_forward_only.default)
def embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=SUM,
                  sparse=False, per_sample_weights=None, include_last_offset=False,
                  padding_idx=None):
    if padding_idx is not None and padding_idx >= 0:
        return NotImplemented
    rows = torch.nn.functional.embedding(indices, weight)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    bags = find_bags(offsets, indices.shape[0], include_last_offset)
    count = offsets.shape[0] - bool(include_last_offset)
    sizes = torch.zeros(count, dtype=torch.int64).index_add(
        0, bags, torch.ones_like(bags))
    return reduce(rows, bags, sizes, mode), bags, sizes, torch.zeros(
        0, dtype=torch.int64)
