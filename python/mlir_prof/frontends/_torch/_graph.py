# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes of an exported program the graph of a function: its arguments are tensors of
the user's, its weights are attributes."""

import copy

import torch
from torch.export.graph_signature import InputKind, OutputKind, TensorArgument

from .._source import FrontEndError
from ._locations import describe

#: The results of a call of a model, and of a training step.
RETURNED = {OutputKind.USER_OUTPUT}
RETURNED_BY_STEP = {OutputKind.LOSS_OUTPUT, OutputKind.GRADIENT_TO_PARAMETER,
                    OutputKind.BUFFER_MUTATION}


#: Tensors of the module.
WEIGHTS = {InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR}


def find_tensor(program, spec):
    """The tensor of a lifted weight, buffer or constant."""
    for tensors in (program.state_dict, program.constants):
        if spec.target in tensors:
            return tensors[spec.target]
    raise FrontEndError(f"the exported program lacks the value of {spec.target}")


def freeze(graph, node, tensor):
    """Replaces the placeholder of a weight by an attribute of the graph's module."""
    name = f"weight_{node.name}"
    graph.owning_module.register_buffer(name, tensor.detach(), persistent=False)
    with graph.inserting_before(node):
        attribute = graph.create_node("get_attr", name)
    attribute.meta = dict(node.meta)
    node.replace_all_uses_with(attribute)
    graph.erase_node(node)


def freeze_inputs(program, graph, frozen):
    """Leaves the tensors of the user's as placeholders; replaces those of the kinds
    `frozen`."""
    nodes = [node for node in graph.nodes if node.op == "placeholder"]
    for node, spec in zip(nodes, program.graph_signature.input_specs):
        if spec.kind == InputKind.USER_INPUT:
            if not isinstance(spec.arg, TensorArgument) and not node.users:
                graph.erase_node(node)
        elif spec.kind in frozen:
            freeze(graph, node, find_tensor(program, spec))
        elif spec.kind not in WEIGHTS:
            raise FrontEndError(f"the model uses the object {spec.target}, which is no "
                                "tensor; hint: keep it outside of forward")


def select_results(program, graph, returned):
    """Leaves the tensors that a call returns."""
    output = graph.output_node()
    kept = []
    for node, spec in zip(output.args[0], program.graph_signature.output_specs):
        if spec.kind not in returned:
            raise FrontEndError(
                f"the model changes {spec.target} at {describe(node)}, and a compiled "
                "model keeps no values between calls; hint: return the new value, or "
                "call eval() on the module")
        if isinstance(spec.arg, TensorArgument):
            kept.append(node)
    output.args = (tuple(kept),)


def get_graph(program, is_step=False, returned=None):
    """The graph of a model or a training step; its module is `owning_module`. The
    weights of a step remain arguments. Results of other kinds than `returned` are
    refused, by default those that change values of the module."""
    returned = returned or (RETURNED_BY_STEP if is_step else RETURNED)
    graph = torch.fx.GraphModule(copy.copy(program.graph_module),
                                 copy.deepcopy(program.graph)).graph
    freeze_inputs(program, graph,
                  {InputKind.CONSTANT_TENSOR} if is_step else WEIGHTS)
    select_results(program, graph, returned)
    graph.eliminate_dead_code()
    graph.lint()
    return graph
