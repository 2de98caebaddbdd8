# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that a call changes: buffers of the model, and arguments in place.

A compiled model keeps nothing between calls. A tensor that changes is an argument and a
result of its function: a call reads it as it is, and writes the new value to it.
"""

import operator
import threading

import torch
from torch.export.graph_signature import InputKind, OutputKind

from . import _graph, _signature

CHANGES = _graph.OF_MODEL | {OutputKind.USER_INPUT_MUTATION}


def has_state(program):
    return any(spec.kind in CHANGES for spec in program.graph_signature.output_specs)


def make_reader(model):
    """A function from the name of a tensor of a module or program to the tensor."""
    if isinstance(model, torch.nn.Module):
        return lambda name: operator.attrgetter(name)(model)
    specs = {spec.target: spec for spec in model.graph_signature.input_specs}
    return lambda name: _graph.find_tensor(model, specs[name])


class State:
    """The tensors that calls change. Each thread has the arguments of its own call."""

    def __init__(self, model, program):
        self.read = make_reader(model)
        self.call = threading.local()
        inputs = program.graph_signature.input_specs
        changed = _graph.list_changed(program)
        self.names = [spec.target for spec in inputs
                      if spec.kind in _graph.WEIGHTS and spec.target in changed]
        self.arguments = {spec.arg.name: place for place, spec in enumerate(
            spec for spec in inputs if spec.kind == InputKind.USER_INPUT and
            isinstance(spec.arg, _graph.TensorArgument))}
        self.changes = [(spec.kind, spec.target)
                        for spec in program.graph_signature.output_specs
                        if spec.kind in CHANGES]

    def begin(self, arrays):
        """The arrays of a call: those of the model, and the arguments."""
        self.call.arrays = arrays
        return [*[self.read(name).detach() for name in self.names], *arrays]

    def end(self, arrays):
        """Writes the first of the results; returns the others."""
        for (kind, target), array in zip(self.changes, arrays):
            tensor = self.read(target) if kind in _graph.OF_MODEL else \
                self.call.arrays[self.arguments[target]]
            tensor.detach().copy_(_signature.to_tensor(array))
        self.call.arrays = None
        return arrays[len(self.changes):]


def add(model, program, flatten, unflatten):
    """`flatten` and `unflatten` of a call that also changes tensors. `model` is the
    module or program that has them, `program` is without mutation."""
    state = State(model, program)
    return (lambda arguments, keywords: state.begin(flatten(arguments, keywords)),
            lambda arrays: unflatten(state.end(arrays)))
