# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of rows."""

from ._text import combine, element, empty, function, sizes, tensor


def reduce(name, inputs, results, how):
    """data [N, K] -> [N], by an operation that has 0 or 1 as its neutral element."""
    data, result = inputs[0], results[0]
    kind, source, out = element(data), tensor(data), tensor(result)
    first = {"add": "0", "mul": "1"}[how] + (".0" if data.is_float else "")
    return function(name, [("data", data)], results, f"""
{sizes("data", data)}
%first = arith.constant {first} : {kind}
{empty("made", result, "%data_0")}
%start = linalg.fill ins(%first : {kind}) outs(%made : {out}) -> {out}
%out = linalg.generic {{indexing_maps = [affine_map<(i, k) -> (i, k)>,
    affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}}
    ins(%data : {source}) outs(%start : {out}) {{
^bb0(%x: {kind}, %y: {kind}):
  %z = {combine(how, data)} %x, %y : {kind}
  linalg.yield %z : {kind}
}} -> {out}
return %out : {out}""")
