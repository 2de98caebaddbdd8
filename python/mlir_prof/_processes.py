# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that run modules of this package."""

from __future__ import annotations

import os
import pathlib
import signal
import sys
import typing


def make_command(module: str, *arguments: typing.Any) -> typing.List[str]:
    """The command that runs a module in this interpreter, without warnings."""
    return [sys.executable, "-W", "ignore", "-m", module, *map(str, arguments)]


def make_environment(**more: str) -> typing.Dict[str, str]:
    """This process's environment, in which its copy of the package is found, and
    `more`."""
    package = pathlib.Path(__file__).absolute().parents[1]
    paths = [str(package), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


def describe_end(code: int, said: str) -> str:
    """How a process ended, and the last that it said on stderr."""
    how = f"ended by {signal.Signals(-code).name}" if code < 0 else "failed"
    lines = said.strip().splitlines()
    return f"{how}: {lines[-1][:300] if lines else 'it said nothing'}"
