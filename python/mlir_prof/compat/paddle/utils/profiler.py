# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paddle.utils.profiler: the first generation with options, counted in steps."""

import sys
import warnings

from ..fluid.profiler import (cuda_profiler, profiler, reset_profiler,
                              start_profiler, stop_profiler)

__all__ = ["Profiler", "ProfilerOptions", "cuda_profiler", "get_profiler",
           "profiler", "reset_profiler", "start_profiler", "stop_profiler"]

_current = None


class ProfilerOptions:
    """Options by name; those that are not given have their defaults."""

    def __init__(self, options=None):
        self.options = {
            "state": "All",
            "sorted_key": "default",
            "tracer_level": "Default",
            "batch_range": [0, sys.maxsize],
            "output_thread_detail": False,
            "profile_path": "none",
            "timeline_path": "none",
            "op_summary_path": "none",
        }
        for name in self.options:
            if options is not None and options.get(name) is not None:
                self.options[name] = options[name]

    def with_state(self, state):
        """Options with another state."""
        return ProfilerOptions(dict(self.options, state=state))

    def __getitem__(self, name):
        if name not in self.options:
            raise ValueError(f"ProfilerOptions does not have an option named "
                             f"{name}.")
        value = self.options[name]
        return None if isinstance(value, str) and value == "none" else value


class Profiler:
    """Profiles the steps of `batch_range`, which record_step() counts."""

    def __init__(self, enabled=True, options=None):
        self.profiler_options = (options if isinstance(options, ProfilerOptions)
                                 else ProfilerOptions(options))
        self.batch_id = 0
        self.enabled = enabled

    def __enter__(self):
        global _current
        self.previous = _current
        _current = self
        if (self.enabled and
                self.profiler_options["batch_range"][0] == 0):
            self.start()
        return self

    def __exit__(self, *exception):
        global _current
        _current = self.previous
        if self.enabled:
            self.stop()

    def start(self):
        """Starts it; an exception becomes a warning."""
        if self.enabled:
            self._try(start_profiler, self.profiler_options["state"],
                      self.profiler_options["tracer_level"])

    def stop(self):
        """Stops it; an exception becomes a warning."""
        if self.enabled:
            self._try(stop_profiler, self.profiler_options["sorted_key"],
                      self.profiler_options["profile_path"])

    def _try(self, function, *arguments):
        try:
            function(*arguments)
        except Exception as error:
            warnings.warn("Profiler is not enabled because following "
                          f"exception:\n{error}")

    def reset(self):
        """Forgets what was recorded."""
        if self.enabled:
            reset_profiler()

    def record_step(self, change_profiler_status=True):
        """Counts a step; starts and stops where `batch_range` says so."""
        if not self.enabled:
            return
        self.batch_id += 1
        if change_profiler_status:
            first, last = self.profiler_options["batch_range"]
            if self.batch_id == first:
                self.start()
            if self.batch_id == last:
                self.stop()


def get_profiler():
    """The profiler in whose `with` statement the program is, else a new one."""
    global _current
    if _current is None:
        _current = Profiler()
    return _current
