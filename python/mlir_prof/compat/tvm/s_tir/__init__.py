# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.s_tir, as far as the profiler of its meta_schedule goes."""

from . import meta_schedule

__all__ = ["meta_schedule"]
