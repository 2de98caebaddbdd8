# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of a compiled graph."""

import logging
import threading

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
        self.lock = threading.Lock()
        # The plan and its model, None for a graph that computes nothing. Other
        # threads call while one replaces them, so they change together.
        self.compiled = None
        # AOTAutograd's mark for functions of that form; it copies attributes.
        self._boxed_call = True

    def compile(self, weights):
        """Compiles the graph; `weights` are the inputs that do not change, by number.
        Raises FrontEndError or ToolError."""
        # AOTAutograd compiles while tensors are fake, and weights are not.
        with _disable_current_modes():
            plan = _plan.plan(self.module, weights)
            model = None
            if plan.model.graph.output_node().args[0]:
                model = _compile.compile(plan.model, progress=False, **self.options)
        self.compiled, self.graph.model = (plan, model), model

    def recompile(self, old):
        """Makes arguments of the weights: who trains changes them again. Only the
        first thread does so; None if PyTorch has to run the graph."""
        with self.lock:
            if self.compiled is old:
                logger.info("%s: weights have changed and become arguments",
                            self.graph.name)
                try:
                    self.compile({})
                except (FrontEndError, ToolError) as error:
                    self.compiled = self.graph.model = None
                    report(self.graph, error)
            return self.compiled

    def __call__(self, inputs):
        compiled = self.compiled
        if compiled and has_changed(compiled[0], inputs):
            compiled = self.recompile(compiled)
        if compiled is None:
            return run_by_torch(self.module)(inputs)
        plan, model = compiled
        taken = [inputs[place] for place in plan.inputs]
        results = model(*taken) if model else []
        returned = [results[value] if kind == "result" else
                    inputs[value] if kind == "input" else value
                    for kind, value in plan.outputs]
        inputs.clear()
        return returned


def has_changed(plan, inputs):
    """Whether a weight is another tensor than before, or has other values."""
    return any(inputs[place] is not tensor or _plan.read_state(tensor) != state
               for place, tensor, state in plan.weights)


def report(graph, error):
    """Notes why PyTorch runs a graph."""
    graph.reason = str(error)
    logger.warning("%s runs in PyTorch: %s", graph.name, error)


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
        report(graph, error)
        return run_by_torch(module)
    return call
