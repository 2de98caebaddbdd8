# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products and convolutions."""

import dataclasses
import math

import numpy as np

from threefold.core import ZERO, Tensor

#: Positions of the height and the width of a kernel.
KERNEL_AXES = {"linalg.conv_2d_nhwc_hwcf": (0, 1),
               "linalg.depthwise_conv_2d_nhwc_hwc": (0, 1),
               "linalg.conv_2d_nhwgc_gfhwc": (2, 3)}


class Products:
    def matmul(self, a, b):
        """a @ b; f32 of bf16, and i32 of i8, as processors compute them."""
        op = "linalg.batch_matmul" if a.value.ndim == 3 else "linalg.matmul"
        kind = "i32" if a.type == "i8" else "f32"
        value = a.value @ b.value
        self.flops += 2 * value.size * a.shape[-1]
        batch = a.shape[0] if a.value.ndim == 3 else 1
        is_constant = any(b.name == w.name for w in self.weights.values())
        self.steps.append(("gemm", a.type, batch, *value.shape[-2:],
                           a.shape[-1], int(is_constant)))
        onnx = self.onnx("MatMulInteger" if kind == "i32" else "MatMul", [a, b])
        return self.named(op, [a, b], value, kind, onnx=onnx)

    def pad(self, x, low, high):
        """Zeros around an image."""
        if not any(low + high):
            return x
        value = np.pad(x.value, ((0, 0), (low[0], high[0]), (low[1], high[1]),
                                 (0, 0)))
        zero = self.scalar(ZERO[x.type], x.type)
        indices = ", ".join(f"{zero}_{i}: index" for i in range(4))
        result = Tensor(self.fresh(), value, x.type, None)
        self.lines.append(
            f"    {result.name} = tensor.pad {x.name} low[0, {low[0]}, "
            f"{low[1]}, 0] high[0, {high[0]}, {high[1]}, 0] {{\n"
            f"    ^bb0({indices}):\n      tensor.yield {zero} : {x.type}\n"
            f"    }} : {x.mlir} to {result.mlir}")
        return result

    def convolve(self, x, kernel, stride, op, apply, groups=1):
        """A convolution with an output of ceil(size / stride). `apply(patch,
        row, column)` is the contribution of one kernel position."""
        rows, columns = KERNEL_AXES[op]
        window = kernel.shape[rows], kernel.shape[columns]
        size = x.shape[1:3]
        out = [math.ceil(s / stride) for s in size]
        total = [max((o - 1) * stride + k - s, 0)
                 for o, k, s in zip(out, window, size)]
        # Windows that do not overlap need no border.
        low = [min((k - 1) // 2, t) for k, t in zip(window, total)]
        high = [t - l for t, l in zip(total, low)]
        padded = self.pad(x, low, high)
        value = sum(
            apply(padded.value[:, i:i + (out[0] - 1) * stride + 1:stride,
                               j:j + (out[1] - 1) * stride + 1:stride], i, j)
            for i in range(window[0]) for j in range(window[1]))
        self.steps.append(("conv", x.type, *x.shape,
                           math.prod(value.shape[3:]), window[0], stride,
                           groups))
        onnx = self.onnx("ConvInteger" if x.type == "i8" else "Conv",
                         [x, kernel], group=groups, kernel_shape=list(window),
                         pads=low + high, strides=[stride] * 2)
        attributes = ("{dilations = dense<1> : tensor<2xi64>, strides = "
                      f"dense<{stride}> : tensor<2xi64>}} ")
        return padded, value, attributes, onnx

    def conv_kernel(self, name, value, kind="f32"):
        """`value`: HWCF."""
        return self.weight(name, value, kind, value.transpose(3, 2, 0, 1))

    def depthwise_kernel(self, name, value):
        """`value`: HWC."""
        return self.weight(name, value,
                           onnx=value.transpose(2, 0, 1)[:, None])

    def grouped_kernel(self, name, value):
        """`value`: GFHWC."""
        merged = value.reshape(-1, *value.shape[2:])
        return self.weight(name, value, onnx=merged.transpose(0, 3, 1, 2))

    def conv(self, x, kernel, stride=1):
        """`kernel`: HWCF."""
        op = "linalg.conv_2d_nhwc_hwcf"
        padded, value, attributes, onnx = self.convolve(
            x, kernel, stride, op, lambda p, i, j: p @ kernel.value[i, j])
        self.flops += 2 * value.size * math.prod(kernel.shape[:3])
        kind = "i32" if x.type == "i8" else "f32"
        return self.named(op, [padded, kernel], value, kind, attributes, onnx)

    def depthwise(self, x, kernel, stride=1):
        """`kernel`: HWC."""
        op = "linalg.depthwise_conv_2d_nhwc_hwc"
        padded, value, attributes, onnx = self.convolve(
            x, kernel, stride, op, lambda p, i, j: p * kernel.value[i, j],
            groups=x.shape[3])
        self.flops += 2 * value.size * math.prod(kernel.shape[:2])
        return self.named(op, [padded, kernel], value, "f32", attributes, onnx)

    def grouped(self, x, kernel, stride=1):
        """`kernel`: GFHWC; the channels of x are G times C."""
        op = "linalg.conv_2d_nhwgc_gfhwc"
        groups, filters, _, _, channels = kernel.shape

        def apply(patch, i, j):
            split = patch.reshape(*patch.shape[:3], groups, channels)
            return np.einsum("nhwgc,gfc->nhwgf", split,
                             kernel.value[:, :, i, j])
        padded, value, attributes, onnx = self.convolve(
            x, kernel, stride, op, apply, groups)
        self.flops += 2 * value.size * math.prod(kernel.shape[2:])
        split = self.reshape(
            padded, padded.shape[:3] + (groups, channels),
            [[0], [1], [2], [3, 4]])
        result = self.named(op, [split, kernel], value, "f32", attributes)
        merged = self.reshape(result, value.shape[:3] + (groups * filters,),
                              [[0], [1], [2], [3, 4]])
        return dataclasses.replace(merged, onnx=onnx)
