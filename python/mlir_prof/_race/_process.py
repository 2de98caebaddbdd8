# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A contestant in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import typing

from .. import _processes
from ._forms import Unavailable

#: Pools of threads that are not told their size otherwise.
_POOLS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def _make_environment(threads: int) -> typing.Dict[str, str]:
    environment = _processes.make_environment(
        **{name: str(threads) for name in _POOLS})
    if threads == 1:
        environment["XLA_FLAGS"] = " ".join(filter(None, [
            os.environ.get("XLA_FLAGS"), "--xla_cpu_multi_thread_eigen=false"]))
    return environment


class Process:
    """Runs the worker; its requests wait for the answer, for at most `timeout`
    seconds each."""

    def __init__(self, name: str, threads: int, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8",
                                              errors="replace")
        self._process = subprocess.Popen(
            _processes.make_command("mlir_prof._race._worker"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            encoding="utf-8", env=_make_environment(threads),
            # So that what it starts can be ended with it.
            start_new_session=True)

    def ask(self, do: str, **arguments: typing.Any) -> typing.Any:
        """The answer to a request. Raises Unavailable if it fails, or if the process
        ends or takes too long; then it is over."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the reason follows
        # An answer is one line, so that nothing else is in the buffer.
        if not select.select([self._process.stdout], [], [], self.timeout)[0]:
            self._kill()
            raise Unavailable(f"'{do}' took more than {self.timeout:g} s; hint: a "
                              "larger timeout")
        line = self._process.stdout.readline()
        if not line:
            raise Unavailable(f"its process {self._describe_end()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Unavailable(answer["error"].splitlines()[0][:300])
        return answer["result"]

    def _describe_end(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        return _processes.describe_end(code, self._errors.read())

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Ends the process, and those that it started."""
        self._kill()
        self._process.communicate()
        self._errors.close()
