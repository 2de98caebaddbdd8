# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Orthogonal factors, eigenvalues and singular values of real matrices; see `matrices`."""

import torch

from .._decompositions import register_real
from ..matrices.reflectors import householder, multiply_reflectors
from ..matrices.rotations import eigh, svd

aten = torch.ops.aten


@register_real(aten.geqrf.default)
def geqrf(a):
    return householder(a)


@register_real(aten.linalg_householder_product.default)
def householder_product(a, factors):
    return multiply_reflectors(a, factors, a.shape[-1])


@register_real(aten.linalg_qr.default)
def qr(a, mode="reduced"):
    factored, factors = householder(a)
    size = a.shape[-2] if mode == "complete" else min(a.shape[-2:])
    q = a.new_zeros(0) if mode == "r" else multiply_reflectors(factored, factors, size)
    return q, torch.triu(factored[..., :size, :])


@register_real(aten._linalg_eigh.default)
def linalg_eigh(a, UPLO="L", compute_v=True):
    values, vectors = eigh(a, UPLO.upper() == "L")
    return values, vectors if compute_v else a.new_zeros(0)


@register_real(aten._linalg_svd.default)
def linalg_svd(a, full_matrices=False, compute_uv=True, *, driver=None):
    u, values, vt = svd(a, full_matrices and compute_uv)
    return (u, values, vt) if compute_uv else (a.new_zeros(0), values, a.new_zeros(0))


@register_real(aten.linalg_pinv.atol_rtol_tensor)
def pinv(a, *, atol=None, rtol=None, hermitian=False):
    u, values, vt = svd(a, False)
    if rtol is None:
        given = 0 if atol is None else (atol > 0).to(a.dtype)
        rtol = max(a.shape[-2:]) * torch.finfo(a.dtype).eps * (1 - given)
    most = values.amax(-1, keepdim=True)
    limit = most * (rtol[..., None] if isinstance(rtol, torch.Tensor) else rtol)
    if atol is not None:
        limit = torch.maximum(limit, atol[..., None].expand_as(limit))
    kept = values > limit
    inverse = torch.where(kept, 1 / torch.where(kept, values, 1), 0)
    return (vt.transpose(-1, -2) * inverse[..., None, :]) @ u.transpose(-1, -2)
