# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program mlir-prof."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import typing

from ._options import Option, to_arguments


class ToolError(RuntimeError):
    """mlir-prof failed; the text is its output, `code` its exit code."""

    def __init__(self, message: str, code: typing.Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code


def find_tool() -> str:
    """The program: $MLIR_PROF, else the one in this package, else mlir-prof in
    PATH. Raises ToolError if there is none."""
    named = os.environ.get("MLIR_PROF")
    if named:
        found = shutil.which(named)
        if not found:
            raise ToolError(f"$MLIR_PROF is {named}, which is no program")
        return found
    packaged = pathlib.Path(__file__).with_name("bin") / "mlir-prof"
    found = shutil.which(os.fspath(packaged)) or _find_in_path()
    if not found:
        raise ToolError("mlir-prof is neither in the package nor in PATH; hint: "
                        "install the wheel, or build the program and name it in "
                        "$MLIR_PROF")
    return found


def _find_in_path() -> typing.Optional[str]:
    """The program in PATH that is not the script of this package."""
    for folder in os.get_exec_path():
        found = shutil.which("mlir-prof", path=folder)
        if found and not _is_script(found):
            return found
    return None


def _is_script(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def run(*arguments: typing.Any, **options: Option) -> str:
    """Runs mlir-prof with `arguments`; returns its output.

    `options` are those of the verb, with underscores for dashes: `top=3` is
    `--top=3`, True a flag, a list several, and None none. Raises ToolError when
    it does not exit with 0."""
    command = [find_tool(), *map(str, arguments), *to_arguments(options)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    if result.returncode:
        raise ToolError(result.stderr.strip() or
                        f"mlir-prof exited with {result.returncode}",
                        result.returncode)
    return result.stdout
