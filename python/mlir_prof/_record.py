# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records profiles of compiled models."""

from __future__ import annotations

import logging
import typing

from . import _child, _files, _inputs, _progress
from ._options import Option, to_arguments
from ._profile import Profile

logger = logging.getLogger("mlir_prof")


def record(model: typing.Any, *inputs: typing.Any, seconds: float = 1.0,
           mode: str = "sample", threads: int = 1,
           dynamic_shapes: typing.Any = None,
           options: typing.Optional[typing.Mapping[str, Option]] = None,
           progress: _progress.Progress = True,
           **keywords: typing.Any) -> Profile:
    """Runs a model for `seconds`, and returns where the time went.

    `model` is a Model, or anything that `compile` takes, which is compiled first
    with `threads` and `dynamic_shapes`. `inputs` and `keywords` are the arguments of
    the call that is repeated, in a process of its own. `mode` is "sample" (the
    default), "instrument" (each execution of each op, counted and timed) or "time"
    (only whole calls); `options` are those of `mlir-prof record`.

    Ctrl-C ends the recording early, and the profile has what was measured. The file
    of the profile is temporary; save() keeps it. Raises ToolError if the model cannot
    be run."""
    if seconds <= 0:
        raise ValueError(f"seconds is {seconds}; it is above 0")
    compiled = _inputs.as_model(model, inputs, keywords, threads=threads,
                                dynamic_shapes=dynamic_shapes, progress=progress)
    with _files.scratch() as folder, _progress.show(progress, "record") as bar:
        files = _inputs.write_inputs(compiled, inputs, keywords, folder)
        # Probes are part of the code, so that it is built anew.
        subject = (compiled.origin.name(folder) if mode == "instrument" else
                   [str(compiled.name_file(folder))])

        def write(path: typing.Any) -> None:
            result = _child.run(
                ["record", *subject, *files, f"--seconds={seconds}",
                 f"--mode={mode}", *to_arguments(options or {}), "-o", path], bar,
                keeps=True)
            if result.was_stopped:
                if not path.exists():
                    raise KeyboardInterrupt
                logger.warning("the recording was stopped; the profile has what was "
                               "measured until then")
        return Profile.make(write)

