# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns of rows, chosen when the model runs."""

from ._text import element, function, sizes, tensor


def dynamic(result, *dims):
    return ", ".join(dim for dim, size in zip(dims, result.shape) if size is None)


def first_columns(name, inputs, results):
    """data [R, N], count [1] -> [R, count]: the first columns, of which there must be
    as many."""
    data, count = inputs
    out = tensor(results[0])
    return function(name, [("data", data), ("counts", count)], results, f"""
{sizes("data", data)}
%count64 = tensor.extract %counts[%c0] : {tensor(count)}
%count = arith.index_cast %count64 : i64 to index
%fits = arith.cmpi ule, %count, %data_1 : index
cf.assert %fits, "the number of elements is not one of the dimension"
%out = tensor.generate {dynamic(results[0], "%data_0", "%count")} {{
^bb0(%r: index, %k: index):
  %x = tensor.extract %data[%r, %k] : {tensor(data)}
  tensor.yield %x : {element(data)}
}} : {out}
return %out : {out}""")


def pick_columns(name, inputs, results):
    """data [R, N], index [R, K] -> [R, K]: of each row the elements at the indices."""
    data, index = inputs
    out = tensor(results[0])
    return function(name, [("data", data), ("index", index)], results, f"""
{sizes("index", index)}
%out = tensor.generate {dynamic(results[0], "%index_0", "%index_1")} {{
^bb0(%r: index, %k: index):
  %at64 = tensor.extract %index[%r, %k] : {tensor(index)}
  %at = arith.index_cast %at64 : i64 to index
  %x = tensor.extract %data[%r, %at] : {tensor(data)}
  tensor.yield %x : {element(data)}
}} : {out}
return %out : {out}""")
