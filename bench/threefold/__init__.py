# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model three times: as MLIR, as ONNX, and computed in float64.

Each call of a Builder adds one op to all three. Images are NHWC in MLIR and in
the reference, and NCHW in ONNX. If ONNX (or ONNX Runtime's CPU backend) lacks
an op, it is added with `onnx=None`, and the model does not have an ONNX form.
"""

from threefold.core import Core
from threefold.elements import Elements
from threefold.products import Products


class Builder(Products, Elements, Core):
    pass
