# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stable order of the elements of rows."""

from ._text import element, empty, function, greater, sizes, tensor


def order(name, inputs, results, descending):
    """data [R, N] -> indices [R, N] that sort each row. Merges runs whose length
    doubles; equal elements stay in their order."""
    data, = inputs
    out, source = tensor(results[0]), tensor(data)
    row = results[0].__class__("row", results[0].dtype, data.shape[1:])
    runs, kind = tensor(row), element(data)
    before = greater(data, "gt" if descending else "lt")
    return function(name, [("data", data)], results, f"""
{sizes("data", data)}
%c2 = arith.constant 2 : index
%end = arith.subi %data_1, %c1 : index
%long = arith.index_cast %data_1 : index to i64
%one = arith.constant 1 : i64
%less = arith.subi %long, %one : i64
%zeros = math.ctlz %less : i64
%bits = arith.constant 64 : i64
%passes64 = arith.subi %bits, %zeros : i64
%some = arith.cmpi sgt, %long, %one : i64
%none = arith.constant 0 : i64
%passes = arith.select %some, %passes64, %none : i64
%count = arith.index_cast %passes : i64 to index
{empty("made", results[0], "%data_0", "%data_1")}
{empty("spare", row, "%data_1")}
%out = scf.for %r = %c0 to %data_0 step %c1 iter_args(%o0 = %made) -> ({out}) {{
  %start = scf.for %i = %c0 to %data_1 step %c1 iter_args(%s = %spare) -> ({runs}) {{
    %i64 = arith.index_cast %i : index to i64
    %set = tensor.insert %i64 into %s[%i] : {runs}
    scf.yield %set : {runs}
  }}
  %sorted = scf.for %p = %c0 to %count step %c1 iter_args(%old = %start) -> ({runs}) {{
    %width = arith.shli %c1, %p : index
    %both = arith.muli %width, %c2 : index
    {empty("fresh", row, "%data_1")}
    %merged = scf.for %low = %c0 to %data_1 step %both iter_args(%m0 = %fresh) -> ({runs}) {{
      %low_middle = arith.addi %low, %width : index
      %middle = arith.minsi %low_middle, %data_1 : index
      %low_high = arith.addi %low, %both : index
      %high = arith.minsi %low_high, %data_1 : index
      %run:3 = scf.for %k = %low to %high step %c1
          iter_args(%m1 = %m0, %i = %low, %j = %middle) -> ({runs}, index, index) {{
        %left_in = arith.minsi %i, %end : index
        %right_in = arith.minsi %j, %end : index
        %left64 = tensor.extract %old[%left_in] : {runs}
        %right64 = tensor.extract %old[%right_in] : {runs}
        %left = arith.index_cast %left64 : i64 to index
        %right = arith.index_cast %right64 : i64 to index
        %x = tensor.extract %data[%r, %left] : {source}
        %y = tensor.extract %data[%r, %right] : {source}
        %sooner = {before} %y, %x : {kind}
        %has_left = arith.cmpi slt, %i, %middle : index
        %has_right = arith.cmpi slt, %j, %high : index
        %right_wins = arith.andi %sooner, %has_right : i1
        %true = arith.constant true
        %no_left = arith.xori %has_left, %true : i1
        %take_right = arith.ori %right_wins, %no_left : i1
        %taken = arith.select %take_right, %right64, %left64 : i64
        %set = tensor.insert %taken into %m1[%k] : {runs}
        %i_next = arith.addi %i, %c1 : index
        %j_next = arith.addi %j, %c1 : index
        %i_new = arith.select %take_right, %i, %i_next : index
        %j_new = arith.select %take_right, %j_next, %j : index
        scf.yield %set, %i_new, %j_new : {runs}, index, index
      }}
      scf.yield %run#0 : {runs}
    }}
    scf.yield %merged : {runs}
  }}
  %o1 = scf.for %i = %c0 to %data_1 step %c1 iter_args(%o2 = %o0) -> ({out}) {{
    %number = tensor.extract %sorted[%i] : {runs}
    %set = tensor.insert %number into %o2[%r, %i] : {out}
    scf.yield %set : {out}
  }}
  scf.yield %o1 : {out}
}}
return %out : {out}""")
