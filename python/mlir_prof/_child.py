# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool for a long time: with progress, notes and Ctrl-C."""

from __future__ import annotations

import json
import logging
import os
import queue
import re
import signal
import subprocess
import threading
import typing

from ._progress import Bar
from .tool import ToolError, find_tool

logger = logging.getLogger("mlir_prof")

_PROGRESS = '{"schema":"mlir-prof.progress/'
_MESSAGE = re.compile(r"(?:mlir-prof|[^ ]+): (note|warning|remark): (.*)", re.DOTALL)
_LEVELS = {"note": logging.INFO, "remark": logging.INFO,
           "warning": logging.WARNING}


class Result(typing.NamedTuple):
    """How a run of the tool ended."""

    output: str
    #: Whether the user stopped it; what it had done is kept.
    was_stopped: bool


class _Messages:
    """Standard error of the tool: notes go to the log, errors are kept."""

    def __init__(self) -> None:
        self.errors: typing.List[str] = []
        self._last: typing.Optional[typing.Tuple[int, typing.List[str]]] = None

    def add(self, line: str) -> None:
        match = _MESSAGE.match(line)
        if line.startswith(" ") and self._last:
            self._last[1].append(line)
            return
        self.finish()
        if match:
            self._last = _LEVELS[match[1]], [match[2]]
        elif line:
            self.errors.append(line)

    def finish(self) -> None:
        if self._last:
            logger.log(self._last[0], "%s", "\n".join(self._last[1]))
            self._last = None


def _read(stream: typing.IO[str], lines: "queue.SimpleQueue[typing.Optional[str]]"
          ) -> None:
    for line in stream:
        lines.put(line.rstrip("\n"))
    lines.put(None)


def _collect(stream: typing.IO[str], parts: typing.List[str]) -> None:
    parts.append(stream.read())


def _report(line: str, bar: Bar) -> None:
    document = json.loads(line)
    bar.note(f"{document['trials']} tried, {document['kept']} kept, time "
             f"{document['ratio_ppm'] / 1e6:.3f}: {document['phase']}")


class _Child:
    """The program in a session of its own: only this object passes signals on, so
    that one Ctrl-C is one signal."""

    def __init__(self, command: typing.Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True)
        assert self.process.stdout and self.process.stderr
        self.lines: queue.SimpleQueue[typing.Optional[str]] = queue.SimpleQueue()
        self.output: typing.List[str] = []
        self._threads = [
            threading.Thread(target=_read, daemon=True,
                             args=(self.process.stderr, self.lines)),
            threading.Thread(target=_collect, daemon=True,
                             args=(self.process.stdout, self.output))]
        for thread in self._threads:
            thread.start()

    def send(self, number: int) -> None:
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def finish(self) -> int:
        code = self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        return code


def _wait(child: _Child, messages: _Messages, bar: Bar) -> None:
    """Until standard error is closed."""
    while True:
        try:
            line = child.lines.get(timeout=0.1)
        except queue.Empty:
            bar.tick()
            continue
        if line is None:
            return
        if line.startswith(_PROGRESS):
            _report(line, bar)
        else:
            messages.add(line)
        bar.tick()


def run(arguments: typing.Sequence[typing.Any], bar: Bar, *,
        keeps: bool = False) -> Result:
    """Runs mlir-prof; its notes go to the logger "mlir_prof".

    Ctrl-C asks it to stop. With `keeps` the result of what it had done follows,
    else KeyboardInterrupt; a second Ctrl-C kills it. Raises ToolError if it
    fails."""
    child = _Child([find_tool(), *map(str, arguments)])
    messages = _Messages()
    was_stopped = False
    try:
        try:
            _wait(child, messages, bar)
        except KeyboardInterrupt:
            was_stopped = True
            child.send(signal.SIGINT)
            _wait(child, messages, bar)
        code = child.finish()
    except BaseException:
        child.send(signal.SIGKILL)
        child.finish()
        raise
    messages.finish()
    if was_stopped and not (keeps and code in (0, 130)):
        raise KeyboardInterrupt
    if code and not was_stopped:
        raise ToolError("\n".join(messages.errors) or
                        f"mlir-prof {arguments[0]} ended with {code}", code)
    for line in messages.errors:
        logger.info("%s", line)
    return Result("".join(child.output), was_stopped)
