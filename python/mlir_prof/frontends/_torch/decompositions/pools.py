# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backward pass of pooling as sums at indices."""

import torch

from .._decompositions import register

aten = torch.ops.aten


@register(aten.max_pool2d_with_indices_backward.default)
def max_pool_backward(grad, x, kernel, stride, padding, dilation, ceil_mode, indices):
    # An index is a place in a plane of the input.
    planes = torch.zeros_like(x).flatten(-2)
    return planes.scatter_add(-1, indices.flatten(-2), grad.flatten(-2)).view(x.shape)
