# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models: a path or an onnx.ModelProto.

The model is read and lowered in a process of its own (`_worker`), which takes its
graph node by node: what ONNX defines by other operators and what torch-mlir does not
lower is rewritten (`rules`), or becomes a loop (`kernels`); the rest is torch-mlir's.
"""

import os
import pathlib

from .. import _child
from .._source import Source


def is_proto(model):
    """Whether it is a ModelProto, without importing onnx."""
    return type(model).__name__ == "ModelProto" and hasattr(model, "graph")


def accepts(model, examples):
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model).endswith(".onnx")
    return is_proto(model)


def save(model, folder):
    """The path of a model; a ModelProto is written to `folder`, its weights to
    a second file, since one of protobuf ends at 2 GB."""
    if not is_proto(model):
        return pathlib.Path(model).absolute()
    import onnx
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    path = folder / "model.onnx"
    onnx.save(copy, str(path), save_as_external_data=True, location="model.bin",
              size_threshold=1 << 20)
    return path


def shape_of(value):
    return [int(size) for size in getattr(value, "shape", ())]


def example_shapes(names, request):
    """The shapes of example inputs by name."""
    examples = dict(zip(names, request.examples))
    examples.update(request.keywords)
    return {name: shape_of(value) for name, value in examples.items()}


def run(request, folder):
    """The answer of the process that lowers the model."""
    return _child.ask("mlir_prof.frontends._onnx._worker", request, folder,
                      ["onnx", "torch-mlir"])


def inputs_of(arguments, values, keywords):
    """The arrays of a call, in the order of the arguments."""
    names = [value.name for value in arguments]
    if len(values) == 1 and isinstance(values[0], dict) and not keywords:
        values, keywords = (), values[0]
    given = dict(zip(names, values))
    if len(values) > len(names) or given.keys() & keywords.keys():
        raise TypeError(f"the model takes {len(names)} arguments: {', '.join(names)}")
    given.update(keywords)
    if given.keys() != set(names):
        raise TypeError("the model takes the arguments " + ", ".join(names) +
                        "; given are " + (", ".join(given) or "none"))
    return [given[name] for name in names]


def write_module(model, folder, shapes, weights=True):
    """The path of the module of a model, whose arguments have `shapes` (a list of
    sizes by name). Without `weights`, large constants are elided."""
    folder = pathlib.Path(folder)
    path, module = save(model, folder), folder / "model.mlir"
    run(dict(path=str(path), module=str(module), shapes=shapes, elide=not weights),
        folder)
    return module


def lower(model, request):
    folder = pathlib.Path(request.folder)
    path = save(model, folder)
    module = folder / "model.mlir"
    names = input_names(path, folder) if request.examples else []
    answer = run(dict(path=str(path), module=str(module),
                      shapes=example_shapes(names, request),
                      dynamic={name: list(dims) for name, dims in
                               (request.dynamic_shapes or {}).items()}), folder)
    arguments, results = (_child.to_values(answer[key])
                          for key in ("arguments", "results"))
    return Source(
        path=module, framework="onnx", arguments=arguments, results=results,
        flatten=lambda values, keywords: inputs_of(arguments, values, keywords),
        unflatten=list, entry="main", notes=answer["notes"])


def describe(path, folder):
    """Describes what the model of a file states: lists of dictionaries of `name`, `dtype`
    and `shape`, with names of symbolic sizes, as `arguments` and `results`, and where
    the model comes from as `metadata`. `folder` is for temporary files."""
    return run(dict(path=str(path), describes=True), folder)


def input_names(path, folder):
    """The names of the arguments, in their order."""
    return [value["name"] for value in describe(path, folder)["arguments"]]
