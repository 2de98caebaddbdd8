# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels by operator."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Kernel:
    """The function that replaces a node."""

    #: The nodes whose tensors are the arguments of the function.
    operands: list
    #: Makes the text of the function, given MLIR's types of operands and results.
    write: typing.Callable[[list, list], str]


_makers = {}


def register(*operators):
    """Registers a function that makes of a node a Kernel, or None if torch-mlir
    takes the node. Operators of packages that may be absent are given by name."""
    def add(maker):
        for operator in operators:
            _makers[str(operator)] = maker
        return maker
    return add


def is_kernel(operator):
    """Whether an operator may have a kernel, and so must not be decomposed."""
    return str(operator) in _makers


def find(node):
    """The kernel of a node, or None."""
    maker = _makers.get(str(node.target))
    return maker(node) if maker else None
