# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses boxes of which no two overlap much."""

from ._text import element, empty, function, sizes, tensor


def suppress(name, inputs, results):
    """boxes [B, N, 4] as (low y, low x, high y, high x), scores [R, N], order [R, N]
    by descending score, class count [], most [], overlap [], least score [] -> mask
    [R, N] of chosen places of the order."""
    boxes, scores, order, classes, most, overlap, least = inputs
    result, = results
    out, kind, boxed = tensor(result), element(boxes), tensor(boxes)

    def corners(tag, box):
        return "\n".join(
            f"%{tag}{place} = tensor.extract %boxes[%image, {box}, %k{place}] : {boxed}"
            for place in range(4))

    def area(tag):
        return (f"%{tag}h = arith.subf %{tag}2, %{tag}0 : {kind}\n"
                f"%{tag}w = arith.subf %{tag}3, %{tag}1 : {kind}\n"
                f"%{tag}area = arith.mulf %{tag}h, %{tag}w : {kind}")
    scalars = [("classes", classes), ("most", most), ("overlap", overlap),
               ("least", least)]
    loaded = "\n".join(f"%{key}_v = tensor.extract %{key}[] : {tensor(value)}"
                       for key, value in scalars)
    indices = "\n".join(f"%k{place} = arith.constant {place} : index"
                        for place in range(4))
    return function(name, [("boxes", boxes), ("scores", scores), ("order", order),
                           *scalars], results, f"""
{sizes("scores", scores)}
{loaded}
{indices}
%zero = arith.constant 0.0 : {kind}
%yes = arith.constant true
%no = arith.constant false
%none = arith.constant 0 : i64
%one = arith.constant 1 : i64
%per = arith.index_cast %classes_v : i64 to index
{empty("made", result, "%scores_0", "%scores_1")}
%out = scf.for %r = %c0 to %scores_0 step %c1 iter_args(%o0 = %made) -> ({out}) {{
  %image = arith.divui %r, %per : index
  %o1:2 = scf.for %i = %c0 to %scores_1 step %c1
      iter_args(%o2 = %o0, %count = %none) -> ({out}, i64) {{
    %box64 = tensor.extract %order[%r, %i] : {tensor(order)}
    %box = arith.index_cast %box64 : i64 to index
    %score = tensor.extract %scores[%r, %box] : {tensor(scores)}
    %high = arith.cmpf ogt, %score, %least_v : {kind}
    %room = arith.cmpi slt, %count, %most_v : i64
    %may = arith.andi %high, %room : i1
    {corners("a", "%box")}
    {area("a")}
    %free = scf.for %j = %c0 to %i step %c1 iter_args(%f = %may) -> (i1) {{
      %chosen = tensor.extract %o2[%r, %j] : {out}
      %other64 = tensor.extract %order[%r, %j] : {tensor(order)}
      %other = arith.index_cast %other64 : i64 to index
      {corners("b", "%other")}
      {area("b")}
      %y0 = arith.maximumf %a0, %b0 : {kind}
      %x0 = arith.maximumf %a1, %b1 : {kind}
      %y1 = arith.minimumf %a2, %b2 : {kind}
      %x1 = arith.minimumf %a3, %b3 : {kind}
      %h0 = arith.subf %y1, %y0 : {kind}
      %w0 = arith.subf %x1, %x0 : {kind}
      %h = arith.maximumf %h0, %zero : {kind}
      %w = arith.maximumf %w0, %zero : {kind}
      %shared = arith.mulf %h, %w : {kind}
      %sum = arith.addf %aarea, %barea : {kind}
      %union = arith.subf %sum, %shared : {kind}
      %part = arith.divf %shared, %union : {kind}
      %much = arith.cmpf ogt, %part, %overlap_v : {kind}
      %hit = arith.andi %much, %chosen : i1
      %next = arith.select %hit, %no, %f : i1
      scf.yield %next : i1
    }}
    %set = tensor.insert %free into %o2[%r, %i] : {out}
    %more = arith.addi %count, %one : i64
    %total = arith.select %free, %more, %count : i64
    scf.yield %set, %total : {out}, i64
  }}
  scf.yield %o1#0 : {out}
}}
return %out : {out}""")
