# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions for Profiler's on_trace_ready, which write each window to a file."""

from __future__ import annotations

import datetime
import os
import socket
import typing

from ._files import PathLike

#: Called with the profiler at the end of each window.
Handler = typing.Callable[[typing.Any], None]


def make_file_name(worker: typing.Optional[str], suffix: str) -> str:
    """The name of a worker's file: who made it, and when."""
    worker = worker or f"host_{socket.gethostname()}pid_{os.getpid()}"
    time = datetime.datetime.now().strftime("%Y_%m_%d_%H_%M_%S_%f")
    return f"{worker}_time_{time}.{suffix}"


def make_handler(folder: PathLike, worker: typing.Optional[str], suffix: str,
                 export: typing.Callable[[typing.Any, str], typing.Any]) -> Handler:
    """A handler that calls export(profiler, path)."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise RuntimeError(f"the folder {folder} cannot be made: "
                           f"{error.strerror}") from error

    def handler(profiler: typing.Any) -> None:
        path = os.path.join(folder, make_file_name(worker, suffix))
        export(profiler, path)
    return handler


def _make_exporter(format: str) -> typing.Callable[[typing.Any, str], typing.Any]:
    return lambda profiler, path: profiler.export(path, format)


def export_chrome(folder: PathLike, worker: typing.Optional[str] = None) -> Handler:
    """Writes each window as a Chrome trace into `folder`."""
    return make_handler(folder, worker, "trace.json", _make_exporter("chrome-json"))


def export_perfetto(folder: PathLike, worker: typing.Optional[str] = None) -> Handler:
    """Writes each window as a Perfetto trace into `folder`."""
    return make_handler(folder, worker, "pftrace", _make_exporter("perfetto"))


def export_paddle_pb(folder: PathLike, worker: typing.Optional[str] = None) -> Handler:
    """Writes each window as Paddle's protobuf into `folder`."""
    return make_handler(folder, worker, "paddle_trace.pb",
                        _make_exporter("paddle-pb"))


def export_mlprof(folder: PathLike, worker: typing.Optional[str] = None) -> Handler:
    """Writes each window as a profile *.mlprof into `folder`."""
    def export(profiler: typing.Any, path: str) -> None:
        with profiler.profile() as profile:
            profile.save(path)
    return make_handler(folder, worker, "mlprof", export)
