# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conditions that must hold when the model runs."""

from ._text import empty, function, sizes, tensor


def check(name, inputs, results, message):
    """mask [N] -> the same; fails unless all of it is true."""
    mask, out = inputs[0], tensor(results[0])
    return function(name, [("mask", mask)], results, f"""
{sizes("mask", mask)}
{empty("made", results[0], "%mask_0")}
%out = scf.for %n = %c0 to %mask_0 step %c1 iter_args(%old = %made) -> ({out}) {{
  %holds = tensor.extract %mask[%n] : {out}
  cf.assert %holds, "{message}"
  %set = tensor.insert %holds into %old[%n] : {out}
  scf.yield %set : {out}
}}
return %out : {out}""")
