# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes MLIR of models of other frameworks.

A front end is a module of this package with two functions: `accepts(model, examples)`
says, without importing its framework, whether the model is one of its own, which for a
Python function only the arguments of the example call tell; and `lower(model, request)`
returns a Source. To add one, add a file and its name here.
"""

import importlib
import types
import typing

from ._source import FrontEndError, Request, Source, Value

__all__ = ["FRONT_ENDS", "FrontEndError", "Request", "Source", "Value", "find",
           "lower"]

#: Asked in this order.
FRONT_ENDS = ["mlir", "torch", "onnx", "tensorflow", "tflite", "jax"]


def _load(name: str) -> types.ModuleType:
    return importlib.import_module(f"._{name}", __name__)


def find(model: typing.Any, examples: typing.Sequence[typing.Any] = ()
         ) -> typing.Optional[str]:
    """The name of the first front end that accepts `model`, or None."""
    return next((name for name in FRONT_ENDS
                 if _load(name).accepts(model, examples)), None)


def lower(model: typing.Any, request: Request) -> Source:
    """The Source of `model`, by the first front end that accepts it."""
    name = find(model, [*request.examples, *request.keywords.values()])
    if name:
        return _load(name).lower(model, request)  # type: ignore[no-any-return]
    raise TypeError(f"{type(model).__name__} is no model of "
                    f"{', '.join(FRONT_ENDS)}; hint: pass a module, a function or a "
                    "path of a model")
