# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions between integers as they are stored and as they are carried."""

from ._text import element, empty, function, sizes, tensor

_WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


def lines_of(source, target, stored, unsigned):
    """The ops from `%x` of type `source`, by way of `stored`, to `%y`."""
    lines, kind = [], source
    for name, next_kind in (("s", stored), ("y", target)):
        if _WIDTHS[next_kind] == _WIDTHS[kind]:
            lines.append(f"%{name} = arith.bitcast %x : {kind} to {next_kind}")
        elif _WIDTHS[next_kind] < _WIDTHS[kind]:
            lines.append(f"%{name} = arith.trunci %x : {kind} to {next_kind}")
        else:
            sign = "u" if unsigned else "s"
            lines.append(f"%{name} = arith.ext{sign}i %x : {kind} to {next_kind}")
        lines[-1] = lines[-1].replace("%x", "%x" if name == "s" else "%s")
        kind = next_kind
    return "\n".join(lines)


def convert(name, inputs, results, bits, unsigned):
    """Takes the lowest `bits` of each element, and widens them to the type of the
    result."""
    data, result = inputs[0], results[0]
    source, target = element(data), element(result)
    dims = ", ".join(f"d{dim}" for dim in range(data.rank))
    loops = ", ".join(['"parallel"'] * data.rank)
    which = f"affine_map<({dims}) -> ({dims})>"
    return function(name, [("data", data)], results, f"""
{sizes("data", data)}
{empty("made", result, *(f"%data_{dim}" for dim in range(data.rank)))}
%out = linalg.generic {{indexing_maps = [{which}, {which}], iterator_types = [{loops}]}}
    ins(%data : {tensor(data)}) outs(%made : {tensor(result)}) {{
^bb0(%x: {source}, %z: {target}):
  {lines_of(source, target, f"i{bits}", unsigned)}
  linalg.yield %y : {target}
}} -> {tensor(result)}
return %out : {tensor(result)}""")


def reinterpret(name, inputs, results):
    """The bits of each element as another type."""
    from .unsigned import unsigned
    same = element(inputs[0]) == element(results[0])
    if same:
        return function(name, [("data", inputs[0])], results,
                        f"return %data : {tensor(results[0])}")
    return unsigned(name, inputs, results, op="arith.bitcast", converts=True)
