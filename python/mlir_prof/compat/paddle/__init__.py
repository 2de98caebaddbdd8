# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The profilers of PaddlePaddle: `profiler` (paddle.profiler), and those of the
first generation, `fluid.profiler` and `utils.profiler`."""

from . import fluid, profiler, utils

__all__ = ["fluid", "profiler", "utils"]
