# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MLIR context of jaxlib, apart from those that JAX itself uses."""

import functools

from .._source import FrontEndError


def require_jaxlib():
    """jaxlib's bindings of MLIR, without JAX."""
    try:
        from jaxlib.mlir import ir
    except ImportError as error:
        raise FrontEndError("StableHLO is lowered by jaxlib, which is not "
                            "installed; hint: pip install jax") from error
    return ir


@functools.lru_cache(maxsize=None)
def make_context():
    """A context with all dialects that the rewrites use."""
    ir = require_jaxlib()
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo
    from jaxlib.mlir.passmanager import PassManager
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    # Ops of variables do not have bindings.
    context.allow_unregistered_dialects = True
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (sdy, chlo, stablehlo):
        dialect.register_dialect(context)
    mhlo.register_mhlo_dialect(context)
    stablehlo.register_stablehlo_passes()
    # Passes load linalg, of which there are no bindings.
    with context, ir.Location.unknown():
        PassManager.parse("builtin.module(stablehlo-legalize-to-linalg)").run(
            ir.Module.create().operation)
    return context


def parse(text):
    """A module of StableHLO text or bytecode."""
    return require_jaxlib().Module.parse(text, make_context())


def deserialize(artifact):
    """A module of StableHLO's portable form."""
    context = make_context()
    from jaxlib.mlir.dialects import stablehlo
    return stablehlo.deserialize_portable_artifact(context, artifact)


def run_passes(operation, *passes):
    from jaxlib.mlir.passmanager import PassManager
    with operation.context:
        PassManager.parse(f"builtin.module({','.join(passes)})").run(operation)
