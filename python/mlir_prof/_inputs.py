# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of models as files, for the tool."""

from __future__ import annotations

import os
import pathlib
import typing

from . import _arrays
from ._compiled import Model


def write_inputs(model: Model, arguments: typing.Tuple[typing.Any, ...],
                 keywords: typing.Dict[str, typing.Any],
                 folder: pathlib.Path) -> typing.List[str]:
    """Writes the arrays of a call as *.npy; returns the tool's options for them.

    Raises TypeError if the structure is not that of the model."""
    import numpy
    options = []
    for number, array in enumerate(model.flatten(*arguments, **keywords)):
        path = folder / f"{number}.npy"
        numpy.save(path, _arrays.to_numpy(array), allow_pickle=False)
        options.append(f"--input={number}={path}")
    return options


def as_model(model: typing.Any, arguments: typing.Tuple[typing.Any, ...],
             keywords: typing.Dict[str, typing.Any],
             **how: typing.Any) -> Model:
    """A compiled model: `model` itself, the one in a file (*.mprof), or what
    compile() makes of it."""
    if isinstance(model, Model):
        return model
    if isinstance(model, (str, os.PathLike)) and str(model).endswith(".mprof"):
        from ._load import load
        return load(model)
    from ._compile import compile
    return compile(model, *arguments, **how, **keywords)
