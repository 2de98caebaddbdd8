# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program mlir-prof."""

import os
import shutil
import subprocess


class ToolError(RuntimeError):
    """mlir-prof failed; the text is its output."""


def find_tool():
    """The program: $MLIR_PROF, else mlir-prof in PATH."""
    named = os.environ.get("MLIR_PROF")
    found = shutil.which(named or "mlir-prof")
    if found:
        return found
    if named:
        raise ToolError(f"$MLIR_PROF is {named}, which is no program")
    raise ToolError("mlir-prof is not in PATH; build it, or name the program in "
                    "$MLIR_PROF")


def run(*arguments):
    """Runs mlir-prof with `arguments`; returns its output.

    Raises ToolError when it does not exit with 0."""
    command = [find_tool(), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    if result.returncode:
        raise ToolError(result.stderr.strip() or
                        f"mlir-prof exited with {result.returncode}")
    return result.stdout
