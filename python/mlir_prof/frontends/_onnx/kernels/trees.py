# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Walks through decision trees."""

from ._text import element, empty, function, sizes, tensor

#: The comparisons of a feature with the value of a node, by ONNX's names, in the
#: order of their numbers.
BRANCHES = {"BRANCH_LEQ": "ole", "BRANCH_LT": "olt", "BRANCH_GTE": "oge",
            "BRANCH_GT": "ogt", "BRANCH_EQ": "oeq", "BRANCH_NEQ": "une"}

LEAF = "LEAF"


def chosen(branches, missing, kind):
    """The lines from `%x`, `%value` and `%mode` to `%goes`, whether the walk goes to
    the first child. The number of a mode is its place in `branches`."""
    lines = [f"%is0 = arith.cmpf {BRANCHES[branches[0]]}, %x, %value : {kind}"]
    for number, branch in enumerate(branches[1:], 1):
        lines += [f"%n{number} = arith.constant {number} : i64",
                  f"%at{number} = arith.cmpi eq, %mode, %n{number} : i64",
                  f"%as{number} = arith.cmpf {BRANCHES[branch]}, %x, %value : {kind}",
                  f"%is{number} = arith.select %at{number}, %as{number}, "
                  f"%is{number - 1} : i1"]
    last = f"%is{len(branches) - 1}"
    if not missing:
        return "\n".join([*lines, f"%goes = arith.ori {last}, {last} : i1"])
    return "\n".join([*lines, f"%nan = arith.cmpf uno, %x, %x : {kind}",
                      "%tracks64 = tensor.extract %missing[%node] : TABLE",
                      "%none = arith.constant 0 : i64",
                      "%tracks = arith.cmpi ne, %tracks64, %none : i64",
                      "%lost = arith.andi %nan, %tracks : i1",
                      f"%goes = arith.ori {last}, %lost : i1"])


def trees(name, inputs, results, branches, missing):
    """data [N, F]; for each tree its root [T]; for each node [M] its feature, value,
    mode (the place of its comparison in `branches`, or more for a leaf), the nodes to
    which it goes if the comparison holds or not, and whether it holds for NaN ->
    the leaves [N, T] at which walks end."""
    data, roots, feature, value = inputs[:4]
    kind, table, out = element(data), tensor(feature), tensor(results[0])
    names = ["data", "roots", "feature", "values", "modes", "yes", "no", "missing"]
    body = chosen(branches, missing, kind).replace("TABLE", table) if branches else \
        "%goes = arith.constant true"
    return function(name, list(zip(names, inputs)), results, f"""
{sizes("data", data)}
{sizes("roots", roots)}
%leaf = arith.constant {len(branches)} : i64
{empty("made", results[0], "%data_0", "%roots_0")}
%out = scf.for %n = %c0 to %data_0 step %c1 iter_args(%o0 = %made) -> ({out}) {{
  %o1 = scf.for %t = %c0 to %roots_0 step %c1 iter_args(%o2 = %o0) -> ({out}) {{
    %root = tensor.extract %roots[%t] : {tensor(roots)}
    %end = scf.while (%now = %root) : (i64) -> i64 {{
      %place = arith.index_cast %now : i64 to index
      %which = tensor.extract %modes[%place] : {table}
      %more = arith.cmpi slt, %which, %leaf : i64
      scf.condition(%more) %now : i64
    }} do {{
    ^bb0(%now: i64):
      %node = arith.index_cast %now : i64 to index
      %mode = tensor.extract %modes[%node] : {table}
      %column64 = tensor.extract %feature[%node] : {table}
      %column = arith.index_cast %column64 : i64 to index
      %x = tensor.extract %data[%n, %column] : {tensor(data)}
      %value = tensor.extract %values[%node] : {tensor(value)}
      {body}
      %first = tensor.extract %yes[%node] : {table}
      %second = tensor.extract %no[%node] : {table}
      %next = arith.select %goes, %first, %second : i64
      scf.yield %next : i64
    }}
    %set = tensor.insert %end into %o2[%n, %t] : {out}
    scf.yield %set : {out}
  }}
  scf.yield %o1 : {out}
}}
return %out : {out}""")
