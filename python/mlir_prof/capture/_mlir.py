# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR in the forms that stock mlir-opt parses."""

import re

from ..frontends import FrontEndError

#: Larger constants are weights, which matching does not use.
LARGEST_CONSTANT = 256

#: Dialects that stock mlir-opt lacks. Ops are at the begin of a line, types
#: after "!".
FOREIGN = re.compile(
    r'^\s*(?:%[\w#:, %]+ = )?"?((?:torch|torch_c|tm_tensor|stablehlo|chlo|mhlo|'
    r"sdy)\.\w+)|!((?:torch|stablehlo)\.\w+)", re.MULTILINE)


def find_foreign(text):
    """Ops and types that stock mlir-opt does not know, sorted."""
    return sorted({op or type_ for op, type_ in FOREIGN.findall(text)})


def plain_text(operation, weights=True, **options):
    """The text with locations; without `weights`, large constants are elided."""
    if not weights:
        options.update(large_elements_limit=LARGEST_CONSTANT,
                       large_resource_limit=LARGEST_CONSTANT)
    return operation.get_asm(enable_debug_info=True, **options)


def generic_text(operation):
    """The generic form, which can be parsed without the dialects, for matching
    only: without weights."""
    return plain_text(operation, weights=False, print_generic_op_form=True)


def first_line(error):
    """An exception's message, shortened for a note: MLIR's first error, else
    its first line."""
    text = str(error).strip() or repr(error)
    found = re.search(r"\berror: (.+)", text)
    return (found[1] if found else text.splitlines()[0])[:200]


def add_linalg(draft, text):
    """Keeps linalg.mlir if stock mlir-opt knows all of its ops."""
    foreign = find_foreign(text)
    if foreign:
        draft.notes.append("no linalg.mlir: left over are " + ", ".join(foreign))
        return
    draft.linalg = draft.write("linalg.mlir", text)


def add_linalg_of(draft, make):
    """Keeps linalg.mlir, the text that `make()` returns, or notes why not."""
    try:
        add_linalg(draft, make())
    except FrontEndError as error:  # its text says what to do
        draft.notes.append(f"no linalg.mlir: {error}")
    except Exception as error:  # anything that the framework's version lacks
        draft.notes.append(f"no linalg.mlir: {first_line(error)}")
