# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program mlir-prof: `python -m mlir_prof`, and the script of the package.

Models of frameworks (*.onnx, *.pt2 and others) become MLIR first; everything else is
the program itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import typing

#: Verbs whose positional argument is a model.
_VERBS = ("record", "compile", "deploy", "optimize", "audit")


def _find_models(arguments: typing.Sequence[str]) -> typing.List[int]:
    """Positions of arguments that a front end of a framework takes."""
    if not arguments or arguments[0] not in _VERBS:
        return []
    from . import frontends
    return [position for position, (before, argument) in
            enumerate(zip(arguments, arguments[1:]), 1)
            if not argument.startswith("-") and before != "-o" and
            os.path.exists(argument) and
            frontends.find(argument) not in (None, "mlir")]


def _run_lowered(tool: str, arguments: typing.List[str],
                 models: typing.Sequence[int]) -> int:
    """Runs the program with modules in the place of models; its exit code."""
    from . import _files, frontends
    with _files.scratch() as folder:
        for position in models:
            own = folder / str(position)
            own.mkdir()
            try:
                source = frontends.lower(arguments[position],
                                         frontends.Request(folder=own))
            except frontends.FrontEndError as error:
                print(f"mlir-prof: error: {arguments[position]}: {error}",
                      file=sys.stderr)
                return 1
            for note in source.notes:
                print(f"mlir-prof: note: {note}", file=sys.stderr)
            arguments[position] = str(source.path)
            if source.entry:
                arguments.append(f"--entry={source.entry}")
        process = subprocess.Popen([tool, *arguments])
        # Ctrl-C reaches both; the program decides what it keeps.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            code = process.wait()
        finally:
            signal.signal(signal.SIGINT, before)
    return 128 - code if code < 0 else code


def main() -> int:
    """Runs the program with the arguments of this one."""
    if sys.argv[1:2] == ["race"]:
        from ._race._main import main as race
        return race(sys.argv[2:])
    from .tool import ToolError, find_tool
    try:
        tool = find_tool()
    except ToolError as error:
        print(f"mlir-prof: error: {error}", file=sys.stderr)
        return 2
    arguments = sys.argv[1:]
    models = _find_models(arguments)
    if models:
        return _run_lowered(tool, arguments, models)
    sys.stdout.flush()
    os.execv(tool, [tool, *arguments])


if __name__ == "__main__":
    sys.exit(main())
