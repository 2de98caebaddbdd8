# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes compiled models faster."""

from __future__ import annotations

import json
import logging
import pathlib
import typing

from . import _child, _files, _inputs, _progress
from ._compile import recompile
from ._compiled import Model
from ._options import Option, to_arguments
from ._table import Table

logger = logging.getLogger("mlir_prof")


def _read_receipts(path: pathlib.Path) -> Table:
    document = json.loads(path.read_text(encoding="utf-8"))
    return Table(document.pop("receipts"), document=document)


def optimize(model: typing.Any, *inputs: typing.Any, budget: float = 60.0,
             threads: int = 1, dynamic_shapes: typing.Any = None,
             options: typing.Optional[typing.Mapping[str, Option]] = None,
             progress: _progress.Progress = True,
             **keywords: typing.Any) -> Model:
    """Searches for `budget` seconds for choices that make a model faster, and
    returns it with these.

    `model` is a Model that was compiled in this process, or anything that
    `compile` takes. `inputs` and `keywords` are the arguments of the call that is
    measured; `options` are those of `mlir-prof optimize`. A choice is kept only if it
    is faster beyond noise and its results stay within the tolerance, so the result is
    never slower. `receipts` of the result has one row per trial, with its gain and
    the reason for keeping or rejecting it.

    Ctrl-C ends the search, and the result has the best choices so far. Raises
    ToolError if the model cannot be measured."""
    if budget <= 0:
        raise ValueError(f"budget is {budget}; it is above 0 seconds")
    compiled = _inputs.as_model(model, inputs, keywords, threads=threads,
                                dynamic_shapes=dynamic_shapes, progress=progress)
    with _files.scratch() as folder:
        decisions, receipts = folder / "choices.json", folder / "receipts.json"
        files = _inputs.write_inputs(compiled, inputs, keywords, folder)
        with _progress.show(progress, "optimize", budget) as bar:
            result = _child.run(
                ["optimize",
                 # It measures the default pipeline.
                 *(argument for argument in compiled.origin.name(folder)
                   if not argument.startswith(("--pipeline=", "--decisions="))),
                 *files, f"--budget={budget}s", f"--decisions={decisions}",
                 f"--receipts={receipts}", "--progress=json",
                 *to_arguments(options or {}), "-o", folder / "optimized.mlir"], bar,
                keeps=True)
        if result.was_stopped:
            if not receipts.exists():
                raise KeyboardInterrupt
            logger.warning("the search was stopped; the model has the best choices "
                           "until then")
        made = recompile(compiled, _files.HeldFile(decisions), progress)
        made.receipts = _read_receipts(receipts)
    return made
