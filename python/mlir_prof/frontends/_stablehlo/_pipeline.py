# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of passes."""

import importlib

from jaxlib.mlir import ir

from .._source import FrontEndError
from ._context import run_passes
from ._finish import inline_scalars, make_signless
from ._places import describe
from ._inline import inline_calls, place_below, place_named
from ._rewriter import REWRITES, find, key_of, replace

#: The files with rewrites.
GROUPS = ["_control", "_convert", "_factorize", "_fourier", "_normalize", "_plain",
          "_precision", "_scatter", "_sizes", "_sort", "_top_k", "_windows"]

#: Dialects that stock MLIR lacks.
FOREIGN = ("stablehlo.", "chlo.", "mhlo.", "sdy.")


def rewrite_all(module):
    """Applies rewrites until none is left to apply."""
    for group in GROUPS:
        importlib.import_module(f".{group}", __package__)
    kept = set()
    while found := find(module, lambda op: key_of(op) in REWRITES and
                        op not in kept):
        for op in found:
            with op.location, ir.InsertionPoint(op):
                values = REWRITES[key_of(op)](op)
            if values is None:
                kept.add(op)
            else:
                replace(op, values)


def sizes_by_data(module):
    """Where sizes come from that the data decide, for messages."""
    return list(dict.fromkeys(
        describe(op.location) or "no location" for op in find(
            module, lambda op: op.name == "stablehlo.set_dimension_size" and
            not ir.RankedTensorType(op.results[0].type).has_static_shape)))


def check(module, dynamic):
    """Refuses the module if something is left that stock MLIR does not have; `dynamic`
    are the places where sizes follow from the data."""
    left = find(module, lambda op: op.name.startswith(FOREIGN) and
                op.name != "stablehlo.return")
    if not left:
        return
    if dynamic:
        raise FrontEndError(
            f"the data decide how many elements a value has ({'; '.join(dynamic)}), "
            f"which {left[0].name} does not take ({describe(left[0].location)}); hint: "
            "keep all elements and replace those that a mask leaves out, as in "
            "where(mask, x, 0), or compute it outside of the model")
    found = "; ".join(dict.fromkeys(
        f"{op.name} {key_of(op).replace(op.name, '')}".strip() +
        f" ({describe(op.location) or 'no location'})" for op in left))
    raise FrontEndError(f"there is no lowering to linalg of {found}; hint: compute it "
                        "outside of the model, or in other terms")


def lower(operation, names_are_absolute):
    run_passes(operation, "func.func(stablehlo-legalize-composite-to-call)")
    inline_calls(operation, place_named if names_are_absolute else place_below)
    dynamic = sizes_by_data(operation)
    rewrite_all(operation)
    run_passes(operation, "func.func(chlo-legalize-to-stablehlo)")
    rewrite_all(operation)
    run_passes(operation, "stablehlo-legalize-to-linalg")
    check(operation, dynamic)
    make_signless(operation)
    inline_scalars(operation)
    run_passes(operation, "canonicalize", "cse")


def run(module, names_are_absolute=False):
    """Lowers a module in place."""
    operation = module.operation
    with operation.context, ir.Location.unknown():
        try:
            lower(operation, names_are_absolute)
        except ir.MLIRError as error:
            raise FrontEndError("the module cannot be lowered: " + "; ".join(
                f"{each.message} ({describe(each.location) or 'no location'})"
                for each in error.error_diagnostics) +
                "; hint: compute it in other terms") from error
