# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.s_tir.meta_schedule, as far as its profiler goes."""

from ...meta_schedule import profiler
from ...meta_schedule.profiler import Profiler

__all__ = ["Profiler", "profiler"]
