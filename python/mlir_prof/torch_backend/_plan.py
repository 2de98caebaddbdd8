# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which inputs of a graph a compiled model takes, and where its results go."""

import dataclasses
import typing

import torch

from ..frontends import FrontEndError
from ..frontends._torch._aten import AtenGraph, decompose
from ..frontends._torch._graph import freeze

aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class Plan:
    """A graph as a model, and how its call becomes one of the model."""

    model: AtenGraph
    #: The inputs of the graph that the model takes, in its order.
    inputs: typing.List[int]
    #: The outputs of the graph: ("result", number), ("input", number), or
    #: ("value", a constant).
    outputs: typing.List[typing.Tuple[str, typing.Any]]
    #: The inputs that are constants of the model: number, tensor, and what
    #: read_state returns of it.
    weights: typing.List[typing.Tuple[int, torch.Tensor, typing.Tuple[int, int]]]


def read_state(tensor):
    """The version of a tensor and the address of its memory, which an assignment to
    `data` replaces. One of them differs once the tensor has other values, unless these
    were written through `data` or another library."""
    return tensor._version, tensor.data_ptr()


def find_size(value, tensors):
    """The tensor and dimension whose size is the symbol `value`."""
    for node in tensors:
        for dimension, size in enumerate(node.meta["val"].shape):
            if isinstance(size, torch.SymInt) and size.node.expr == value.node.expr:
                return node, dimension
    raise FrontEndError(f"the size {value} is that of no argument; hint: mark the "
                        "dimension as static (torch._dynamo.mark_static)")


def read_sizes(graph, placeholders):
    """Makes inputs that are sizes those of tensors. The inputs remain, without uses."""
    tensors = [node for node in placeholders
               if isinstance(node.meta["val"], torch.Tensor)]
    for node in placeholders:
        value = node.meta["val"]
        if isinstance(value, torch.SymInt) and node.users:
            tensor, dimension = find_size(value, tensors)
            with graph.inserting_after(placeholders[-1]):
                size = graph.call_function(aten.sym_size.int, (tensor, dimension))
            size.meta = dict(node.meta)
            output = graph.output_node()
            node.replace_all_uses_with(size, lambda user: user is not output)


def place_output(value, places, results):
    """The source of an output. Adds tensors that the graph computes to
    `results`."""
    if not isinstance(value, torch.fx.Node):
        return "value", value
    if value in places:
        return "input", places[value]
    if not isinstance(value.meta["val"], torch.Tensor):
        raise FrontEndError(f"the graph returns {value.name}, a number that it computes; "
                            "hint: mark its dimensions as static "
                            "(torch._dynamo.mark_static)")
    if value not in results:
        results.append(value)
    return "result", results.index(value)


def plan(module, weights):
    """The Plan of a module of torch.fx. `weights` has the inputs that do not change,
    by number."""
    graph = decompose(module).graph
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    places = {node: place for place, node in enumerate(placeholders)}
    read_sizes(graph, placeholders)
    results = []
    output = graph.output_node()
    outputs = [place_output(value, places, results) for value in output.args[0]]
    output.args = (tuple(results),)
    for place, tensor in weights.items():
        if placeholders[place].users:
            freeze(graph, placeholders[place], tensor)
    inputs = []
    for place, node in enumerate(placeholders):
        if place in weights:
            continue
        if node.users:
            inputs.append(place)
        else:
            graph.erase_node(node)
    graph.eliminate_dead_code()
    return Plan(AtenGraph(graph), inputs, outputs,
                [(place, tensor, read_state(tensor)) for place, tensor in weights.items()])
