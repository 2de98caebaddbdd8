# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operators are replaced by others before torch-mlir sees the graph."""

import functools
import re

import torch

from . import kernels
from .._source import FrontEndError
from ._export import first_line

_own = {}


def register(*operators):
    """Registers a decomposition; it may return NotImplemented to keep the call."""
    def add(function):
        for operator in operators:
            _own[operator] = function
        return function
    return add


def register_real(*operators):
    """Registers a decomposition that is for real matrices that are not empty."""
    def add(function):
        def decompose(a, *arguments, **keywords):
            if a.is_complex() or not a.numel():
                return NotImplemented
            return function(a, *arguments, **keywords)
        register(*operators)(decompose)
        return function
    return add


def is_known(operator, context):
    """Whether torch-mlir's dialect has an operator."""
    name = str(operator).removesuffix(".default")
    return context.is_registered_operation(f"torch.{name}")


def make_context():
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
    context = ir.Context()
    torch_dialect.register_dialect(context)
    return context


def list_unknown(context):
    """PyTorch's decompositions of operators that torch-mlir does not have."""
    from torch._decomp import global_decomposition_table
    return {operator: function for operator, function in
            global_decomposition_table["post_autograd"].items()
            if isinstance(operator, torch._ops.OpOverload) and
            not is_known(operator, context)}


def call_with_tensors(operator):
    """A call of an operator whose numbers become tensors where it takes these."""
    wants = [str(each.type) == "Tensor" for each in operator._schema.arguments]

    def call(*arguments):
        tensor = next(each for each in arguments if isinstance(each, torch.Tensor))
        return operator(*[
            tensor.new_full((), each) if wanted and not isinstance(each, torch.Tensor)
            else each for each, wanted in zip(arguments, wants)])
    return call


def find_operator(prim, context):
    """The operator of ATen that has the name of one of PyTorch's primitives, if it is
    taken."""
    packet = getattr(torch.ops.aten, prim._schema.name.split("::")[1], None)
    for overload in ("default", "Tensor"):
        operator = getattr(packet, overload, None)
        if operator is not None and (operator in _own or kernels.is_kernel(operator) or
                                     is_known(operator, context)):
            return call_with_tensors(operator)
    return None


def list_primitives(context):
    """Operators of ATen in the place of primitives that torch-mlir does not have, to
    which PyTorch's decompositions lead."""
    import torch._prims  # noqa: F401  registers
    prims = [getattr(torch.ops.prims, name).default for name in dir(torch.ops.prims)
             if isinstance(getattr(torch.ops.prims, name), torch._ops.OpOverloadPacket)]
    found = {prim: find_operator(prim, context) for prim in prims
             if not is_known(prim, context)}
    return {prim: operator for prim, operator in found.items() if operator}


def list_transforms():
    """PyTorch's decompositions of Fourier transforms, which torch-mlir's table lacks."""
    from torch._decomp import core_aten_decompositions
    return {operator: function for operator, function in
            core_aten_decompositions().items()
            if re.match(r"aten\.(fft_|i?stft\b)", str(operator))}


@functools.cache
def get_table():
    """The decompositions of PyTorch and of torch-mlir, and ours, without operators that
    have kernels."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    from . import decompositions  # noqa: F401  registers
    context = make_context()
    table = {operator: function for operator, function in
             {**list_unknown(context), **list_primitives(context),
              **get_decomposition_table(), **list_transforms()}.items()
             if not kernels.is_kernel(operator)}
    return {**table, **_own}


@functools.cache
def get_step_table():
    """Decompositions while a step is differentiated: PyTorch's with ours, but for
    operators that autograd must see as they are."""
    from torch._decomp import core_aten_decompositions
    from . import decompositions  # noqa: F401  registers
    composite = torch._C.DispatchKey.CompositeImplicitAutograd
    own = {operator: function for operator, function in _own.items()
           if not operator.has_kernel_for_dispatch_key(composite)}
    return {operator: function for operator, function in
            {**core_aten_decompositions(), **own}.items()
            if not kernels.is_kernel(operator)}


def decompose(program):
    """The program in operators that torch-mlir or a kernel takes, without mutation.
    """
    try:
        with torch.no_grad():
            return program.run_decompositions(dict(get_table()))
    except Exception as error:  # any operator's function can fail
        raise FrontEndError("PyTorch cannot decompose the exported model: " +
                            first_line(error)) from error
