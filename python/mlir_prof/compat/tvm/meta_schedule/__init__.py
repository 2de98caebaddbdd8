# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.meta_schedule, as far as its profiler goes."""

from . import profiler
from .profiler import Profiler

__all__ = ["Profiler", "profiler"]
