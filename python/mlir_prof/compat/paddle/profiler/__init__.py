# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paddle.profiler: the second generation."""

from .profiler import (Profiler, ProfilerState, ProfilerTarget, SummaryView,
                       export_chrome_tracing, export_protobuf, get_profiler,
                       make_scheduler)
from .profiler_statistic import SortedKeys
from .result import load_profiler_result
from .utils import RecordEvent, TracerEventType, wrap_optimizers

__all__ = ["Profiler", "ProfilerState", "ProfilerTarget", "RecordEvent",
           "SortedKeys", "SummaryView", "TracerEventType",
           "export_chrome_tracing", "export_protobuf", "get_profiler",
           "load_profiler_result", "make_scheduler", "wrap_optimizers"]
