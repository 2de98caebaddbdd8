# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operators are replaced by others before torch-mlir sees the graph."""

import functools

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


@functools.cache
def get_table():
    """torch-mlir's decompositions with ours, without operators that have kernels."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    from . import decompositions  # noqa: F401  registers
    table = {operator: function
             for operator, function in get_decomposition_table().items()
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
