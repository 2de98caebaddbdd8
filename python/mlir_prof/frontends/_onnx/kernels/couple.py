# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Probabilities of classes from those of pairs of classes."""

from ._text import element, empty, function, sizes, tensor


def couple(name, inputs, results):
    """q [N, K, K], positive definite -> p [N, K] that minimizes p' q p for a sum of 1,
    by the iteration of Wu, Lin and Weng, which ends where all rows agree to 0.005 / K
    or after 100 rounds, as in libsvm."""
    q, = inputs
    kind, out, table = element(q), tensor(results[0]), tensor(q)
    count = q.shape[1]
    row = f"tensor<{count}x{kind}>"
    return function(name, [("q", q)], results, f"""
{sizes("q", q)}
%zero = arith.constant 0.0 : {kind}
%one = arith.constant 1.0 : {kind}
%two = arith.constant 2.0 : {kind}
%small = arith.constant {0.005 / count:.17e} : {kind}
%rounds = arith.constant {max(100, count)} : index
%start = arith.constant dense<{1 / count:.17e}> : {row}
%false = arith.constant false
{empty("made", results[0], "%q_0")}
%out = scf.for %n = %c0 to %q_0 step %c1 iter_args(%o0 = %made) -> ({out}) {{
  %end:2 = scf.for %round = %c0 to %rounds step %c1
      iter_args(%p = %start, %was = %false) -> ({row}, i1) {{
    %spare = tensor.empty() : {row}
    %product:2 = scf.for %t = %c0 to %q_1 step %c1
        iter_args(%qp0 = %spare, %s0 = %zero) -> ({row}, {kind}) {{
      %dot = scf.for %j = %c0 to %q_1 step %c1 iter_args(%sum = %zero) -> ({kind}) {{
        %a = tensor.extract %q[%n, %t, %j] : {table}
        %b = tensor.extract %p[%j] : {row}
        %ab = arith.mulf %a, %b : {kind}
        %next = arith.addf %sum, %ab : {kind}
        scf.yield %next : {kind}
      }}
      %set = tensor.insert %dot into %qp0[%t] : {row}
      %pt = tensor.extract %p[%t] : {row}
      %part = arith.mulf %pt, %dot : {kind}
      %s1 = arith.addf %s0, %part : {kind}
      scf.yield %set, %s1 : {row}, {kind}
    }}
    %error = scf.for %t = %c0 to %q_1 step %c1 iter_args(%most = %zero) -> ({kind}) {{
      %x = tensor.extract %product#0[%t] : {row}
      %away = arith.subf %x, %product#1 : {kind}
      %amount = math.absf %away : {kind}
      %next = arith.maximumf %most, %amount : {kind}
      scf.yield %next : {kind}
    }}
    %near = arith.cmpf olt, %error, %small : {kind}
    %done = arith.ori %was, %near : i1
    %new = scf.if %done -> ({row}) {{
      scf.yield %p : {row}
    }} else {{
      %moved:3 = scf.for %t = %c0 to %q_1 step %c1
          iter_args(%p0 = %p, %qp1 = %product#0, %s1 = %product#1)
          -> ({row}, {row}, {kind}) {{
        %x = tensor.extract %qp1[%t] : {row}
        %own = tensor.extract %q[%n, %t, %t] : {table}
        %away = arith.subf %s1, %x : {kind}
        %step = arith.divf %away, %own : {kind}
        %grown = arith.addf %step, %one : {kind}
        %a = arith.mulf %step, %own : {kind}
        %b = arith.mulf %two, %x : {kind}
        %c = arith.addf %a, %b : {kind}
        %d = arith.mulf %step, %c : {kind}
        %e = arith.addf %s1, %d : {kind}
        %square = arith.mulf %grown, %grown : {kind}
        %s2 = arith.divf %e, %square : {kind}
        %old = tensor.extract %p0[%t] : {row}
        %plus = arith.addf %old, %step : {kind}
        %p1 = tensor.insert %plus into %p0[%t] : {row}
        %scaled:2 = scf.for %j = %c0 to %q_1 step %c1
            iter_args(%p2 = %p1, %qp2 = %qp1) -> ({row}, {row}) {{
          %pj = tensor.extract %p2[%j] : {row}
          %pn = arith.divf %pj, %grown : {kind}
          %p3 = tensor.insert %pn into %p2[%j] : {row}
          %qj = tensor.extract %qp2[%j] : {row}
          %qt = tensor.extract %q[%n, %t, %j] : {table}
          %f = arith.mulf %step, %qt : {kind}
          %g = arith.addf %qj, %f : {kind}
          %h = arith.divf %g, %grown : {kind}
          %qp3 = tensor.insert %h into %qp2[%j] : {row}
          scf.yield %p3, %qp3 : {row}, {row}
        }}
        scf.yield %scaled#0, %scaled#1, %s2 : {row}, {row}, {kind}
      }}
      scf.yield %moved#0 : {row}
    }}
    scf.yield %new, %done : {row}, i1
  }}
  %o1 = scf.for %j = %c0 to %q_1 step %c1 iter_args(%o2 = %o0) -> ({out}) {{
    %x = tensor.extract %end#0[%j] : {row}
    %set = tensor.insert %x into %o2[%n, %j] : {out}
    scf.yield %set : {out}
  }}
  scf.yield %o1 : {out}
}}
return %out : {out}""")
