# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paddle.profiler.utils."""

import contextlib
import enum
import warnings

from .... import _hooks
from ...._scopes import scope
from ...._types import Type

#: Types that programs in Python may record.
_ALLOWED = ("Dataloader", "ProfileStep", "Forward", "Backward", "Optimization",
            "PythonOp", "PythonUserDefined")


# Categories of ours that follow the last one are unknown to Paddle.
TracerEventType = enum.Enum(
    "TracerEventType",
    {kind.name: kind.value for kind in Type if kind <= Type.StaticKernelLaunch},
    module=__name__)
TracerEventType.__doc__ = "The category of a scope."


class RecordEvent(contextlib.ContextDecorator):
    """A scope: a context manager, a decorator, begin() and end()."""

    def __init__(self, name, event_type=TracerEventType.PythonUserDefined):
        self.name = name
        self.event_type = event_type
        if getattr(event_type, "name", None) in _ALLOWED:
            self._scope = scope(name, event_type.value)
        else:
            self._scope = None

    def begin(self):
        """Begins it; it may be open several times."""
        if self._scope is None:
            warnings.warn(f"{self.event_type} is not a type that a program in "
                          f"Python records; it is one of {', '.join(_ALLOWED)}")
            return
        self._scope.begin()

    def end(self):
        """Ends the last one that was begun."""
        if self._scope is not None:
            self._scope.end()

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, *exception):
        self.end()

    def __call__(self, function):
        if self._scope is not None:
            return self._scope(function)
        return super().__call__(function)


def wrap_optimizers():
    """Makes step() of the optimizers of PyTorch scopes of type Optimization."""
    _hooks.wrap_optimizers()


@contextlib.contextmanager
def _nvprof_range(iter_id, start, end, exit_after_prof=True):
    """Records the iterations from `start` until before `end` with the switch of
    the process; Paddle leaves the program then if `exit_after_prof`."""
    from .... import _global
    if iter_id == start:
        _global.start_profiler("GPU")
    try:
        with scope(str(iter_id)):
            yield
    finally:
        if iter_id == end - 1:
            _global.stop_profiler()
            if exit_after_prof:
                raise SystemExit(0)


def job_schedule_profiler_range(iter_id, start, end, exit_after_prof=True):
    """The same under its later name."""
    return _nvprof_range(iter_id, start, end, exit_after_prof)


def in_profiler_mode():
    """Whether scopes are recorded."""
    from ...._scopes import is_on
    return is_on()
