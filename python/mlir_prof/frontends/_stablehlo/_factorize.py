# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of LAPACK, and StableHLO's own ops of that kind."""

import functools

from jaxlib.mlir import ir

from ._expand import expand_jax
from ._jacobi import eigh, svd
from ._kernel import sizes_of
from ._matrices import (cholesky, householder, lu, multiply_reflectors,
                        solve_triangular)
from ._rewriter import replace, rewrites


def lapack(name, kinds="sdcz"):
    """Names of the custom calls of a routine, for these element types."""
    return [f"@lapack_{kind}{name}_ffi" for kind in kinds]


def letter(op, name):
    """An option of a routine, a letter."""
    config = ir.DictAttr(op.attributes["mhlo.backend_config"])
    return chr(ir.IntegerAttr(config[name]).value)


def expand_matrices(op, function, has_info=False):
    """Puts `function` of matrices in place of the op, of stacks of matrices; with
    `has_info` a last result says that the routine succeeded."""
    rank = len(sizes_of(op.operands[0]))
    stack = sizes_of(op.operands[0])[:rank - 2]

    def batched(*operands):
        import jax
        import jax.numpy as jnp
        mapped = function
        for _ in stack:
            mapped = jax.vmap(mapped)
        results = mapped(*operands)
        results = results if isinstance(results, tuple) else (results,)
        if has_info:
            failed = [jnp.isnan(value).any(tuple(range(len(stack), value.ndim)))
                      for value in results if jnp.issubdtype(value.dtype, jnp.inexact)]
            results += (functools.reduce(jnp.logical_or, failed).astype("int32"),)
        return results

    return expand_jax(op, batched)


@rewrites(*lapack("potrf"))
def lower_potrf(op):
    is_lower = letter(op, "uplo") == "L"

    def factor(a):
        # As LAPACK, keeps the other triangle.
        import jax.numpy as jnp
        other = jnp.triu(a, 1) if is_lower else jnp.tril(a, -1)
        return cholesky(a, is_lower) + other

    return expand_matrices(op, factor, has_info=True)


@rewrites("stablehlo.cholesky")
def lower_cholesky(op):
    is_lower = "lower" in op.attributes and ir.BoolAttr(op.attributes["lower"]).value
    return expand_matrices(op, lambda a: cholesky(a, is_lower))


@rewrites(*lapack("trsm"))
def lower_trsm(op):
    return expand_matrices(op, functools.partial(
        solve_triangular, left=letter(op, "side") == "L",
        lower=letter(op, "uplo") == "L", is_unit=letter(op, "diag") == "U",
        transpose=letter(op, "trans_x")))


@rewrites("stablehlo.triangular_solve")
def lower_triangular_solve(op):
    def flag(name):
        return ir.BoolAttr(op.attributes[name]).value
    kind = str(op.attributes["transpose_a"]).split()[-1].rstrip(">")
    transpose = {"NO_TRANSPOSE": "N", "TRANSPOSE": "T", "ADJOINT": "C"}[kind]
    return expand_matrices(op, functools.partial(
        solve_triangular, left=flag("left_side"), lower=flag("lower"),
        is_unit=flag("unit_diagonal"), transpose=transpose))


@rewrites(*lapack("getrf"))
def lower_getrf(op):
    return expand_matrices(op, lu, has_info=True)


@rewrites(*lapack("geqrf"))
def lower_geqrf(op):
    return expand_matrices(op, householder)


@rewrites(*lapack("orgqr", "sd"), *lapack("ungqr", "cz"))
def lower_orgqr(op):
    return expand_matrices(op, multiply_reflectors)


@rewrites(*lapack("syevd", "sd"))
def lower_syevd(op):
    return expand_matrices(op, functools.partial(
        eigh, lower=letter(op, "uplo") == "L"), has_info=True)


@rewrites(*lapack("gesdd", "sd"), *lapack("gesvd", "sd"))
def lower_gesdd(op):
    """Also "N", none wanted, has results of the sizes of "A"."""
    is_full = letter(op, "mode") != "S"

    def decompose(a):
        u, values, vt = svd(a, is_full)
        return a, values, u, vt

    return expand_matrices(op, decompose, has_info=True)


def replace_tuple(op, values):
    """Gives the values to those who take them out of the op's tuple."""
    for use in list(op.results[0].uses):
        taken = use.owner.operation
        place = ir.IntegerAttr(taken.attributes["index"]).value
        replace(taken, [values[place]])
    return []


@rewrites("@Qr")
def lower_qr(op):
    return replace_tuple(op, expand_matrices(op, householder))


@rewrites("@ProductOfElementaryHouseholderReflectors")
def lower_reflectors(op):
    return expand_matrices(op, multiply_reflectors)


@rewrites("@Eigh")
def lower_eigh(op):
    """Options: whether the lower triangle is read, then limits."""
    options = ir.StringAttr(op.attributes["backend_config"]).value.split(",")
    return replace_tuple(op, expand_matrices(op, functools.partial(
        eigh, lower=options[0] == "1")))
