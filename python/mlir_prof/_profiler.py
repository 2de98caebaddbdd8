# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records scopes."""

from __future__ import annotations

import contextvars
import operator
import threading
import typing

from . import _scopes, _tasks, _tracing
from ._files import PathLike
from ._results import Results
from ._schedule import RECORDING, Schedule, as_schedule
from ._timer import Timer, check_samples
from ._types import ScopeTable, State, Type
from ._utilization import Utilization

#: Profilers that run, from the outermost, in this thread, task or coroutine.
_active: contextvars.ContextVar[typing.Tuple[Profiler, ...]] = (
    contextvars.ContextVar("mlir_prof.active", default=()))

_EVENTS, _STATISTICS = 1, 2
#: The type, as the function of threading would be a scope of a tracer.
_RLock = type(threading.RLock())


def _check_range(name: str, value: typing.SupportsIndex, least: int, most: int
                 ) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name} is {value!r}; it is from {least} to {most}")
    return number


def _list_types(types: typing.Optional[typing.Iterable[int]]) -> int:
    """The bits of types."""
    bits = 0
    for kind in types or ():
        bits |= 1 << _check_range("a type of scopes", kind, 0, 63)
    return bits


#: Bits of what scopes count.
_COUNTS = {"allocations": 1, "cpu_time": 2, "counters": 4}


def _list_counts(names: typing.Iterable[str]) -> int:
    bits = 0
    for name in names:
        if name not in _COUNTS:
            raise ValueError(f"scopes do not count {name!r}; hint: one of "
                             f"{', '.join(_COUNTS)}")
        bits |= _COUNTS[name]
    return bits


class Profiler(Results):
    """Records the scopes of all threads between start() and stop(), which a
    `with` statement calls, or in the steps that a schedule selects.

    It may be started any number of times, also while it runs, and adds up. All
    profilers that run have all scopes.

    events, statistics: what is kept: each scope, or calls, total, self time,
        minimum, maximum and percentiles of each name and thread.
    level: scopes of higher levels, which go to 255, are not recorded
        (host_tracer_level is the same; one of them is given); types: only
        these (mlir_prof.Type); sample_every: each n-th, from 1.
    ring: only the last so many records of a thread are kept; 0 is all.
    path: a file that is written meanwhile, and survives the process.
    count: amounts that scopes count too: "allocations", "cpu_time", "counters".
    schedule: a function from the step to its State, such as schedule(), or two
        numbers: the first step that is recorded, and the first that is not.
    on_trace_ready: called with the profiler at the end of each window; then the
        profiler keeps the last window only.
    steps: whether there are scopes ProfileStep#N; by default with a schedule.
    timer_only: nothing but the timer of steps runs.
    python_tracer_level: above 0, calls of Python functions are scopes.
    device_tracer_level: above 0, devices are recorded, where there is a source.
    follow: what is followed meanwhile, as in follow().
    """

    def __init__(self, *, schedule: typing.Union[
                     None, Schedule, typing.Tuple[int, int]] = None,
                 on_trace_ready: typing.Optional[
                     typing.Callable[[typing.Any], typing.Any]] = None,
                 events: bool = True, statistics: bool = False,
                 level: typing.Optional[int] = None,
                 types: typing.Optional[typing.Iterable[int]] = None,
                 sample_every: int = 1, ring: int = 0,
                 path: typing.Optional[PathLike] = None,
                 count: typing.Iterable[str] = (),
                 steps: typing.Optional[bool] = None, timer_only: bool = False,
                 host_tracer_level: typing.Optional[int] = None,
                 python_tracer_level: int = 0, device_tracer_level: int = 0,
                 follow: typing.Iterable[str] = ("asyncio", "executors")) -> None:
        self._schedule = as_schedule(schedule)
        self._on_trace_ready = on_trace_ready
        if level is not None and host_tracer_level is not None:
            raise ValueError("level and host_tracer_level are the same; hint: "
                             "give one of them")
        if level is None:
            level = 1 if host_tracer_level is None else host_tracer_level
        self._options: typing.Dict[str, typing.Any] = dict(
            modes=_EVENTS * bool(events) | _STATISTICS * bool(statistics),
            level=_check_range("level", level, 0, 255),
            types=_list_types(types),
            ring_records=_check_range("ring", ring, 0, 1 << 32),
            sample_every=_check_range("sample_every", sample_every, 1,
                                      (1 << 32) - 1),
            path=path, counting=_list_counts(count),
            devices=_check_range("device_tracer_level", device_tracer_level, 0,
                                 1))
        if not self._options["modes"]:
            raise ValueError("neither events nor statistics would be kept")
        self._python_level = _check_range("python_tracer_level",
                                          python_tracer_level, 0, 1)
        self._has_steps = schedule is not None if steps is None else steps
        self._is_timer_only = timer_only
        self._follows = tuple(follow or ())
        self._lock = _RLock()
        self._starts = 0
        self._session: typing.Any = None
        self._step_scope: typing.Optional[_scopes.scope] = None
        self._followed: typing.Optional[_tasks.follow] = None
        self._is_tracing = False
        #: Sessions that have ended, and stream files and recordings that other
        #: processes sent.
        self._windows: typing.List[typing.Any] = []
        self._from_processes: typing.List[typing.Any] = []
        #: The number of the step, from 0, and its state.
        self.step_num = 0
        self.state = State.CLOSED
        self.timer = Timer()
        self._utilization = Utilization()

    # --------------------------------------------------------------------------
    # Running
    # --------------------------------------------------------------------------

    def start(self) -> None:
        """Starts it; calls nest."""
        with self._lock:
            if not self._starts:
                self._begin_run()
            self._starts += 1
        _active.set(_active.get() + (self,))

    def stop(self) -> None:
        """Stops it once it was called as often as start(). Further calls do
        nothing."""
        active = _active.get()
        for index in reversed(range(len(active))):
            if active[index] is self:
                _active.set(active[:index] + active[index + 1:])
                break
        with self._lock:
            if not self._starts:
                return
            self._starts -= 1
            if not self._starts:
                self._end_run()

    def __enter__(self) -> Profiler:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    @property
    def is_running(self) -> bool:
        """Whether it was started more often than stopped."""
        return self._starts != 0

    @staticmethod
    def current() -> typing.Optional[Profiler]:
        """The innermost profiler that this thread, task or coroutine started;
        or None."""
        # One may have been stopped elsewhere.
        return next((profiler for profiler in reversed(_active.get())
                     if profiler.is_running), None)

    def _begin_run(self) -> None:
        self.timer.begin()
        self.state = self._schedule(self.step_num)
        if self._is_timer_only:
            return
        # First, so that a tracer does not see it.
        self._followed = _tasks.follow(*self._follows) if self._follows else None
        try:
            if self.state in RECORDING:
                self._open_window()
        except BaseException:
            if self._followed:
                self._followed.close()
            raise
        _tasks.collectors.append(self._collect)
        if self._has_steps:
            self._begin_step()

    def _end_run(self) -> None:
        self.timer.end()
        if self._is_timer_only:
            return
        self._end_step()
        _tasks.collectors.remove(self._collect)
        try:
            if self._session:
                self._close_window()
        finally:
            if self._followed:
                self._followed.close()
            self.state = State.CLOSED

    def _begin_step(self) -> None:
        self._step_scope = _scopes.scope(f"ProfileStep#{self.step_num}",
                                         Type.ProfileStep)
        self._step_scope.begin()

    def _end_step(self) -> None:
        if self._step_scope:
            self._step_scope.end()
            self._step_scope = None

    def step(self, num_samples: typing.Optional[int] = None) -> None:
        """Ends a step and begins the next one. `num_samples` is the number of
        samples in the step that ends, for the timer."""
        with self._lock:
            if not self._starts:
                return
            check_samples(num_samples)
            self.timer.step(num_samples)
            if self._is_timer_only:
                self.step_num += 1
                return
            self._end_step()
            before = self.state
            self.step_num += 1
            self.state = self._schedule(self.step_num)
            # A window ends where it should, or where the schedule leaves it.
            if self._session and (before == State.RECORD_AND_RETURN or
                                  self.state not in RECORDING):
                self._close_window()
            if not self._session and self.state in RECORDING:
                self._open_window()
            self._has_steps = True
            self._begin_step()

    def step_info(self, unit: typing.Optional[str] = None) -> str:
        """Averages of the steps since the last call, as text."""
        return self.timer.step_info(unit)

    def _open_window(self) -> None:
        self._utilization.start()
        if self._python_level:
            _tracing.begin()
            self._is_tracing = True
        self._session = _scopes.Session(**self._options)

    def _close_window(self) -> None:
        if self._is_tracing:
            self._is_tracing = False
            _tracing.end()
        session, self._session = self._session, None
        session.stop()
        self._utilization.stop()
        if self._on_trace_ready:
            self._windows.clear()
        self._windows.append(session)
        if self._on_trace_ready:
            self._on_trace_ready(self)
            self._from_processes.clear()

    def _collect(self, stream: bytes, recording: typing.Any) -> None:
        # Work without scopes is not a run.
        if self._session and not recording.is_empty:
            self._from_processes.append((stream, recording))

    def reset(self) -> None:
        """Forgets what was recorded; open scopes remain open."""
        with self._lock:
            self._windows.clear()
            self._from_processes.clear()
            if self._session:
                self._session.reset()

    def summary(self, **options: typing.Any) -> ScopeTable:
        """The table of style "paddle-summary"."""
        return super().summary(
            process_utilization=self._utilization.process,
            system_utilization=self._utilization.system, **options)

    @property
    def sessions(self) -> typing.List[typing.Any]:
        """All windows, the running one last."""
        return self._windows + ([self._session] if self._session else [])

    @property
    def recording(self) -> typing.Any:
        """All that was recorded, as one object for the reports."""
        with self._lock:
            return _scopes.Recording.join(
                [session.read() for session in self.sessions] +
                [recording for _, recording in self._from_processes])

    @property
    def streams(self) -> typing.List[bytes]:
        """The recordings as bytes: those of this process, then those of work in
        others."""
        with self._lock:
            return super().streams + [stream for stream, _ in
                                      self._from_processes]


def timeit(name: str) -> _scopes.scope:
    """A scope `name`, for `with`."""
    return _scopes.scope(name)
