# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of PyTorch without MLIR: an exported graph runs node by node, and a training
step becomes its joint graph. Neither needs torch-mlir."""

import copy

import torch
from torch.profiler import record_function

from ._result import CaptureError


class NodeRunner(torch.fx.Interpreter):
    """Runs an exported program, each of its nodes under an annotation."""

    def __init__(self, exported, get_name):
        super().__init__(exported.module())
        self.names = {node.name: get_name(node) for node in exported.graph.nodes
                      if node.op == "call_function"}

    def run_node(self, node):
        if node.name not in self.names:
            return super().run_node(node)
        with record_function("fx:" + self.names[node.name]):
            return super().run_node(node)


def export_training(module, arguments):
    """The graph of the forward and the backward pass, as it is before AOTAutograd
    partitions it."""
    from functorch.compile import make_boxed_compiler
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.partitioners import default_partition
    joint = []

    def partition(graph, inputs, **keywords):
        joint.append(copy.deepcopy(graph))
        return default_partition(graph, inputs, **keywords)

    backend = aot_autograd(
        fw_compiler=make_boxed_compiler(lambda graph, inputs: graph),
        partition_fn=partition)
    loss = torch.compile(module, backend=backend)(*arguments)
    if loss.dim() or not loss.requires_grad:
        raise CaptureError("with training=True the module must return a scalar "
                           "that depends on its parameters; hint: wrap the model "
                           "and its loss in one module")
    loss.backward()
    module.zero_grad(set_to_none=True)
    if len(joint) != 1:
        raise CaptureError(f"the module is {len(joint)} graphs and not one; hint: "
                           "remove what breaks the graph (see "
                           "TORCH_LOGS=graph_breaks)")
    return drop_empty_results(joint[0])


def drop_empty_results(graph):
    """Removes gradients that do not exist: MLIR does not have such a result."""
    output = next(node for node in graph.graph.nodes if node.op == "output")
    results = []
    torch.fx.map_arg(output.args, lambda node: results.append(node) or node)
    output.args = (tuple(results),)
    graph.graph.lint()
    graph.recompile()
    return graph
