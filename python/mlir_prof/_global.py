# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The switch of the process, which programs in C++ turn as well."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import typing

from . import _scopes
from ._files import PathLike
from ._results import Results

#: Numbers are those of the runtime.
STATES = {"CPU": 1, "GPU": 2, "All": 3}
TRACER_OPTIONS = {"Default": 0, "OpDetail": 1, "AllOpDetail": 2}
SORTED_KEYS = (None, "default", "calls", "total", "max", "min", "ave")
#: The roles that are left out, as bits: inner parts of ops, and ops by their own
#: names.
_LEFT_OUT = {"Default": 0b0110, "OpDetail": 0b0100, "AllOpDetail": 0}

_lock = threading.RLock()


class SwitchResults(Results):
    """Scopes between start_profiler() and stop_profiler()."""

    def __init__(self, session: typing.Any, state: str, option: str) -> None:
        self._session = session
        self.state, self.tracer_option = state, option

    @property
    def sessions(self) -> typing.List[typing.Any]:
        return [self._session]

    @property
    def recording(self) -> typing.Any:
        # Another session may have asked for more.
        return self._session.read().without_roles(_LEFT_OUT[self.tracer_option])


def check(name: str, value: typing.Any, allowed: typing.Collection[typing.Any]
          ) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it is one of "
                         f"{', '.join(map(repr, allowed))}")


def is_profiler_enabled() -> bool:
    """Whether the switch of the process is on."""
    return bool(_scopes.switch_state()[0])


def start_profiler(state: str = "All", tracer_option: str = "Default") -> None:
    """Turns the switch of the process on; does nothing while it is.

    `state` is "CPU", "GPU" or "All", the place that reports tell: with the
    latter two, devices are recorded where there is a source. `tracer_option`
    selects rows: "Default" (types of ops), "OpDetail" (also their inner parts,
    such as compute), or "AllOpDetail" (also a row per name of an op)."""
    with _lock:
        if is_profiler_enabled():
            return
        check("state", state, STATES)
        check("tracer_option", tracer_option, TRACER_OPTIONS)
        error = _scopes.switch_on(STATES[state], TRACER_OPTIONS[tracer_option])
    if error == errno.ENODEV:
        print(f"note: state {state}: no source of device scopes; only the host "
              "is recorded", file=sys.stderr)


def reset_profiler() -> None:
    """Forgets what was recorded. Scopes that are open are kept whole."""
    with _lock:
        _scopes.switch_reset()


def print_table(table: typing.Any) -> None:
    """Prints a table, and its notes to stderr."""
    print(table, end="", flush=True)
    for note in table.notes:
        print(f"note: {note}", file=sys.stderr)


def check_path(path: PathLike) -> None:
    """Raises an OSError unless a file can be made there."""
    path = os.path.abspath(path)
    folder = os.path.dirname(path)
    for failure, has_failed in ((errno.EISDIR, os.path.isdir(path)),
                                (errno.ENOENT, not os.path.exists(folder)),
                                (errno.ENOTDIR, not os.path.isdir(folder)),
                                (errno.EACCES, not os.access(folder, os.W_OK))):
        if has_failed:
            raise OSError(failure, os.strerror(failure), path)


def write_mlprof(results: Results, path: PathLike) -> str:
    """Writes a profile, or what it can be made of; returns the path."""
    path = os.fspath(path)
    try:
        with results.profile() as profile:
            profile.save(path)
    except RuntimeError as error:
        stream = path.removesuffix(".mlprof") + ".scopes"
        with open(stream, "wb") as file:
            file.write(results.sessions[0].copy())
        print(f"note: {path} is not written: {error}; {stream} has the scopes: "
              f"mlir-prof import {stream} -o {path}", file=sys.stderr)
        return stream
    return path


def finish(write: typing.Callable[[Results, PathLike], typing.Any],
           sorted_key: typing.Optional[str],
           profile_path: typing.Optional[PathLike],
           prepare: typing.Callable[[PathLike], None] = check_path
           ) -> typing.Optional[SwitchResults]:
    """Turns the switch off, prints the report and writes a file. An argument that
    cannot be used is an error before: the recording goes on."""
    with _lock:
        state, detail = _scopes.switch_state()
        if not state:
            return None
        check("sorted_key", sorted_key, SORTED_KEYS)
        if profile_path is not None:
            prepare(profile_path)
        session = _scopes.switch_off()
    if session is None:
        return None
    names = {number: name for name, number in STATES.items()}
    options = {number: name for name, number in TRACER_OPTIONS.items()}
    results = SwitchResults(session, names[state], options[detail])
    print_table(results.table("paddle-report", sort=sorted_key or "default",
                              place=results.state))
    if profile_path is not None:
        write(results, profile_path)
    return results


def stop_profiler(sorted_key: typing.Optional[str] = None,
                  profile_path: typing.Optional[PathLike] = None
                  ) -> typing.Optional[SwitchResults]:
    """Turns the switch of the process off, prints the Profiling Report, and
    writes `profile_path`, a profile under exactly this name; does nothing if it
    is off. If the path cannot be written, it is an error, and the switch stays
    on.

    `sorted_key` is None or "default" (the order in which scopes ended first),
    "calls", "total", "max", "min" or "ave". Returns the results, which have the
    methods of a Profiler's results."""
    return finish(write_mlprof, sorted_key, profile_path)


@contextlib.contextmanager
def profiler(state: str = "All", sorted_key: typing.Optional[str] = None,
             profile_path: typing.Optional[PathLike] = None,
             tracer_option: str = "Default") -> typing.Iterator[None]:
    """start_profiler() and stop_profiler() around a `with` statement."""
    check("sorted_key", sorted_key, SORTED_KEYS)
    start_profiler(state, tracer_option)
    try:
        yield
    finally:
        stop_profiler(sorted_key, profile_path)
