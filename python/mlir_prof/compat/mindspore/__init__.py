# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interface of mindspore.Profiler, for every framework that can be recorded."""

from .profiler import Profiler, ProfilerLevel

__all__ = ["Profiler", "ProfilerLevel"]
