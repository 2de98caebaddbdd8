# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records scopes, and reports on them."""

import contextvars
import datetime
import os
import pathlib
import shutil
import socket
import tempfile
import threading

from . import _scopes, _tasks, _tracing
from ._schedule import RECORDING, as_schedule
from ._timer import Timer
from ._types import Event, Row, State, Thread, Type
from .tool import run

#: Profilers that run, from the outermost, in this thread, task or coroutine.
_active = contextvars.ContextVar("mlir_prof.active", default=())

_EVENTS, _STATISTICS = 1, 2


def _list_types(types):
    """The bits of types."""
    bits = 0
    for kind in types or ():
        bits |= 1 << int(kind)
    return bits


class Profiler:
    """Records the scopes of all threads between start() and stop(), which a
    `with` statement calls, or in the steps that a schedule selects.

    It may be started any number of times, also while it runs, and adds up. All
    profilers that run have all scopes.

    events, statistics: what is kept: each scope, or calls, total, self time,
        minimum, maximum and percentiles of each name and thread.
    level: scopes of higher levels are not recorded (host_tracer_level is the
        same); types: only these (mlir_prof.Type); sample_every: each n-th.
    ring: only the last so many records of a thread are kept.
    path: a file that is written meanwhile, and survives the process.
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

    def __init__(self, *, schedule=None, on_trace_ready=None, events=True,
                 statistics=False, level=1, types=None, sample_every=0, ring=0,
                 path=None, steps=None, timer_only=False,
                 host_tracer_level=None, python_tracer_level=0,
                 device_tracer_level=0, follow=("asyncio", "executors")):
        self._schedule = as_schedule(schedule)
        self._on_trace_ready = on_trace_ready
        self._options = dict(
            modes=_EVENTS * bool(events) | _STATISTICS * bool(statistics),
            level=level if host_tracer_level is None else host_tracer_level,
            types=_list_types(types), ring_records=ring,
            sample_every=sample_every, path=path)
        if not self._options["modes"]:
            raise ValueError("neither events nor statistics would be kept")
        self._python_level = python_tracer_level
        self.device_tracer_level = device_tracer_level
        self._has_steps = schedule is not None if steps is None else steps
        self._is_timer_only = timer_only
        self._follows = tuple(follow or ())
        self._lock = threading.RLock()
        self._starts = 0
        self._session = self._step_scope = self._followed = None
        self._is_tracing = False
        #: Sessions that have ended, with what other processes sent.
        self._windows = []
        self._from_processes = []
        #: The number of the step, from 0, and its state.
        self.step_num = 0
        self.state = State.CLOSED
        self.timer = Timer()

    # --------------------------------------------------------------------------
    # Running
    # --------------------------------------------------------------------------

    def start(self):
        """Starts it; calls nest."""
        with self._lock:
            self._starts += 1
            if self._starts == 1:
                self._begin_run()
        _active.set(_active.get() + (self,))

    def stop(self):
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

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exception):
        self.stop()

    @property
    def is_running(self):
        return self._starts != 0

    @staticmethod
    def current():
        """The innermost profiler that this thread, task or coroutine started;
        or None."""
        active = _active.get()
        return active[-1] if active else None

    def _begin_run(self):
        self.timer.begin()
        self.state = self._schedule(self.step_num)
        if self._is_timer_only:
            return
        self._followed = _tasks.follow(*self._follows) if self._follows else None
        _tasks.collectors.append(self._collect)
        if self.state in RECORDING:
            self._open_window()
        if self._has_steps:
            self._begin_step()

    def _end_run(self):
        self.timer.end()
        if self._is_timer_only:
            return
        self._end_step()
        if self._session:
            self._close_window()
        self.state = State.CLOSED
        _tasks.collectors.remove(self._collect)
        if self._followed:
            self._followed.close()

    def _begin_step(self):
        self._step_scope = _scopes.scope(f"ProfileStep#{self.step_num}",
                                         Type.ProfileStep)
        self._step_scope.begin()

    def _end_step(self):
        if self._step_scope:
            self._step_scope.end()
            self._step_scope = None

    def step(self, num_samples=None):
        """Ends a step and begins the next one. `num_samples` is the number of
        samples in the step that ends, for the timer."""
        with self._lock:
            if not self._starts:
                return
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

    def step_info(self, unit=None):
        """Averages of the steps since the last call, as text."""
        return self.timer.step_info(unit)

    def _open_window(self):
        self._session = _scopes.Session(**self._options)
        if self._python_level:
            _tracing.begin()
            self._is_tracing = True

    def _close_window(self):
        if self._is_tracing:
            self._is_tracing = False
            _tracing.end()
        self._session.stop()
        if self._on_trace_ready:
            self._windows.clear()
        self._windows.append(self._session)
        self._session = None
        if self._on_trace_ready:
            self._on_trace_ready(self)
            self._from_processes.clear()

    def _collect(self, recording):
        if self._session:
            self._from_processes.append(recording)

    def reset(self):
        """Forgets what was recorded; open scopes remain open."""
        with self._lock:
            self._windows.clear()
            self._from_processes.clear()
            if self._session:
                self._session.reset()

    # --------------------------------------------------------------------------
    # Results, also while it runs
    # --------------------------------------------------------------------------

    @property
    def sessions(self):
        """All windows, the running one last."""
        return self._windows + ([self._session] if self._session else [])

    @property
    def recording(self):
        """All that was recorded, as one object for the reports."""
        with self._lock:
            return _scopes.Recording.join(
                [session.read() for session in self.sessions] +
                self._from_processes)

    @property
    def total_ps(self):
        """The time that was recorded."""
        return sum(session.elapsed_ps for session in self.sessions)

    @property
    def total(self):
        """The same in seconds."""
        return self.total_ps / 1e12

    @property
    def losses(self):
        """Counts of what could not be kept, by name."""
        counts = {}
        for name, count in self.recording.losses():
            counts[name] = counts.get(name, 0) + count
        return counts

    def events(self):
        """A list of Event, by thread in the order of ends."""
        return [Event(*event) for event in self.recording.events()]

    def threads(self):
        """A list of Thread."""
        return [Thread(*thread) for thread in self.recording.threads()]

    def rows(self, by="name", merge_threads=True):
        """A list of Row by "name" or "path"; a parent comes before its
        children."""
        if by not in ("name", "path"):
            raise ValueError(f"rows are by name or by path, not by {by!r}")
        return [Row(*row) for row in self.recording.rows(
            by_path=by == "path", merges_threads=merge_threads)]

    def get_ns(self):
        """Nanoseconds by name: totals of all scopes, those inside included."""
        sums = {}
        for row in self.rows():
            sums[row.name] = sums.get(row.name, 0) + row.total_ps
        return {name: round(ps / 1000) for name, ps in sums.items()}

    def get(self):
        """Seconds by name."""
        return {name: ns / 1e9 for name, ns in self.get_ns().items()}

    # --------------------------------------------------------------------------
    # Files and the tool
    # --------------------------------------------------------------------------

    def write(self, folder):
        """Writes stream files, which `mlir-prof import` reads, into a folder;
        returns their paths."""
        paths = []
        for index, session in enumerate(self.sessions):
            path = pathlib.Path(folder) / f"{index}.scopes"
            path.write_bytes(session.copy())
            paths.append(path)
        return paths

    def profile(self, *options):
        """A Profile, made by `mlir-prof import` with `options`."""
        return Profile(self, options)

    def export(self, path, format="chrome"):
        """Writes the recording in a format of `mlir-prof export`."""
        with self.profile() as profile:
            profile.export(path, format)


class Profile:
    """A profile for every verb of the tool; save() keeps it."""

    def __init__(self, profiler, options=()):
        self._folder = tempfile.mkdtemp(prefix="mlir-prof-")
        #: The file *.mlprof; it is removed with the object.
        self.path = os.path.join(self._folder, "scopes.mlprof")
        try:
            streams = profiler.write(self._folder)
            run("import", *streams, "--keep-events", *options, "-o", self.path)
        except BaseException:
            self.close()
            raise

    def close(self):
        """Removes the file."""
        shutil.rmtree(self._folder, ignore_errors=True)

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def save(self, path):
        """Copies the file."""
        shutil.copyfile(self.path, path)

    def report(self, *options, by="scope"):
        """The output of `mlir-prof report`."""
        return run("report", self.path, f"--by={by}", *options)

    def export(self, path, format, *options):
        """Runs `mlir-prof export`."""
        run("export", self.path, f"--format={format}", *options, "-o", path)

    def diff(self, other, *options):
        """The output of `mlir-prof diff` to another Profile, or to a file."""
        return run("diff", self.path, getattr(other, "path", other), *options)


def timeit(name):
    """A scope `name`, for `with`."""
    return _scopes.scope(name)


# ------------------------------------------------------------------------------
# Handlers for on_trace_ready
# ------------------------------------------------------------------------------


def make_file_name(worker, suffix):
    """The name of a worker's file: who made it, and when."""
    worker = worker or f"host_{socket.gethostname()}pid_{os.getpid()}"
    time = datetime.datetime.now().strftime("%Y_%m_%d_%H_%M_%S_%f")
    return f"{worker}_time_{time}.{suffix}"


def make_handler(folder, worker, suffix, export):
    """A handler that calls export(profiler, path)."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise RuntimeError(f"the folder {folder} cannot be made: "
                           f"{error.strerror}") from error

    def handler(profiler):
        path = os.path.join(folder, make_file_name(worker, suffix))
        export(profiler, path)
    return handler


def _make_exporter(format):
    return lambda profiler, path: profiler.export(path, format)


def export_chrome(folder, worker=None):
    """Writes each window as a Chrome trace into `folder`."""
    return make_handler(folder, worker, "trace.json", _make_exporter("chrome"))


def export_perfetto(folder, worker=None):
    """Writes each window as a Perfetto trace into `folder`."""
    return make_handler(folder, worker, "pftrace", _make_exporter("perfetto"))


def export_paddle_pb(folder, worker=None):
    """Writes each window as Paddle's protobuf into `folder`."""
    return make_handler(folder, worker, "paddle_trace.pb",
                        _make_exporter("paddle-pb"))


def export_mlprof(folder, worker=None):
    """Writes each window as a profile *.mlprof into `folder`."""
    def export(profiler, path):
        with profiler.profile() as profile:
            profile.save(path)
    return make_handler(folder, worker, "mlprof", export)
