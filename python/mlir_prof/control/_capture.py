# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts and stops recorders from a program that runs."""

import os
import pathlib
import sys
import threading
import weakref

from ._controller import ControlError, Settings, make_controllers
from ._guard import Guard
from ._recording import Recording

#: Captures of this process; after a fork the child's do not record.
_captures = weakref.WeakSet()


class Capture:
    """Records this process by the recorders of its frameworks.

    start() begins, step() ends a step and begins the next one, stop() ends;
    analyze() makes one profile of all ranks. A `with` statement calls start() and
    stop(). start() and stop() may be called any number of times, and from outside
    by `mlir-prof control`. Calls that change nothing do nothing.

    output: the folder below which the recording is, as JOB/rank-RANK.
    host_tracer_level, python_tracer_level, device_tracer_level: see Settings.
    frameworks: names of controllers, or controllers; by default those of all
        frameworks that the program has imported when it starts.
    schedule: as in Profiler: the steps to record, by default all.
    rotate_steps: a window is written after so many steps, so that no more than
        these are lost if the process is killed; 0 is never.
    job, rank, world_size: by default those of the launcher or the framework. A
        job of several processes needs a name that all of them have.
    model: the MLIR module that runs, for analyze().
    listen: whether `mlir-prof control` can reach it, until close().

    Raises ControlError with a hint if a recorder cannot be started.
    """

    def __init__(self, output="runs", *, host_tracer_level=2, python_tracer_level=1,
                 device_tracer_level=1, frameworks=None, schedule=None,
                 rotate_steps=100, job=None, rank=None, world_size=None,
                 model=None, listen=True):
        self.settings = Settings(host_tracer_level, python_tracer_level,
                                 device_tracer_level)
        if not isinstance(rotate_steps, int) or rotate_steps < 0:
            raise ValueError(f"rotate_steps is {rotate_steps!r}; it is a number "
                             "from 0")
        self._recording = Recording(pathlib.Path(output).absolute(), self.settings)
        #: The number of the step, from 0.
        self.step_num = 0
        #: "idle", "recording", "waiting" for a step of the schedule, or "stopped".
        self.state = "idle"
        self._frameworks = frameworks
        self._is_recorded = _as_filter(schedule)
        self._rotate_steps = rotate_steps
        self._place = job, rank, world_size
        self._model = model
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._is_busy = False
        self._deferred = []
        self._guard = Guard(self._finish)
        self._server = None
        _captures.add(self)
        if listen:
            self._listen()

    @property
    def job_folder(self):
        """The folder of the job, or None before the first start()."""
        return self._recording.job_folder

    @property
    def folder(self):
        """The folder of this rank in that of the job, or None."""
        return self._recording.folder

    # --------------------------------------------------------------------------
    # Control
    # --------------------------------------------------------------------------

    def start(self):
        """Starts recording, with a step."""
        self._operate(self._start)

    def step(self):
        """Ends a step and begins the next one."""
        self._operate(self._next_step)

    def stop(self):
        """Stops recording. All of it is in files afterwards."""
        self._operate(self._stop)

    def analyze(self, **options):
        """Stops, and makes one profile of all ranks; `options` are those of
        analyze()."""
        from ._analysis import analyze
        self.stop()
        if self.job_folder is None:
            raise ControlError("nothing was recorded; hint: call start() first")
        options.setdefault("model", self._model)
        return analyze(self.job_folder, **options)

    def close(self):
        """Stops, and listens no longer."""
        self.stop()
        server, self._server = self._server, None
        if server is not None:
            server.detach(self)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, error, traceback):
        if error is not None:
            self._recording.record["error"] = f"{kind.__name__}: {error}"
        self.stop()

    def keras_callback(self):
        """A callback for fit() of Keras: it records while it trains, and each
        batch is a step."""
        from ._keras import make_callback
        return make_callback(self)

    def get_status(self):
        """The status that `mlir-prof control` prints, as a dictionary."""
        return {"state": self.state, "step": self.step_num, "pid": os.getpid(),
                "folder": None if self.folder is None else str(self.folder),
                "frameworks": [controller.name for controller in
                               self._recording.controllers],
                "windows": len(self._recording.record["windows"])}

    # --------------------------------------------------------------------------
    # Operations, one at a time
    # --------------------------------------------------------------------------

    def _operate(self, operation):
        """Runs an operation. In a handler that interrupted another one, it runs
        after that."""
        if os.getpid() != self._pid:
            return  # a child's copy
        with self._lock:
            if self._is_busy:
                self._deferred.append(operation)
                return
            self._is_busy = True
            try:
                operation()
            finally:
                self._is_busy = False
                while self._deferred:
                    self._operate(self._deferred.pop(0))

    def _is_running(self):
        return self.state in ("recording", "waiting")

    def _start(self):
        if self._is_running():
            return
        recording = self._recording
        recording.controllers = make_controllers(self._frameworks, self.settings)
        if not recording.controllers:
            raise ControlError("no framework was imported that could be recorded; "
                               "hint: import it before start(), or name it in "
                               "frameworks=")
        recording.make_folder(*self._place)
        self._guard.install()
        try:
            self._enter_step()
        except BaseException:
            self._guard.remove()
            self.state = "stopped"
            raise
        recording.write(self.state)

    def _enter_step(self):
        if not self._is_recorded(self.step_num):
            self.state = "waiting"
            return
        if not self._recording.window:
            self._recording.open_window()
            self.state = "recording"
            self._recording.write(self.state)
        self._recording.begin_step(self.step_num)

    def _next_step(self):
        if not self._is_running():
            return
        window = self._recording.window
        if window:
            self._recording.end_step(self.step_num)
        self.step_num += 1
        if window:
            is_recorded = self._is_recorded(self.step_num)
            if not is_recorded or len(window["steps"]) == self._rotate_steps:
                self._close_window(is_last=not is_recorded)
        self._enter_step()

    def _close_window(self, is_last):
        try:
            self._recording.close_window(is_last)
        finally:
            self._recording.write(self.state)

    def _stop(self):
        if not self._is_running():
            return
        try:
            if self._recording.window:
                self._recording.end_step()
                self._close_window(is_last=True)
        finally:
            self.state = "stopped"
            self._recording.write(self.state)
            self._guard.remove()

    def _finish(self, reason, then=lambda: None):
        """The process ends; then() goes on with that."""
        def finish():
            try:
                if reason:
                    self._recording.record.setdefault("error", reason)
                self._stop()
            except Exception as error:  # must not hide why the process ends
                print(f"mlir_prof.Capture: {error}", file=sys.stderr)
            then()
        self._operate(finish)

    def _listen(self):
        from ._server import attach
        try:
            self._server = attach(self)
        except (OSError, ControlError) as error:
            import warnings
            warnings.warn(f"mlir-prof control cannot reach this process: {error}",
                          RuntimeWarning, stacklevel=3)


def _as_filter(schedule):
    """A function that tells whether a step is recorded."""
    if schedule is None:
        return lambda step: True
    from .._schedule import RECORDING, as_schedule
    get_state = as_schedule(schedule)
    return lambda step: get_state(step) in RECORDING


def _after_fork():
    for capture in _captures:
        capture.state = "stopped"
        capture._server = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
