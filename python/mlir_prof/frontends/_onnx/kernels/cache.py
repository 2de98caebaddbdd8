# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches of keys and values."""

from ._text import element, function, sizes, tensor


def merge(name, inputs, results):
    """past [B, H, P, D], new [B, H, S, D], begins [B], total [] ->
    [B, H, max(P, total), D]: the first `begin` elements of the past, those of `new`
    behind them, and then 0."""
    past, new, begins, total = inputs
    kind, out = element(past), tensor(results[0])
    shape = results[0].shape
    used = [text for text, size in zip(("%new_0", "%new_1", "%most", "%new_3"), shape)
            if size is None]
    return function(name, [("past", past), ("new", new), ("begins", begins),
                           ("total", total)], results, f"""
{sizes("past", past)}
{sizes("new", new)}
%total64 = tensor.extract %total[] : {tensor(total)}
%count = arith.index_cast %total64 : i64 to index
%most = arith.maxsi %count, %past_2 : index
%zero = arith.constant 0.0 : {kind}
%out = tensor.generate {", ".join(used)} {{
^bb0(%b: index, %h: index, %t: index, %d: index):
  %begin64 = tensor.extract %begins[%b] : {tensor(begins)}
  %begin = arith.index_cast %begin64 : i64 to index
  %away = arith.subi %t, %begin : index
  %is_new = arith.cmpi ult, %away, %new_2 : index
  %before = arith.cmpi slt, %t, %begin : index
  %held = arith.cmpi ult, %t, %past_2 : index
  %is_past = arith.andi %before, %held : i1
  %at_new = arith.select %is_new, %away, %c0 : index
  %at_past = arith.select %is_past, %t, %c0 : index
  %x = tensor.extract %new[%b, %h, %at_new, %d] : {tensor(new)}
  %y = tensor.extract %past[%b, %h, %at_past, %d] : {tensor(past)}
  %old = arith.select %is_past, %y, %zero : {kind}
  %z = arith.select %is_new, %x, %old : {kind}
  tensor.yield %z : {kind}
}} : {out}
return %out : {out}""")
