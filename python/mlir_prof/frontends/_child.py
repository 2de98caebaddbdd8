# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs front ends in a process of their own: a model of an untrusted file, or a failed
assertion of a library, ends that process only."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import typing

from .. import _processes
from ._source import FrontEndError, Value

Document = typing.Dict[str, typing.Any]

#: Seconds that a process may take: MLIR_PROF_FRONT_END_TIMEOUT.
TIMEOUT = 3600


def ask(module: str, request: Document, folder: pathlib.Path,
        packages: typing.Sequence[str]) -> Document:
    """The answer of the module's process to a request, both dictionaries of JSON;
    `request["path"]` is the model. `folder` is for temporary files, and `packages` are
    those that the process needs. Raises FrontEndError if it fails or takes too long."""
    question, answer = folder / "request.json", folder / "answer.json"
    question.write_text(json.dumps(request), encoding="utf-8")
    timeout = float(os.environ.get("MLIR_PROF_FRONT_END_TIMEOUT", TIMEOUT))
    try:
        done = subprocess.run(
            _processes.make_command(module, question, answer), capture_output=True,
            timeout=timeout, env=_processes.make_environment())
    except subprocess.TimeoutExpired as error:
        raise FrontEndError(f"lowering {request['path']} took more than {timeout:g} s; "
                            "hint: set MLIR_PROF_FRONT_END_TIMEOUT") from error
    if done.returncode:
        raise FrontEndError(explain(done, request["path"], packages))
    result: Document = json.loads(answer.read_text(encoding="utf-8"))
    if "error" in result:
        raise FrontEndError(result["error"])
    return result


def to_values(stored: typing.Sequence[Document]) -> typing.List[Value]:
    """The arguments or results in an answer."""
    return [Value(value["name"], value["dtype"], tuple(value["shape"]))
            for value in stored]


def explain(done: subprocess.CompletedProcess[bytes], path: str,
            packages: typing.Sequence[str]) -> str:
    """Why the process ended."""
    said = done.stderr.decode(errors="replace")
    how = _processes.describe_end(done.returncode, said)
    if "No module named" in how:
        missing = how.partition(": ")[2]
        return f"{missing}; hint: pip install {' '.join(packages)}"
    return f"the process that lowers {path} {how}; hint: check the model"


def serve(lower: typing.Callable[[Document], Document]) -> None:
    """The process: writes what `lower(request)` returns, or the FrontEndError that it
    raises."""
    question, answer = map(pathlib.Path, sys.argv[1:])
    try:
        result = lower(json.loads(question.read_text(encoding="utf-8")))
    except FrontEndError as error:
        result = dict(error=str(error))
    answer.write_text(json.dumps(result), encoding="utf-8")
