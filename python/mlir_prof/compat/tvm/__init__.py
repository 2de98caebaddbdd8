# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scope profiler of TVM: `meta_schedule` (up to TVM 0.23) and
`s_tir.meta_schedule`."""

from . import meta_schedule, s_tir

__all__ = ["meta_schedule", "s_tir"]
