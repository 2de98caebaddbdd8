# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a model to its Source."""

import torch

from . import _aten, _decompositions, _export, _graph, _linalg, _signature, _state, _steps
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


def read_step(step, request):
    """The graph of a training step, and how it is called."""
    program = _steps.export(step, request)
    return (get_graph(program, True), _steps.get_flatten(step, program),
            _steps.get_unflatten(step, program), True)


def read_program(model, request):
    """The graph of a model that PyTorch exports, and how it is called."""
    exported = _export.get_program(model, request)
    program = _decompositions.decompose(exported)
    calling = _signature.get_flatten(program), _signature.get_unflatten(program)
    has_state = _state.has_state(program)
    if has_state:
        owner = model if isinstance(model, torch.nn.Module) else exported
        calling = _state.add(owner, program, *calling)
    return _graph.get_graph(program), *calling, has_state


def read(model, request):
    """The graph, `flatten` and `unflatten` of a model, and whether these change it."""
    if isinstance(model, AtenGraph):
        return model.graph, _aten.flatten, _aten.unflatten, False
    if isinstance(model, TrainingStep):
        return read_step(model, request)
    return read_program(model, request)


def lower(model, request):
    graph, flatten, unflatten, has_state = read(model, request)
    arguments, results = get_values(graph)
    path = request.folder / "model.mlirbc"
    _linalg.write(graph, path)
    return Source(path=path, framework="torch", arguments=arguments, results=results,
                  flatten=flatten, unflatten=unflatten, entry="main",
                  has_state=has_state, weights=_graph.list_weights(graph))
