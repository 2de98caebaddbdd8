# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.meta_schedule.profiler."""

import contextlib
import contextvars
import threading

from .... import _scopes
from ...._results import Results

#: The type, as the function of threading would be a scope of a tracer.
_RLock = type(threading.RLock())
_active = contextvars.ContextVar("mlir_prof.compat.tvm", default=())


class Profiler(Results):
    """Times scopes in `with` statements, which add up.

    A scope belongs to the profiler that is current where it begins: an outer one
    does not have the scopes of an inner one. Scopes of threads without a
    profiler belong to all that run."""

    def __init__(self):
        self._lock = _RLock()
        self._entered = 0
        self._session = None
        self._windows = []
        #: Parts of threads that belong to inner profilers.
        self._inner = []

    def __enter__(self):
        active = _active.get()
        with self._lock:
            self._entered += 1
            if self._entered == 1:
                self._session = _scopes.Session()
        _active.set(active + (self,))
        return self

    def __exit__(self, *exception):
        with self._lock:
            # Without an entry there is nothing to leave.
            if not self._entered:
                return
            self._entered -= 1
            active = _active.get()
            index = len(active) - 1 - active[::-1].index(self) if (
                self in active) else None
            if index is not None:
                _active.set(active[:index] + active[index + 1:])
            if self._entered:
                return
            session, self._session = self._session, None
            session.stop()
            self._windows.append(session)
        part = (threading.get_native_id(), *session.window)
        for outer in set(active[:index]) - {self}:
            outer._inner.append(part)

    @property
    def sessions(self):
        return self._windows + ([self._session] if self._session else [])

    @property
    def recording(self):
        with self._lock:
            every = _scopes.Recording.join(
                [session.read() for session in self.sessions])
            return every.without_parts(list(self._inner))

    @property
    def total_ps(self):
        return sum(session.elapsed_ps for session in self._windows)

    def get(self):
        """Seconds by name, and "Total" after the `with` statement; a scope of
        this name is "Total (scope)"."""
        seconds = super().get()
        if "Total" in seconds:
            seconds["Total (scope)"] = seconds.pop("Total")
        if self._windows:
            seconds["Total"] = self.total
        return seconds

    def table(self):
        """The table of scopes, as text."""
        if not self._windows and not super().get():
            raise ValueError(
                "The stats are empty. Please run the profiler first.")
        if not self._windows:
            raise ValueError(
                "The total time is not recorded. This method should be called "
                "only after exiting the profiler's with scope.")
        return super().table("tvm", total_ps=self.total_ps)

    @staticmethod
    def current():
        """The innermost profiler of this thread, task or coroutine; or None."""
        active = _active.get()
        return active[-1] if active else None

    @staticmethod
    @contextlib.contextmanager
    def timeit(name):
        """A scope `name`; without a profiler it does nothing."""
        with _scopes.scope(name):
            yield
