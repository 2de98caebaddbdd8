# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise ops that treat numbers as unsigned, and others of one line."""

from ._text import element, empty, function, sizes, tensor


def unsigned(name, inputs, results, op, converts=False):
    """Operands of one shape -> `op` of them."""
    result = results[0]
    names = [f"%x{place}" for place in range(len(inputs))]
    dims = ", ".join(f"d{dim}" for dim in range(result.rank))
    maps = ", ".join([f"affine_map<({dims}) -> ({dims})>"] * (len(inputs) + 1))
    loops = ", ".join(['"parallel"'] * result.rank)
    kinds = [element(value) for value in inputs]
    ending = f" to {element(result)}" if converts else ""
    arguments = ", ".join(f"{key}: {kind}" for key, kind in zip(names, kinds))
    types = ", ".join(map(tensor, inputs))
    data = inputs[0]
    return function(name, [(f"in{place}", value)
                           for place, value in enumerate(inputs)], results, f"""
{sizes("in0", data)}
{empty("made", result, *(f"%in0_{dim}" for dim in range(result.rank)))}
%out = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{loops}]}}
    ins({", ".join(f"%in{place}" for place in range(len(inputs)))} : {types})
    outs(%made : {tensor(result)}) {{
^bb0({arguments}, %z: {element(result)}):
  %y = {op} {", ".join(names)} : {kinds[0]}{ending}
  linalg.yield %y : {element(result)}
}} -> {tensor(result)}
return %out : {tensor(result)}""")
