# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports training steps; see `_training`."""

import torch
from torch.export.graph_signature import InputKind, OutputKind

from . import _decompositions, _export, _signature
from .._source import FrontEndError


def check_loss(program):
    specs = program.graph_signature.output_specs
    loss = specs[-1].arg if len(specs) == 1 else None
    node = next((node for node in program.graph.nodes
                 if loss and node.name == getattr(loss, "name", None)), None)
    if node is None or node.meta["val"].dim():
        raise FrontEndError("a training step needs a module that returns one scalar; "
                            "hint: wrap the model and its loss in one module")


def drop_unused(program):
    """Removes parameters that the graph does not use, such as the second name of a
    shared one: they do not have a gradient, and PyTorch refuses them."""
    specs = program.graph_signature.input_specs
    nodes = [node for node in program.graph.nodes if node.op == "placeholder"]
    for node, spec in zip(nodes, list(specs)):
        if spec.kind == InputKind.PARAMETER and not node.users:
            program.graph.erase_node(node)
            specs.remove(spec)
    program.graph_module.recompile()


def differentiate(program):
    """The program with its backward pass. torch.export.experimental has this too, but
    always with PyTorch's own decompositions."""
    from torch.export.exported_program import _decompose_exported_program
    return _decompose_exported_program(
        program, cia_to_decomp={},
        python_decomp_table=_decompositions.get_step_table(), joint_loss_index=0,
        decompose_custom_triton_ops=False)


def export(step, request):
    """The exported program of the forward and the backward pass."""
    program = _export.export(step.module, request, grad=True)
    check_loss(program)
    drop_unused(program)
    try:
        return differentiate(program)
    except Exception as error:
        raise FrontEndError("PyTorch cannot differentiate the exported model: " +
                            _export.first_line(error)) from error


class Flatten:
    """The parameters and buffers as they are, and then the arguments of the call."""

    def __init__(self, module, names, inner):
        self.module, self.names, self.inner = module, names, inner

    def __call__(self, arguments, keywords):
        state = {**dict(self.module.named_parameters(remove_duplicate=False)),
                 **dict(self.module.named_buffers(remove_duplicate=False))}
        return [*[state[name].detach() for name in self.names],
                *self.inner(arguments, keywords)]


def find_names(module):
    """The first name of each parameter, by each of its names."""
    first = {id(weight): name for name, weight in module.named_parameters()}
    return {name: first[id(weight)] for name, weight in
            module.named_parameters(remove_duplicate=False)}


class Unflatten:
    """The loss and the gradients; changes the module's buffers."""

    def __init__(self, module, specs):
        self.module, self.names = module, find_names(module)
        self.results = [(spec.kind, spec.target) for spec in specs]

    def __call__(self, arrays):
        loss, gradients = None, {}
        for (kind, name), array in zip(self.results, arrays):
            tensor = _signature.to_tensor(array)
            if kind == OutputKind.GRADIENT_TO_PARAMETER:
                gradients[self.names[name]] = tensor
            elif kind == OutputKind.BUFFER_MUTATION:
                self.module.get_buffer(name).copy_(tensor)
            else:
                loss = tensor
        return loss, gradients


def get_flatten(step, program):
    names = [spec.target for spec in program.graph_signature.input_specs
             if spec.kind in (InputKind.PARAMETER, InputKind.BUFFER)]
    return Flatten(step.module, names, _signature.get_flatten(program))


def get_unflatten(step, program):
    return Unflatten(step.module, program.graph_signature.output_specs)
