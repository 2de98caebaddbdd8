# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process that reads a model and lowers it."""

from .. import _child
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


def lower_graph(model, shapes):
    """(the graph as it was taken, its module). Where that fails, a second time without
    the sizes that the model states: exporters also state those of the example that
    they had."""
    from . import _graph, _import
    try:
        taken = _graph.take(model, shapes)
        return taken, _import.lower(taken)
    except FrontEndError as error:
        first = error
    try:
        taken = _graph.take(model, shapes, trusts=False)
        return taken, _import.lower(taken)
    except FrontEndError:
        raise first from None


def lower(request):
    """Lowers the model of a request; the answer."""
    from . import _read
    model = _read.read(request["path"], weights=not request.get("describes"))
    if request.get("describes"):
        from ._describe import describe_model
        return describe_model(model)
    shapes = _read.choose_shapes(model.graph, request)
    taken, module = lower_graph(model, shapes)
    write(module, request["module"], request.get("elide", False))
    return dict(arguments=[describe(value) for value in taken.arguments],
                results=[describe(value) for value in taken.results],
                notes=taken.notes)


if __name__ == "__main__":
    _child.serve(lower)
