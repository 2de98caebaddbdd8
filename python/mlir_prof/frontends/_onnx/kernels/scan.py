# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums and products."""

from ._text import combine, element, empty, function, sizes, tensor


def scan(name, inputs, results, how, exclusive, reverse):
    """data [A, N, B] -> [A, N, B], along the second dimension."""
    data, kind, out = inputs[0], element(inputs[0]), tensor(results[0])
    first = {"add": 0, "mul": 1}[how]
    first = f"{first}.0" if data.is_float else first
    last = "%last = arith.subi %data_1, %c1 : index\n" if reverse else ""
    place = "%at = arith.subi %last, %step : index" if reverse else \
        "%at = arith.addi %step, %c0 : index"
    stored = "%sum" if exclusive else "%next"
    return function(name, [("data", data)], results, f"""
{sizes("data", data)}
{last}%first = arith.constant {first} : {kind}
{empty("made", results[0], "%data_0", "%data_1", "%data_2")}
%out = scf.for %a = %c0 to %data_0 step %c1 iter_args(%o0 = %made) -> ({out}) {{
  %o1 = scf.for %b = %c0 to %data_2 step %c1 iter_args(%o2 = %o0) -> ({out}) {{
    %o3:2 = scf.for %step = %c0 to %data_1 step %c1
        iter_args(%o4 = %o2, %sum = %first) -> ({out}, {kind}) {{
      {place}
      %x = tensor.extract %data[%a, %at, %b] : {tensor(data)}
      %next = {combine(how, data)} %sum, %x : {kind}
      %set = tensor.insert {stored} into %o4[%a, %at, %b] : {out}
      scf.yield %set, %next : {out}, {kind}
    }}
    scf.yield %o3#0 : {out}
  }}
  scf.yield %o1 : {out}
}}
return %out : {out}""")
