# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR in the forms that stock mlir-opt parses."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

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


def find_torch_mlir_opt():
    """$TORCH_MLIR_OPT, torch-mlir-opt in PATH, else that of the package
    torch-mlir; None if there is none."""
    found = shutil.which(os.environ.get("TORCH_MLIR_OPT", "torch-mlir-opt"))
    if found:
        return found
    # Not imported, so that its MLIR does not meet that of another framework.
    package = importlib.util.find_spec("torch_mlir")
    for folder in (package.submodule_search_locations or []) if package else []:
        path = pathlib.Path(folder) / "_mlir_libs" / "torch-mlir-opt"
        if os.access(path, os.X_OK):
            return str(path)
    return None


def replace_copies(text):
    """Replaces XLA's own copies by their meaning: StableHLO does not have an
    op of that name."""
    return re.sub(r"= mhlo\.copy (%[\w#]+) : (tensor<[^>]*>)",
                  r"= stablehlo.reshape \1 : (\2) -> \2", text)


def add_linalg_of_stablehlo(draft, text):
    """Lowers StableHLO by torch-mlir-opt, if it is installed."""
    tool = find_torch_mlir_opt()
    if not tool:
        draft.notes.append("no linalg.mlir: torch-mlir is not installed; hint: "
                           "pip install torch-mlir")
        return
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "stablehlo.mlir"
        source.write_text(replace_copies(text), encoding="utf-8")
        result = subprocess.run(
            [tool, source, "--stablehlo-legalize-to-linalg",
             "--mlir-print-debuginfo"], capture_output=True, encoding="utf-8")
    if result.returncode:
        draft.notes.append("no linalg.mlir: torch-mlir-opt: " +
                           first_line(result.stderr or "gave no reason"))
        return
    add_linalg(draft, result.stdout)
