# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A contestant in a process of its own."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import typing

from ._forms import Unavailable

#: Pools of threads that are not told their size otherwise.
_POOLS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def _make_environment(threads: int) -> typing.Dict[str, str]:
    package = pathlib.Path(sys.modules["mlir_prof"].__file__ or "").absolute()
    paths = [str(package.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths),
                   **{name: str(threads) for name in _POOLS}}
    if threads == 1:
        environment["XLA_FLAGS"] = " ".join(filter(None, [
            environment.get("XLA_FLAGS"), "--xla_cpu_multi_thread_eigen=false"]))
    return environment


class Process:
    """Runs the worker; its requests wait for the answer."""

    def __init__(self, name: str, threads: int) -> None:
        self.name = name
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8",
                                              errors="replace")
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "mlir_prof._race._worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            encoding="utf-8", env=_make_environment(threads))

    def ask(self, do: str, **arguments: typing.Any) -> typing.Any:
        """The answer to a request. Raises Unavailable if it fails, or if the process
        ends."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the reason follows
        line = self._process.stdout.readline()
        if not line:
            raise Unavailable(f"its process ended: {self._find_reason()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Unavailable(answer["error"].splitlines()[0][:300])
        return answer["result"]

    def _find_reason(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return lines[-1][:300] if lines else f"status {self._process.returncode}"

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()
