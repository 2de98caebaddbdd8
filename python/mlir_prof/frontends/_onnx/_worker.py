# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process that reads a model and lowers it.

It runs apart from the caller: a model of an untrusted file, or a failed assertion
of a library, ends this process only.
"""

import json
import pathlib
import sys

from .._source import FrontEndError


def describe(value):
    dtype = value.dtype.name
    return dict(name=value.name, dtype=dtype, shape=value.shape)


#: Constants of more elements are weights, which may be elided.
LARGEST_CONSTANT = 256


def write(module, path, elide):
    """As text: torch-mlir's MLIR is newer than 22, which does not read the affine
    maps of its bytecode."""
    limits = dict(large_elements_limit=LARGEST_CONSTANT,
                  large_resource_limit=LARGEST_CONSTANT) if elide else {}
    with open(path, "wb") as file:
        module.operation.print(file=file, binary=True, enable_debug_info=True,
                               **limits)


def lower(request):
    """Lowers the model of a request; the answer."""
    from . import _read
    model = _read.read(request["path"], weights=not request.get("describes"))
    if request.get("describes"):
        from ._describe import describe_graph
        return describe_graph(model.graph)
    shapes = _read.choose_shapes(model.graph, request)
    from . import _graph, _import
    taken = _graph.take(model, shapes)
    module = _import.lower(taken)
    write(module, request["module"], request.get("elide", False))
    return dict(arguments=[describe(value) for value in taken.arguments],
                results=[describe(value) for value in taken.results],
                notes=taken.notes)


def answer(request):
    try:
        return lower(request)
    except FrontEndError as error:
        return dict(error=str(error))


def main(path):
    request = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    pathlib.Path(request["answer"]).write_text(json.dumps(answer(request)),
                                               encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
