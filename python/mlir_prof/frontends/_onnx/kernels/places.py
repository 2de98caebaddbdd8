# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The places of true elements."""

from ._text import function, sizes, tensor


def places(name, inputs, results):
    """mask [N] -> indices [?] of the true elements, in their order."""
    mask, out = inputs[0], tensor(results[0])
    return function(name, [("mask", mask)], results, f"""
{sizes("mask", mask)}
%count = scf.for %i = %c0 to %mask_0 step %c1 iter_args(%n = %c0) -> (index) {{
  %set = tensor.extract %mask[%i] : {tensor(mask)}
  %more = arith.addi %n, %c1 : index
  %next = arith.select %set, %more, %n : index
  scf.yield %next : index
}}
%made = tensor.empty(%count) : {out}
%out:2 = scf.for %i = %c0 to %mask_0 step %c1 iter_args(%o = %made, %n = %c0) -> ({out}, index) {{
  %set = tensor.extract %mask[%i] : {tensor(mask)}
  %next:2 = scf.if %set -> ({out}, index) {{
    %number = arith.index_cast %i : index to i64
    %filled = tensor.insert %number into %o[%n] : {out}
    %more = arith.addi %n, %c1 : index
    scf.yield %filled, %more : {out}, index
  }} else {{
    scf.yield %o, %n : {out}, index
  }}
  scf.yield %next#0, %next#1 : {out}, index
}}
return %out#0 : {out}""")
