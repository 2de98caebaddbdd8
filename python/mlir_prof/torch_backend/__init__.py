# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend of torch.compile.

`torch.compile(module, backend="mlir_prof")` compiles each graph of a module, with
its backward pass if it trains. A graph that cannot be compiled runs in PyTorch;
`list_graphs` tells why.
"""

from ._graphs import Graph, list_graphs, reset

__all__ = ["Graph", "compile_graph", "list_graphs", "reset"]


def compile_graph(module, inputs, *, mode=None, options=None):
    """The function that torch.compile calls with each graph, a torch.fx.GraphModule,
    and its inputs.

    `options`, those of torch.compile, are keywords of `mlir_prof.compile`; by default
    `threads` is torch.get_num_threads(). `mode` is not used: there is one."""
    from ._autograd import compile_module
    return compile_module(module, inputs, dict(options or {}))
