# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paddle.fluid.profiler: the first generation."""

import contextlib
import os

from .... import _global
from ...._global import check, is_profiler_enabled, reset_profiler

__all__ = ["cuda_profiler", "is_profiler_enabled", "profiler", "reset_profiler",
           "start_profiler", "stop_profiler"]


def start_profiler(state, tracer_option="Default"):
    """Starts the profiler of the process; does nothing while it runs."""
    _global.start_profiler(state, tracer_option)


def _prepare(path):
    """Makes the folder, as Paddle does."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    _global.check_path(path)


def _write_profile(results, path):
    results.export(path, "paddle-profile")


def stop_profiler(sorted_key=None, profile_path="/tmp/profile"):
    """Stops the profiler, prints its report and writes `profile_path`; does
    nothing if it does not run."""
    _global.finish(_write_profile, sorted_key, profile_path, _prepare)


@contextlib.contextmanager
def profiler(state, sorted_key=None, profile_path="/tmp/profile",
             tracer_option="Default"):
    """start_profiler() and stop_profiler() around a `with` statement."""
    start_profiler(state, tracer_option)
    try:
        yield
    finally:
        stop_profiler(sorted_key, profile_path)


@contextlib.contextmanager
def cuda_profiler(output_file, output_mode=None, config=None):
    """Records the `with` statement for nvprof: without a source of device scopes
    it writes the scopes of the host to `output_file`, as Paddle's protobuf."""
    check("output_mode", output_mode or "csv", ("kvp", "csv"))
    start_profiler("GPU")
    try:
        yield
    finally:
        stop_profiler(None, output_file)
