# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of known architectures, each alone with its bias: NAME-nchw, as
PyTorch's exporters write it, and NAME-nhwc.
"""

import numpy as np
from threefold import Builder
from torch import nn, randn

#: Name: (size, channels, filters, kernel, stride, groups).
LAYERS = {
    "conv3x3_56": (56, 64, 64, 3, 1, 1),
    "conv3x3_14": (14, 256, 256, 3, 1, 1),
    "conv3x3_7": (7, 512, 512, 3, 1, 1),
    "conv3x3_s2": (56, 64, 128, 3, 2, 1),
    "conv7x7_s2": (224, 3, 64, 7, 2, 1),
    "conv1x1": (56, 64, 256, 1, 1, 1),
    "patches": (224, 3, 192, 16, 16, 1),
    "depthwise": (56, 96, 96, 3, 1, 96),
    # ResNeXt: 4, 8, 16 and 32 channels in a group; RegNet; ShuffleNet.
    "grouped4": (56, 128, 128, 3, 1, 32),
    "grouped8": (28, 256, 256, 3, 1, 32),
    "grouped8_s2": (56, 256, 256, 3, 2, 32),
    "grouped16": (14, 512, 512, 3, 1, 32),
    "grouped32": (14, 1024, 1024, 3, 1, 32),
    "grouped24": (28, 192, 192, 3, 1, 8),
    "grouped64": (14, 512, 512, 3, 1, 8),
    "grouped1x1": (28, 240, 240, 1, 1, 3),
}


def make_module(size, channels, filters, kernel, stride, groups):
    """(module, arguments)."""
    overlaps = kernel > stride
    layer = nn.Conv2d(channels, filters, kernel, stride,
                      padding=kernel // 2 if overlaps else 0, groups=groups)
    return layer, (randn(1, channels, size, size),)


#: As in architectures.py.
MODELS = {f"{name}-nchw": lambda layer=layer: make_module(*layer)
          for name, layer in LAYERS.items()}


def build(name, size, channels, filters, kernel, stride, groups):
    """(builder, result) of the layer in NHWC."""
    random = np.random.default_rng(5)

    def normal(*shape, fan=1):
        return random.standard_normal(shape) / np.sqrt(fan)
    g = Builder(name)
    x = g.argument("x", normal(1, size, size, channels))
    area = kernel * kernel
    each = channels // groups
    if groups == channels:
        weight = g.depthwise_kernel("k", normal(kernel, kernel, channels,
                                                fan=area))
        y = g.depthwise(x, weight, stride)
    elif groups != 1:
        weight = g.grouped_kernel("k", normal(groups, filters // groups,
                                              kernel, kernel, each,
                                              fan=area * each))
        y = g.grouped(x, weight, stride)
    else:
        weight = g.conv_kernel("k", normal(kernel, kernel, channels, filters,
                                           fan=area * channels))
        y = g.conv(x, weight, stride)
    return g, g.bias(y, g.weight("b", normal(filters, fan=100)))
