# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AOTAutograd: graphs without mutation, and their backward passes."""

import functools

import torch
from torch._dynamo.backends.common import aot_autograd

from ..frontends._torch import _decompositions
from . import _call, _graphs


def find_weights(module, inputs):
    """The inputs that are parameters and buffers of modules, by number."""
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    return {place: value
            for place, (node, value) in enumerate(zip(placeholders, inputs))
            if isinstance(value, torch.Tensor) and
            "_dynamo_static_input_type" in (node.meta.get("tensor_dict") or {})}


def count_operators(module):
    return sum(node.op == "call_function" for node in module.graph.nodes)


def compile_kind(module, inputs, kind, weights, options):
    """Compiles a graph of AOTAutograd."""
    graph = _graphs.add(kind, count_operators(module))
    return _call.compile_or_run(module, graph, weights, options)


def list_changed():
    """The numbers of the inputs that the graph being compiled changes."""
    context = torch._guards.TracingContext.try_get()
    metadata = context and context.fw_metadata
    return set(metadata.mutated_inp_runtime_indices) if metadata else set()


def compile_inference(module, inputs, weights, count, options):
    """Compiles a graph without a backward pass. `weights` are numbers of the `count`
    inputs of dynamo's graph; AOTAutograd seldom makes others of them."""
    changed = list_changed()
    kept = {place: tensor for place, tensor in weights.items()
            if len(inputs) == count and place not in changed and
            # These do not tell whether they have changed.
            not tensor.is_inference()}
    return compile_kind(module, inputs, "inference", kept, options)


def compile_module(module, inputs, options):
    """A function of the inputs of a graph of dynamo."""
    options.setdefault("threads", torch.get_num_threads())
    weights = find_weights(module, inputs)
    bind = functools.partial
    compiler = aot_autograd(
        fw_compiler=bind(compile_kind, kind="forward", weights={}, options=options),
        bw_compiler=bind(compile_kind, kind="backward", weights={}, options=options),
        inference_compiler=bind(compile_inference, weights=weights, count=len(inputs),
                                options=options),
        decompositions=_decompositions.get_step_table())
    return compiler(module, inputs)
