#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints Triton's MLIR of a kernel (.ttir, .ttgir) in generic form, which stock mlir-opt
parses with --allow-unregistered-dialect. Needs Triton, but no GPU.

Triton's bindings print custom forms only. MLIR prints a module that is not valid in
generic form, so that a second terminator is added, and its line removed again.

Usage: generic_triton.py KERNEL.ttir TARGET.mlir
"""

import sys

from triton._C.libtriton import ir, nvidia


def generic_text(path):
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    module = ir.parse_mlir_module(path, context)
    ends = []
    module.walk(lambda op: ends.append(op.get_block())
                if op.get_name() == "tt.return" else None)
    builder = ir.builder(context)
    builder.set_insertion_point_to_end(ends[-1])
    builder.ret([])
    lines = module.str().splitlines(keepends=True)
    added = max(i for i, line in enumerate(lines) if '"tt.return"()' in line)
    return "".join(lines[:added] + lines[added + 1:])


if __name__ == "__main__":
    source, target = sys.argv[1:]
    with open(target, "w") as file:
        file.write(generic_text(source))
