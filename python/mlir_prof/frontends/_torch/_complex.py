# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers as pairs of real tensors: PyTorch's tensors of that kind trace a graph
again, where MLIR's own complex numbers lack most operators."""

import contextlib

import torch
from torch._subclasses.complex_tensor import ComplexTensor

from .._source import FrontEndError
from ._export import first_line

#: The type of the parts of complex numbers.
PARTS = {torch.complex32: torch.float16, torch.complex64: torch.float32,
         torch.complex128: torch.float64}


def is_complex(node):
    value = node.meta.get("val")
    values = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(each, torch.Tensor) and each.is_complex() for each in values)


def split(x):
    """A complex tensor as a pair."""
    return ComplexTensor(torch.real(x), torch.imag(x)) if x.is_complex() else x


def join(x):
    return torch.complex(x.re, x.im) if isinstance(x, ComplexTensor) else x


def make(operator, arguments, keywords):
    """A new complex tensor, of numbers or of a real tensor, as a pair."""
    keywords = {**keywords, "dtype": PARTS[keywords["dtype"]]}

    def part(name):
        return operator(*[getattr(each, name) if isinstance(each, (int, float, complex))
                          else each for each in arguments], **keywords)

    if any(isinstance(each, torch.Tensor) for each in arguments):
        real = operator(*arguments, **keywords)
        return ComplexTensor(real, torch.zeros_like(real))
    return ComplexTensor(part("real"), part("imag"))


class Pairs(torch.fx.Interpreter):
    """Runs a graph with pairs; arguments and results are MLIR's complex numbers, and
    constants are real ones."""

    def __init__(self, module):
        super().__init__(module)
        tensors = {node.target: getattr(module, node.target) for node in module.graph.nodes
                   if node.op == "get_attr"}
        self.parts = {name: (tensor.real.detach().clone(), tensor.imag.detach().clone())
                      for name, tensor in tensors.items()
                      if isinstance(tensor, torch.Tensor) and tensor.is_complex()}

    def placeholder(self, target, arguments, keywords):
        return split(super().placeholder(target, arguments, keywords))

    def get_attr(self, target, arguments, keywords):
        parts = self.parts.get(target)
        return ComplexTensor(*parts) if parts else super().get_attr(
            target, arguments, keywords)

    def call_function(self, target, arguments, keywords):
        if keywords.get("dtype") in PARTS and not any(
                isinstance(each, torch.Tensor) and each.is_complex() for each in arguments):
            return make(target, arguments, keywords)
        result = super().call_function(target, arguments, keywords)
        if isinstance(result, torch.Tensor) and not isinstance(result, ComplexTensor):
            return split(result)
        return result

    def output(self, target, arguments, keywords):
        return torch.utils._pytree.tree_map(
            join, super().output(target, arguments, keywords))


def keep_names(old, new):
    """Gives the arguments of the new graph their names."""
    pairs = zip(*[[node for node in graph.nodes if node.op == "placeholder"]
                  for graph in (old, new)])
    for before, after in pairs:
        after._rename(before.name)


def remove(graph):
    """The graph without complex numbers between its arguments and results. Raises
    FrontEndError."""
    if not any(map(is_complex, graph.nodes)):
        return graph
    from torch._dispatch.python import enable_python_dispatcher
    from torch._guards import detect_fake_mode
    from torch.fx.experimental.proxy_tensor import make_fx
    from ._decompositions import get_table
    values = [node.meta["val"] for node in graph.nodes if node.op == "placeholder"]
    mode = detect_fake_mode([node.meta.get("val") for node in graph.nodes])
    module = graph.owning_module
    trace = make_fx(Pairs(module).run, decomposition_table=get_table())
    try:
        with (torch.no_grad(), mode or contextlib.nullcontext(),
              enable_python_dispatcher(), torch.fx.traceback.preserve_node_meta()):
            made = trace(*values)
    except Exception as error:  # any operator's function can fail
        raise FrontEndError("PyTorch cannot write the complex numbers of the model as real "
                            f"ones: {first_line(error)}; hint: use torch.view_as_real and "
                            "real operators") from error
    keep_names(graph, made.graph)
    made.graph.eliminate_dead_code()
    return made.graph
