# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Algorithms on stacks of real matrices, and Fourier transforms as products with matrices,
in operators of PyTorch, for decompositions."""
