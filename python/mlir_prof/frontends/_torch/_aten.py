# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of ATen operators, such as torch.compile hands to its backends."""

import contextlib


class AtenGraph:
    """A torch.fx.Graph as a model: its placeholders are the arguments, and the tensors
    of its output node, a list, the results. Each node has a value in `meta["val"]`,
    and weights are attributes of the graph's module."""

    def __init__(self, graph):
        self.graph = graph


def flatten(arguments, keywords):
    """The arrays of a call: its arguments, without the graph of autograd."""
    if keywords:
        raise TypeError("the arguments of a graph do not have names")
    return [argument.detach() for argument in arguments]


def unflatten(arrays):
    """The results of a call, tensors."""
    from ._signature import to_tensor
    return [to_tensor(array) for array in arrays]


def decompose(module):
    """A torch.fx.GraphModule of ATen operators in those that torch-mlir or a kernel
    takes. Nodes keep their origin. Raises FrontEndError."""
    import torch
    from torch._dispatch.python import enable_python_dispatcher
    from torch._guards import detect_fake_mode
    from torch.fx.experimental.proxy_tensor import make_fx
    from . import _decompositions, _export, _fold, _unsigned
    from .._source import FrontEndError
    values = [node.meta["val"] for node in module.graph.nodes
              if node.op == "placeholder"]
    trace = make_fx(torch.fx.Interpreter(module).run,
                    decomposition_table=_decompositions.get_table())
    try:
        with (torch.no_grad(), detect_fake_mode(values) or contextlib.nullcontext(),
              enable_python_dispatcher(), torch.fx.traceback.preserve_node_meta()):
            made = trace(*values)
    except Exception as error:  # any operator's function can fail
        raise FrontEndError("PyTorch cannot decompose the graph: " +
                            _export.first_line(error)) from error
    _unsigned.widen(made.graph)
    _fold.fold(made.graph)
    return made
