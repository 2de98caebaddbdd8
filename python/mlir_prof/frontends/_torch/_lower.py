# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a model to its Source."""

from . import _aten, _decompositions, _export, _graph, _linalg, _signature, _steps
from .._source import Source
from ._aten import AtenGraph
from ._training import TrainingStep


def get_values(graph):
    """The arguments and results of a graph, as Values."""
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    results = graph.output_node().args[0]
    return ([_signature.to_value(node.name, node.meta["val"]) for node in placeholders],
            [_signature.to_value(f"result{place}", node.meta["val"])
             for place, node in enumerate(results)])


def get_graph(program, is_step):
    """The graph in operators that torch-mlir or a kernel takes."""
    return _graph.get_graph(_decompositions.decompose(program), is_step)


def read_program(model, request):
    """The graph of a model that PyTorch exports, and how it is called."""
    is_step = isinstance(model, TrainingStep)
    if is_step:
        program = _steps.export(model, request)
        flatten = _steps.get_flatten(model, program)
        unflatten = _steps.get_unflatten(model, program)
    else:
        program = _export.get_program(model, request)
        flatten = _signature.get_flatten(program)
        unflatten = _signature.get_unflatten(program)
    return get_graph(program, is_step), flatten, unflatten


def read(model, request):
    """The graph, `flatten` and `unflatten` of a model."""
    if isinstance(model, AtenGraph):
        return model.graph, _aten.flatten, _aten.unflatten
    return read_program(model, request)


def lower(model, request):
    graph, flatten, unflatten = read(model, request)
    arguments, results = get_values(graph)
    path = request.folder / "model.mlirbc"
    _linalg.write(graph, path)
    return Source(path=path, framework="torch", arguments=arguments, results=results,
                  flatten=flatten, unflatten=unflatten, entry="main")
