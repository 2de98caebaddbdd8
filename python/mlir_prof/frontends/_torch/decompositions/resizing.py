# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resizing of images with antialiasing, as products with a matrix of weights for each
dimension."""

import torch

from .._decompositions import register

aten = torch.ops.aten


def triangle(x):
    return (1 - x.abs()).clamp(min=0)


def cubic(x):
    """Keys's kernel with PyTorch's parameter for images, -1/2."""
    a, x = -0.5, x.abs()
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return torch.where(x < 1, near, torch.where(x < 2, far, 0))


def make_weights(size, count, factor, kernel, radius):
    """The weights of `size` places for each of `count` results."""
    scale = 1 / factor if factor else size / count
    stretch = max(scale, 1.0)
    center = scale * (torch.arange(count, dtype=torch.float64) + 0.5)[:, None]
    first = (center - radius * stretch + 0.5).to(torch.int64).clamp(min=0)
    last = (center + radius * stretch + 0.5).to(torch.int64).clamp(max=size)
    places = torch.arange(size)
    weights = kernel((places - center + 0.5) / stretch)
    weights = torch.where((places >= first) & (places < last), weights, 0)
    return weights / weights.sum(1, keepdim=True)


def register_resize(operator, kernel, radius):
    @register(operator)
    def resize(x, output_size, align_corners, scales_h=None, scales_w=None):
        if align_corners:
            return NotImplemented
        rows, columns = [
            make_weights(size, count, factor, kernel, radius).to(x.dtype)
            for size, count, factor in zip(x.shape[-2:], output_size,
                                           (scales_h, scales_w))]
        return rows @ (x @ columns.t())


register_resize(aten._upsample_bilinear2d_aa.default, triangle, 1)
register_resize(aten._upsample_bicubic2d_aa.default, cubic, 2)
