# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums and products."""

from ._text import combine, element, empty, function, nest, sizes, tensor


def scan(name, inputs, results, axis, how, exclusive, reverse):
    """data -> the same shape, along `axis`."""
    data, kind, out = inputs[0], element(inputs[0]), tensor(results[0])
    first = {"add": 0, "mul": 1}[how]
    first = f"{first}.0" if data.is_float else first
    last = f"%last = arith.subi %data_{axis}, %c1 : index\n" if reverse else ""
    place = "%at = arith.subi %last, %step : index" if reverse else \
        "%at = arith.addi %step, %c0 : index"
    stored = "%sum" if exclusive else "%next"
    places = ", ".join("%at" if dim == axis else f"%i{dim}" for dim in range(data.rank))
    others = [(f"%i{dim}", f"%data_{dim}") for dim in range(data.rank) if dim != axis]
    loops = nest(others, "%made", out, lambda old: f"""
%out:2 = scf.for %step = %c0 to %data_{axis} step %c1
    iter_args(%o = {old}, %sum = %first) -> ({out}, {kind}) {{
  {place}
  %x = tensor.extract %data[{places}] : {tensor(data)}
  %next = {combine(how, data)} %sum, %x : {kind}
  %set = tensor.insert {stored} into %o[{places}] : {out}
  scf.yield %set, %next : {out}, {kind}
}}""", "%out#0")
    return function(name, [("data", data)], results, f"""
{sizes("data", data)}
{last}%first = arith.constant {first} : {kind}
{empty("made", results[0], *(f"%data_{dim}" for dim in range(data.rank)))}
{loops}""")
