# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads compiled models from files."""

from __future__ import annotations

import logging
import os
import typing

from . import _calling, _container, _files, _trust
from ._compiled import Model, Runner

logger = logging.getLogger("mlir_prof")


def _is_sealed(held: _files.HeldFile, path: str, key: bytes) -> bool:
    with open(held.path, "rb") as file:
        return _container.is_sealed(file, path, key)


def _find_trusted(held: _files.HeldFile, path: str
                  ) -> typing.Optional[_files.HeldFile]:
    """The file that may run in this process; None if its seal is not right.

    The seal is for the bytes that it had when it was checked, so a file that others
    can change is copied first."""
    key = _trust.find_key()
    if key is None or not _is_sealed(held, path, key):
        return None
    if held.is_own:
        return held
    frozen = held.freeze()
    return frozen if _is_sealed(frozen, path, key) else None


def load(path: typing.Union[str, "os.PathLike[str]"], *,
         trust: typing.Optional[bool] = None, threads: int = 0,
         timeout: typing.Optional[float] = None) -> Model:
    """Loads a compiled model (*.mprof), without a compiler. It runs on at most
    `threads` threads; 0 is the number for which it was compiled.

    A compiled model is machine code. One that this user's `Model.save` wrote, or any
    with `trust=True`, runs in this process; anything else, and any with
    `trust=False`, runs in a process of its own, as with `isolate=True`, and a
    warning of the logger "mlir_prof" says so. So does a model with a `timeout`, the
    seconds that a call may take before it raises TimeoutError. Loading in a process
    of its own may take a minute.

    Raises ValueError if the file is not a compiled model, or is damaged."""
    name = os.fspath(path)
    held = _files.HeldFile(path)
    with open(held.path, "rb") as file:
        structure = _container.read_structure(file, name)
    trusted = held if trust else None
    was_isolated = structure.get("isolate") is True
    if trust is None and not was_isolated:
        trusted = _find_trusted(held, name)
    if not trusted:
        logger.warning("%s runs in a process of its own: %s", name,
                       "trust is False" if trust is False else
                       "the model that was saved did; hint: trust=True if you know "
                       "who made it" if was_isolated else
                       "it does not have the seal of this user's Model.save; hint: "
                       "trust=True if you know who made it")

    def make(runner: Runner) -> _calling.Calling:
        return _calling.make_calling(structure,
                                     [name for name, _, _ in runner.arguments],
                                     len(runner.results))
    framework = structure.get("framework")
    unsigned = structure.get("unsigned")
    signs = structure.get("signs")
    return Model(trusted or held, make, threads=threads,
                 isolate=not trusted or timeout is not None, timeout=timeout,
                 framework=framework if isinstance(framework, str) else "",
                 unsigned=[number for number in unsigned if isinstance(number, int)]
                 if isinstance(unsigned, list) else (),
                 signs=signs if isinstance(signs, str) else "")
