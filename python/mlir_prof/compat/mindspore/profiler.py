# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mindspore.Profiler over mlir_prof.Capture."""

import enum
import warnings

from ...control import Capture, analyze

#: Arguments of MindSpore's class that choose what its own devices record. The
#: recorders here record what they can.
IGNORED = frozenset([
    "activities", "aicore_metrics", "data_process", "data_simplification",
    "hbm_ddr", "host_sys", "l2_cache", "mstx", "on_trace_ready", "op_time",
    "parallel_strategy", "pcie", "profile_communication", "profile_framework",
    "profile_memory", "record_shapes", "schedule", "sync_enable", "sys",
    "timeline_limit"])


class ProfilerLevel(enum.Enum):
    """How much a device records."""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


def _get_device_level(level):
    """The device_tracer_level of one of MindSpore's levels, or of its number."""
    text = str(getattr(level, "value", level))
    if text == "LevelNone":
        return 0
    number = text.removeprefix("Level")
    if number not in ("0", "1", "2"):
        raise ValueError(f"profiler_level is {level!r}; it is one of "
                         "ProfilerLevel")
    return int(number) + 1


class Profiler:
    """Records the program from the construction on, or from start().

    output_path: the folder below which the recording is.
    start_profile: whether it starts at once.
    profiler_level: how much devices record.
    with_stack: whether calls of Python functions are recorded.

    Other arguments of MindSpore's class are ignored with a warning."""

    def __init__(self, output_path="./data", *, start_profile=True,
                 profiler_level=None, with_stack=False, **others):
        for name in others:
            if name not in IGNORED:
                raise TypeError(f"Profiler does not have an argument {name!r}")
            warnings.warn(f"the argument {name} of Profiler is ignored",
                          UserWarning, stacklevel=2)
        level = 1 if profiler_level is None else _get_device_level(profiler_level)
        #: The mlir_prof.Capture behind it.
        self.capture = Capture(output_path, python_tracer_level=int(with_stack),
                               device_tracer_level=level)
        if start_profile:
            self.start()

    @property
    def _is_running(self):
        return self.capture.state in ("recording", "waiting")

    def start(self):
        """Starts recording. Raises RuntimeError if it runs."""
        if self._is_running:
            raise RuntimeError("The profiler has already started.")
        self.capture.start()

    def step(self):
        """Ends a step and begins the next one."""
        self.capture.step()

    def stop(self):
        """Stops recording. Raises RuntimeError if it does not run."""
        if not self._is_running:
            raise RuntimeError("The profiler has not started, so can not stop.")
        self.capture.stop()

    def analyse(self, offline_path=None, pretty=False, step_list=None,
                mode="sync"):
        """Stops if it runs; returns an Analysis of what all ranks recorded. The
        last three arguments, which MindSpore has, change nothing."""
        if self._is_running:
            self.capture.stop()
        if offline_path is not None:
            return analyze(offline_path)
        return self.capture.analyze()

    @classmethod
    def offline_analyse(cls, path, pretty=False, step_list=None,
                        data_simplification=True):
        """An Analysis of a folder that was recorded earlier."""
        return analyze(path)

    def __enter__(self):
        if not self._is_running:
            self.start()
        return self

    def __exit__(self, kind, error, traceback):
        self.capture.__exit__(kind, error, traceback)
