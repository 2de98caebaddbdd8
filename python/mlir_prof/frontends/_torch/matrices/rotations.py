# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eigenvalues and singular values, by rotations of pairs of columns (Jacobi).

All pairs of one round are disjoint, so that a round is a few products; the rounds of
a sweep treat each pair once.
"""

import torch

from .loops import repeat
from .reflectors import householder, multiply_reflectors

#: More than matrices of a thousand rows need.
SWEEPS = 15


def pair_up(size):
    """The places from which `size` (even) columns come in the next round. Neighbors are a
    pair: as in a tournament, the first stays, and the others go around, forward over
    even places and back over odd ones."""
    places = torch.arange(size)
    if size == 2:
        return places
    even = torch.where(places == 0, 0, torch.where(places == 2, 1, places - 2))
    odd = torch.where(places == size - 1, size - 2, places + 2)
    return torch.where(places % 2 == 0, even, odd)


def find_angles(first, second, product):
    """cos and sin that make columns of squared lengths `first` and `second` and that
    inner product orthogonal."""
    idle = product == 0
    ratio = (second - first) / (2 * torch.where(idle, 1, product))
    tangent = torch.where(ratio >= 0, 1.0, -1.0) / (ratio.abs() + torch.sqrt(
        1 + ratio * ratio))
    tangent = torch.where(idle, 0, tangent)
    cos = 1 / torch.sqrt(1 + tangent * tangent)
    return cos[..., None, :], (cos * tangent)[..., None, :]


def turn(a, cos, sin):
    """Rotates pairs of neighboring columns."""
    first, second = a[..., ::2], a[..., 1::2]
    return torch.stack([cos * first - sin * second, sin * first + cos * second],
                       -1).reshape(a.shape)


def add_idle(a, rows):
    """An even number of columns, at least two."""
    extra = max(a.shape[-1] % 2, 2 - a.shape[-1])
    return torch.constant_pad_nd(a, [0, extra, 0, extra if rows else 0])


def make_identity(a):
    size = a.shape[-1]
    return torch.eye(size, dtype=a.dtype).expand(*a.shape[:-2], size, size).clone()


def select(a, places, dim):
    """Columns (-1) or rows (-2), which may differ in each matrix."""
    places = places.unsqueeze(-2 if dim == -1 else -1)
    shape = list(a.shape)
    shape[dim] = places.shape[dim]
    return a.gather(dim, places.expand(shape))


def order(vectors, values, size, added_as, descending):
    """The places of the values in order, without those of columns that were added: these
    stay vectors of their own."""
    is_added = vectors[..., size:, :].abs().sum(-2) > 0.5
    marked = torch.where(is_added, added_as, values)
    return torch.ops.aten.sort.stable(
        marked, stable=True, dim=-1, descending=descending)[1][..., :size]


def eigh(a, lower=True):
    """Ascending eigenvalues and the eigenvectors of symmetric matrices."""
    size = a.shape[-1]
    triangle = torch.tril(a, -1) if lower else torch.triu(a, 1)
    a = triangle + triangle.transpose(-1, -2) + torch.diag_embed(a.diagonal(0, -2, -1))
    a = add_idle(a, True)

    def step(_, a, vectors):
        ring = pair_up(a.shape[-1])
        diagonal, beside = a.diagonal(0, -2, -1), a.diagonal(1, -2, -1)[..., ::2]
        cos, sin = find_angles(diagonal[..., ::2], diagonal[..., 1::2], beside)
        a = turn(turn(a, cos, sin).transpose(-1, -2), cos, sin)
        a = a.index_select(-1, ring).index_select(-2, ring)
        return a, turn(vectors, cos, sin).index_select(-1, ring)

    a, vectors = repeat(SWEEPS * (a.shape[-1] - 1), step, a.clone(), make_identity(a))
    values = a.diagonal(0, -2, -1)
    found = order(vectors, values, size, float("inf"), False)
    return values.gather(-1, found), select(vectors[..., :size, :], found, -1)


def svd_tall(a):
    """u, s and v with a = u diag(s) v^T of matrices with no more columns than rows;
    columns of u of singular value 0 are 0."""
    size = a.shape[-1]
    a = add_idle(a, False)

    def step(_, a, v):
        ring = pair_up(a.shape[-1])
        squares = (a * a).sum(-2)
        products = (a[..., ::2] * a[..., 1::2]).sum(-2)
        cos, sin = find_angles(squares[..., ::2], squares[..., 1::2], products)
        return (turn(a, cos, sin).index_select(-1, ring),
                turn(v, cos, sin).index_select(-1, ring))

    a, v = repeat(SWEEPS * (a.shape[-1] - 1), step, a.clone(), make_identity(a))
    values = torch.sqrt((a * a).sum(-2))
    found = order(v, values, size, -1.0, True)
    a, v = select(a, found, -1), select(v[..., :size, :], found, -1)
    values = values.gather(-1, found)
    scale = values[..., None, :]
    return torch.where(scale > 0, a / torch.where(scale > 0, scale, 1), 0), values, v


def complete(u, columns):
    """Orthonormal columns that begin with those of `u`."""
    wide = torch.constant_pad_nd(u, [0, columns - u.shape[-1]])
    factored, factors = householder(wide)
    q = multiply_reflectors(factored, factors, columns)
    signs = torch.where(factored.diagonal(0, -2, -1) < 0, -1, 1).to(u.dtype)
    return q * signs[..., None, :]


def svd(a, is_full):
    """u, s and v^T."""
    if a.shape[-2] < a.shape[-1]:
        u, values, vt = svd(a.transpose(-1, -2), is_full)
        return vt.transpose(-1, -2), values, u.transpose(-1, -2)
    u, values, v = svd_tall(a)
    columns = a.shape[-2] if is_full else a.shape[-1]
    return complete(u, columns), values, v.transpose(-1, -2)
