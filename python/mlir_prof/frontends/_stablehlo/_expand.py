# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops in terms of others, written as functions of jax.numpy."""

import io

from jaxlib.mlir import ir

from .._source import FrontEndError
from ._context import run_passes
from ._inline import inline, inline_calls, place_at
from ._kernel import element_of, sizes_of
from ._places import describe
from ._rewriter import find

#: NumPy's names of MLIR's element types.
DTYPES = {"i1": "bool", "f16": "float16", "bf16": "bfloat16", "f32": "float32",
          "f64": "float64", "complex<f32>": "complex64", "complex<f64>": "complex128"}


def dtype_of(value):
    """NumPy's name of an element type."""
    name = str(element_of(value))
    if name in DTYPES:
        return DTYPES[name]
    return f"uint{name[2:]}" if name.startswith("ui") else f"int{name.lstrip('si')}"


def trace(op, function, operands):
    """The function of jax.numpy as StableHLO text."""
    try:
        import jax
    except ImportError as error:
        raise FrontEndError(f"lowering of {op.name} ({describe(op.location)}) needs "
                            "the package jax; hint: pip install jax") from error
    # Types are those of the op, also of 64 bits.
    with jax.enable_x64(True):
        shapes = [jax.ShapeDtypeStruct(sizes_of(value), dtype_of(value))
                  for value in operands]
        lowered = jax.jit(function, keep_unused=True).trace(*shapes).lower(
            lowering_platforms=("cpu",))
        code = io.BytesIO()
        lowered.compiler_ir("stablehlo").operation.write_bytecode(code)
    return code.getvalue()


def expand_jax(op, function, operands=None):
    """Puts `function` of jax.numpy, of the op's operands, in place of the op; returns
    its results. Shapes must be static."""
    operands = list(op.operands if operands is None else operands)
    if any(None in sizes_of(value) for value in operands):
        return None
    module = ir.Module.parse(trace(op, function, operands)).operation
    run_passes(module, "func.func(stablehlo-legalize-composite-to-call,"
                       "chlo-legalize-to-stablehlo)")
    inline_calls(module)
    main, = find(module, lambda other: other.name == "func.func")
    return inline(main, operands, op.operation, place_at(op.location))
