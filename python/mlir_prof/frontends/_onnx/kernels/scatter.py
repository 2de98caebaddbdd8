# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes rows of updates to the rows that indices name."""

from ._text import combine, element, function, sizes, tensor


def scatter(name, inputs, results, how):
    """data [N, K], index [M] in [0, N), updates [M, K] -> [N, K]. `how` is the
    operation with the element that is there, or "none"."""
    data, index, updates = inputs
    kind = element(data)
    if how == "none":
        merge = ""
    else:
        merge = (f"%old = tensor.extract %inner[%row, %k] : {tensor(data)}\n"
                 f"%new = {combine(how, data)} %old, %update : {kind}")
    stored = "%update" if how == "none" else "%new"
    out = tensor(data)
    return function(name, [("data", data), ("index", index), ("updates", updates)],
                    results, f"""
{sizes("data", data)}
{sizes("updates", updates)}
%out = scf.for %i = %c0 to %updates_0 step %c1 iter_args(%outer = %data) -> ({out}) {{
  %number = tensor.extract %index[%i] : {tensor(index)}
  %row = arith.index_cast %number : i64 to index
  %fits = arith.cmpi ult, %row, %data_0 : index
  cf.assert %fits, "an index of a scatter is out of range"
  %filled = scf.for %k = %c0 to %data_1 step %c1 iter_args(%inner = %outer) -> ({out}) {{
    %update = tensor.extract %updates[%i, %k] : {tensor(updates)}
    {merge}
    %set = tensor.insert {stored} into %inner[%row, %k] : {out}
    scf.yield %set : {out}
  }}
  scf.yield %filled : {out}
}}
return %out : {out}""")
