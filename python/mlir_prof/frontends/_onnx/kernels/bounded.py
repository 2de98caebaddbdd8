# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that must lie within a dimension."""

from ._text import empty, function, sizes, tensor


def loops(rank, out, body):
    """Nested loops over all indices `%i0` and so on, of which `body` makes `%set` of
    `%old`."""
    text = body.replace("%old", f"%o{rank - 1}")
    for dim in reversed(range(rank)):
        outer = f"%o{dim - 1}" if dim else "%made"
        inner = "%set" if dim == rank - 1 else f"%r{dim + 1}"
        text = (f"%r{dim} = scf.for %i{dim} = %c0 to %index_{dim} step %c1 "
                f"iter_args(%o{dim} = {outer}) -> ({out}) {{\n{text}\n"
                f"scf.yield {inner} : {out}\n}}")
    return text


def bounded(name, inputs, results):
    """index of at least one dimension, size [] -> the indices, of which
    negative ones count from the end; fails for those outside of [-size, size)."""
    index, limit = inputs
    out = tensor(results[0])
    at = ", ".join(f"%i{dim}" for dim in range(index.rank))
    body = f"""  %given = tensor.extract %index[{at}] : {tensor(index)}
  %behind = arith.addi %given, %size : i64
  %negative = arith.cmpi slt, %given, %zero : i64
  %place = arith.select %negative, %behind, %given : i64
  %fits = arith.cmpi ult, %place, %size : i64
  cf.assert %fits, "an index of a gather is out of range"
  %set = tensor.insert %place into %old[{at}] : {out}"""
    return function(name, [("index", index), ("limit", limit)], results, f"""
{sizes("index", index)}
%size = tensor.extract %limit[] : {tensor(limit)}
%zero = arith.constant 0 : i64
{empty("made", results[0], *(f"%index_{dim}" for dim in range(index.rank)))}
{loops(index.rank, out, body)}
return %r0 : {out}""")
