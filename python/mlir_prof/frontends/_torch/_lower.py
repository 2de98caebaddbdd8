# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a model to its Source."""

from . import _decompositions, _export, _graph, _linalg, _signature, _steps
from .._source import Source
from ._training import TrainingStep


def get_values(graph):
    """The arguments and results of a graph, as Values."""
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    results = graph.output_node().args[0]
    return ([_signature.to_value(node.name, node.meta["val"]) for node in placeholders],
            [_signature.to_value(f"result{place}", node.meta["val"])
             for place, node in enumerate(results)])


def export(model, request):
    """The program, how it is called, and whether it is a training step."""
    if isinstance(model, TrainingStep):
        program = _steps.export(model, request)
        return (program, _steps.get_flatten(model, program),
                _steps.get_unflatten(model, program), True)
    program = _export.get_program(model, request)
    return (program, _signature.get_flatten(program),
            _signature.get_unflatten(program), False)


def get_graph(program, is_step):
    """The graph in operators that torch-mlir or a kernel takes."""
    return _graph.get_graph(_decompositions.decompose(program), is_step)


def lower(model, request):
    program, flatten, unflatten, is_step = export(model, request)
    graph = get_graph(program, is_step)
    arguments, results = get_values(graph)
    path = request.folder / "model.mlir"
    _linalg.write(graph, path)
    return Source(path=path, framework="torch", arguments=arguments, results=results,
                  flatten=flatten, unflatten=unflatten, entry="main")
