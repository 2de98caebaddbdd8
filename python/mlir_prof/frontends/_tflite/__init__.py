# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of TensorFlow Lite: the path of a *.tflite.

tosa-converter-for-tflite makes TOSA of it, in a process of its own (`_worker`), which
reads names, element types and sizes from the file itself. Quantized models have
integers as arguments and results, as in the interpreter of TensorFlow Lite.
"""

from __future__ import annotations

import os
import pathlib
import typing

from .. import _child
from .._source import FrontEndError, Request, Source


def accepts(model: typing.Any, examples: typing.Sequence[typing.Any]) -> bool:
    return isinstance(model, (str, os.PathLike)) and os.fspath(model).endswith(
        ".tflite")


def shape_of(value: typing.Any) -> typing.List[int]:
    return [int(size) for size in getattr(value, "shape", ())]


def _unflatten(results: typing.List[typing.Any]) -> typing.Any:
    return results[0] if len(results) == 1 else tuple(results)


def lower(model: typing.Any, request: Request) -> Source:
    """The Source of a file. Sizes that the file leaves open are those of the example."""
    if request.dynamic_shapes is not None:
        raise FrontEndError("models of TensorFlow Lite have static shapes here; hint: "
                            "leave out dynamic_shapes, and compile once for each shape")
    from .._onnx import inputs_of
    folder = pathlib.Path(request.folder)
    module = folder / "model.mlir"
    answer = _child.ask(
        "mlir_prof.frontends._tflite._worker",
        dict(path=str(pathlib.Path(model).absolute()), module=str(module),
             shapes=[shape_of(value) for value in request.examples],
             named={name: shape_of(value) for name, value in request.keywords.items()}),
        folder, ["tosa-converter-for-tflite"])
    arguments, results = (_child.to_values(answer[key])
                          for key in ("arguments", "results"))
    return Source(
        path=module, framework="tflite", arguments=arguments, results=results,
        flatten=lambda values, keywords: inputs_of(arguments, values, keywords),
        unflatten=_unflatten, entry="main", notes=answer["notes"])
