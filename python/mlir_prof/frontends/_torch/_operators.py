# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of mlir-prof, which decompositions use and kernels lower."""

import torch

_library = torch.library.Library("mlir_prof", "FRAGMENT")


def define(signature):
    """Declares an operator by its signature; the function gives the results' shapes.
    """
    def add(function):
        name = _library.define(signature)
        torch.library.register_fake(f"mlir_prof::{name}", function, lib=_library)
        return function
    return add


@define("lstm(Tensor gates, Tensor hidden, Tensor cell, Tensor weight, bool reverse) "
        "-> (Tensor, Tensor, Tensor)")
def _(gates, hidden, cell, weight, reverse):
    steps, batch, _ = gates.shape
    return (gates.new_empty(steps, batch, hidden.shape[1]),
            torch.empty_like(hidden), torch.empty_like(cell))


@define("gru(Tensor gates, Tensor hidden, Tensor weight, Tensor bias, bool reverse) "
        "-> (Tensor, Tensor)")
def _(gates, hidden, weight, bias, reverse):
    steps, batch, _ = gates.shape
    return gates.new_empty(steps, batch, hidden.shape[1]), torch.empty_like(hidden)


@define("rnn(Tensor gates, Tensor hidden, Tensor weight, str activation, "
        "bool reverse) -> (Tensor, Tensor)")
def _(gates, hidden, weight, activation, reverse):
    return torch.empty_like(gates), torch.empty_like(hidden)


operators = torch.ops.mlir_prof
