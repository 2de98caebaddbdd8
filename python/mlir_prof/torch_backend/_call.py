# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of a compiled graph."""

import logging

import torch
from torch.utils._python_dispatch import _disable_current_modes

from .. import _compile
from ..frontends import FrontEndError
from ..tool import ToolError
from . import _plan

logger = logging.getLogger("mlir_prof")


class Call:
    """Runs a graph as a compiled model. AOTAutograd hands the inputs over as a list,
    which the call empties."""

    def __init__(self, module, graph, options):
        self.module, self.graph, self.options = module, graph, options
        self.plan = None
        # AOTAutograd's mark for functions of that form; it copies attributes.
        self._boxed_call = True

    def compile(self, weights):
        """Compiles the graph; `weights` are the inputs that do not change, by number.
        Raises FrontEndError or ToolError."""
        # AOTAutograd compiles while tensors are fake, and weights are not.
        with _disable_current_modes():
            self.plan = _plan.plan(self.module, weights)
            if self.plan.model.graph.output_node().args[0]:
                self.graph.model = _compile.compile(self.plan.model, progress=False,
                                                    **self.options)

    def has_changed(self, inputs):
        """Whether a weight is another tensor than before, or has other values."""
        return any(inputs[place] is not tensor or tensor._version != version
                   for place, tensor, version in self.plan.weights)

    def __call__(self, inputs):
        if self.has_changed(inputs):
            # From now on they are arguments: who trains changes them again.
            logger.info("%s: weights have changed and become arguments",
                        self.graph.name)
            self.compile({})
        taken = [inputs[place] for place in self.plan.inputs]
        results = self.graph.model(*taken) if self.graph.model else []
        returned = [results[value] if kind == "result" else
                    inputs[value] if kind == "input" else value
                    for kind, value in self.plan.outputs]
        inputs.clear()
        return returned


def run_by_torch(module):
    """Runs a graph as it is."""
    from torch._functorch.aot_autograd import make_boxed_func
    return make_boxed_func(torch.fx.Interpreter(module).run)


def compile_or_run(module, graph, weights, options):
    """A function of the list of inputs: the compiled graph or, with the reason in
    `graph`, the graph by PyTorch."""
    call = Call(module, graph, options)
    try:
        call.compile(weights)
    except (FrontEndError, ToolError) as error:
        graph.reason = str(error)
        logger.warning("%s runs in PyTorch: %s", graph.name, error)
        return run_by_torch(module)
    return call
