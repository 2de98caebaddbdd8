# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Equations and determinants of real matrices; see `matrices`. A matrix without a result has one that is
no number, and no error."""

import torch

from .._decompositions import register_real
from ..matrices.triangles import cholesky, lu, permute, solve_lu, solve_triangular

aten = torch.ops.aten


def report(a):
    """The state of success of each matrix: 0."""
    return torch.zeros(a.shape[:-2], dtype=torch.int32)


def make_identity(a):
    return torch.eye(a.shape[-1], dtype=a.dtype).expand(a.shape)


@register_real(aten.linalg_cholesky_ex.default)
def cholesky_ex(a, *, upper=False, check_errors=False):
    factor = cholesky(a.transpose(-1, -2) if upper else a)
    failed = (factor != factor).any(-1).any(-1)
    return factor.transpose(-1, -2) if upper else factor, failed.to(torch.int32)


@register_real(aten.linalg_cholesky.default)
def linalg_cholesky(a, *, upper=False):
    return cholesky_ex(a, upper=upper)[0]


@register_real(aten.cholesky_solve.default)
def cholesky_solve(b, factor, upper=False):
    if upper:
        factor = factor.transpose(-1, -2)
    y = solve_triangular(factor, b, upper=False)
    return solve_triangular(factor.transpose(-1, -2), y, upper=True)


@register_real(aten.cholesky_inverse.default)
def cholesky_inverse(factor, upper=False):
    return cholesky_solve(make_identity(factor), factor, upper)


@register_real(aten.linalg_solve_triangular.default)
def linalg_solve_triangular(a, b, *, upper, left=True, unitriangular=False):
    return solve_triangular(a, b, upper, left, unitriangular)


@register_real(aten.triangular_solve.default)
def triangular_solve(b, a, upper=True, transpose=False, unitriangular=False):
    x = solve_triangular(a.transpose(-1, -2), b, not upper, True, unitriangular) \
        if transpose else solve_triangular(a, b, upper, True, unitriangular)
    return x, a.clone()


@register_real(aten.linalg_lu_factor_ex.default)
def lu_factor_ex(a, *, pivot=True, check_errors=False):
    factors, swaps = lu(a, pivot)
    return factors, swaps.to(torch.int32), report(a)


@register_real(aten.linalg_lu_factor.default)
def lu_factor(a, *, pivot=True):
    return lu_factor_ex(a, pivot=pivot)[:2]


@register_real(aten.linalg_lu_solve.default)
def lu_solve(factors, swaps, b, *, left=True, adjoint=False):
    if left:
        return solve_lu(factors, swaps, b, adjoint)
    return solve_lu(factors, swaps, b.transpose(-1, -2), not adjoint).transpose(-1, -2)


@register_real(aten.lu_unpack.default)
def lu_unpack(factors, swaps, unpack_data=True, unpack_pivots=True):
    rows, columns = factors.shape[-2:]
    count = min(rows, columns)
    lower = torch.tril(factors[..., :count], -1) + torch.eye(rows, count, dtype=factors.dtype)
    identity = torch.eye(rows, dtype=factors.dtype)
    identity = identity.expand(*factors.shape[:-2], rows, rows)
    return (permute(identity, swaps, backward=True), lower,
            torch.triu(factors[..., :count, :]))


@register_real(aten.linalg_lu.default)
def linalg_lu(a, *, pivot=True):
    return lu_unpack(*lu(a, pivot))


@register_real(aten._linalg_solve_ex.default)
def solve_ex(a, b, *, left=True, check_errors=False):
    factors, swaps = lu(a)
    # A vector for each matrix.
    are_vectors = b.dim() == 1 or b.shape == a.shape[:-1]
    x = lu_solve(factors, swaps, b[..., None] if are_vectors else b, left=left)
    return (x[..., 0] if are_vectors else x, factors, swaps.to(torch.int32), report(a))


@register_real(aten.linalg_solve.default)
def linalg_solve(a, b, *, left=True):
    return solve_ex(a, b, left=left)[0]


@register_real(aten.linalg_inv.default, aten.inverse.default)
def linalg_inv(a):
    return solve_lu(*lu(a), make_identity(a))


@register_real(aten.linalg_inv_ex.default)
def inv_ex(a, *, check_errors=False):
    return solve_lu(*lu(a), make_identity(a)), report(a)


def read_determinant(factors, swaps):
    """The diagonal, and the sign of the exchange of rows."""
    moves = (swaps != torch.arange(1, swaps.shape[-1] + 1)).sum(-1)
    return factors.diagonal(0, -2, -1), 1 - 2 * (moves % 2)


@register_real(aten._linalg_det.default)
def det(a):
    factors, swaps = lu(a)
    diagonal, sign = read_determinant(factors, swaps)
    return diagonal.prod(-1) * sign, factors, swaps.to(torch.int32)


@register_real(aten._linalg_slogdet.default)
def slogdet(a):
    factors, swaps = lu(a)
    diagonal, sign = read_determinant(factors, swaps)
    return (torch.sign(diagonal).prod(-1) * sign, torch.log(diagonal.abs()).sum(-1), factors,
            swaps.to(torch.int32))
