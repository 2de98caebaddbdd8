# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers from 0 on, as many as are known at run time."""

from ._text import element, function, tensor

#: The ceiling of a quotient as an index, from `%room` and `%delta` other than 0.
_CEILING = {
    "i64": """%quotient = arith.ceildivsi %room, %delta : i64
%count64 = arith.maxsi %quotient, %zero : i64""",
    "f64": """%exact = arith.divf %room, %delta : f64
%up = math.ceil %exact : f64
%quotient = arith.fptosi %up : f64 to i64
%count64 = arith.maxsi %quotient, %zero : i64"""}


def number(name, inputs, results):
    """room [], delta [] -> 0, 1, ... up to room / delta, without it: [?]."""
    room, delta = inputs
    kind, out = element(room), tensor(results[0])
    none, order = ("0.0", "arith.cmpf une,") if room.is_float else ("0", "arith.cmpi ne,")
    return function(name, [("rooms", room), ("deltas", delta)], results, f"""
%zero = arith.constant 0 : i64
%none = arith.constant {none} : {kind}
%room = tensor.extract %rooms[] : {tensor(room)}
%delta = tensor.extract %deltas[] : {tensor(delta)}
%moves = {order} %delta, %none : {kind}
cf.assert %moves, "the step of a range is 0"
{_CEILING[kind]}
%count = arith.index_cast %count64 : i64 to index
%out = tensor.generate %count {{
^bb0(%at: index):
  %x = arith.index_cast %at : index to i64
  tensor.yield %x : i64
}} : {out}
return %out : {out}""")
