# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR: a text, a file (*.mlir, *.mlirbc), or a module of Python's bindings."""

from __future__ import annotations

import pathlib
import typing

from ._source import FrontEndError, Request, Source

_SUFFIXES = (".mlir", ".mlirbc")
#: The magic number of bytecode.
_BYTECODE = b"ML\xefR"


def _is_text(model: typing.Any) -> bool:
    return isinstance(model, str) and "func" in model and ("\n" in model or
                                                             "{" in model)


def _is_module(model: typing.Any) -> bool:
    """A module of MLIR's bindings, from whatever package."""
    return hasattr(model, "operation") and hasattr(model.operation, "get_asm")


def accepts(model: typing.Any, examples: typing.Sequence[typing.Any]) -> bool:
    """Whether `model` is MLIR."""
    if isinstance(model, bytes):
        return model.startswith(_BYTECODE)
    if _is_text(model) or _is_module(model):
        return True
    return (isinstance(model, (str, pathlib.PurePath)) and
            pathlib.PurePath(model).suffix in _SUFFIXES)


def _write(model: typing.Any, request: Request) -> pathlib.Path:
    path = request.folder / "model.mlir"
    if isinstance(model, bytes):
        path.write_bytes(model)
    elif _is_text(model):
        path.write_text(model, encoding="utf-8")
    else:
        with open(path, "wb") as file:
            model.operation.write_bytecode(file)
    return path


def _flatten(arguments: typing.Tuple[typing.Any, ...],
             keywords: typing.Dict[str, typing.Any]) -> typing.List[typing.Any]:
    if keywords:
        raise TypeError("the arguments of a function in MLIR are given by position")
    return list(arguments)


def _unflatten(results: typing.List[typing.Any]) -> typing.Any:
    return results[0] if len(results) == 1 else tuple(results)


def lower(model: typing.Any, request: Request) -> Source:
    """The Source of `model`. Arguments and results are those of the compiled
    function, which its signature tells."""
    is_path = isinstance(model, (str, pathlib.PurePath)) and not _is_text(model)
    path = pathlib.Path(model) if is_path else _write(model, request)
    if not path.exists():
        raise FrontEndError(f"{path}: does not exist")
    return Source(path=path, framework="mlir", arguments=[], results=[],
                  flatten=_flatten, unflatten=_unflatten)
