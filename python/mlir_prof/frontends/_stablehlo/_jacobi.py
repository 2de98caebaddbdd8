# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eigenvalues and singular values, by rotations of pairs of columns (Jacobi).

All pairs of one round are disjoint, so that a round is a few products; the rounds of
a sweep treat each pair once. They are exact where products of a matrix with itself
are not.
"""

import numpy

#: More than matrices of a thousand rows need.
SWEEPS = 15


def pair_up(size):
    """An order of `size` (even) columns; then of which place each column comes in the
    next round. Neighbors are a pair: as in a tournament, the first stays."""
    places = numpy.arange(size).reshape(-1, 2)
    top, bottom = places[:, 0], places[:, 1]
    ring = numpy.roll(numpy.concatenate([top[1:], bottom[::-1]]), 1)
    new_top = numpy.concatenate([top[:1], ring[:len(top) - 1]])
    new_bottom = ring[len(top) - 1:][::-1]
    return numpy.stack([new_top, new_bottom], 1).reshape(-1)


def angles(first, second, product):
    """cos and sin that make columns of squared lengths `first` and `second` and that
    inner product orthogonal."""
    import jax.numpy as jnp
    idle = product == 0
    ratio = (second - first) / (2 * jnp.where(idle, 1, product))
    tangent = jnp.where(ratio >= 0, 1, -1) / (jnp.abs(ratio) + jnp.sqrt(
        1 + ratio * ratio))
    tangent = jnp.where(idle, 0, tangent)
    cos = 1 / jnp.sqrt(1 + tangent * tangent)
    return cos, cos * tangent


def turn(a, cos, sin):
    """Rotates pairs of neighboring columns."""
    import jax.numpy as jnp
    pairs = a.reshape(a.shape[0], -1, 2)
    first, second = pairs[..., 0], pairs[..., 1]
    return jnp.stack([cos * first - sin * second, sin * first + cos * second],
                     -1).reshape(a.shape)


def sweep(size, state, round_):
    """All sweeps: `round_(state)` rotates neighbors and orders anew."""
    from jax import lax
    return lax.fori_loop(0, SWEEPS * (size - 1), lambda _, state: round_(state), state)


def add_idle(a, rows):
    """An even number of columns, at least two."""
    import jax.numpy as jnp
    extra = max(a.shape[1] % 2, 2 - a.shape[1])
    return jnp.pad(a, ((0, extra if rows else 0), (0, extra)))


def eigh(a, lower=True):
    """Eigenvectors and ascending eigenvalues of a symmetric matrix."""
    import jax.numpy as jnp
    size = a.shape[0]
    triangle = jnp.tril(a) if lower else jnp.triu(a)
    a = add_idle(triangle + triangle.T - jnp.diag(jnp.diagonal(a)), True)
    order = pair_up(a.shape[0])

    def round_(state):
        a, vectors = state
        diagonal = jnp.diagonal(a)
        beside = jnp.diagonal(a, 1)[::2]
        cos, sin = angles(diagonal[::2], diagonal[1::2], beside)
        a = turn(turn(a, cos, sin).T, cos, sin)
        return a[order][:, order], turn(vectors, cos, sin)[:, order]

    a, vectors = sweep(a.shape[0], (a, jnp.eye(a.shape[0], dtype=a.dtype)), round_)
    values = jnp.diagonal(a)
    # An added column stays a vector of its own, with the added place.
    added = jnp.sum(jnp.abs(vectors[size:]), 0) > 0.5
    found = jnp.argsort(jnp.where(added, jnp.inf, values))[:size]
    return vectors[:size, found], values[found]


def svd_tall(a):
    """u, s and v with a = u diag(s) v^T of a matrix with no more columns than rows;
    columns of u of singular value 0 are 0."""
    import jax.numpy as jnp
    size = a.shape[1]
    a = add_idle(a, False)
    order = pair_up(a.shape[1])

    def round_(state):
        a, v = state
        squares = jnp.sum(a * a, 0)
        products = jnp.sum(a[:, ::2] * a[:, 1::2], 0)
        cos, sin = angles(squares[::2], squares[1::2], products)
        return turn(a, cos, sin)[:, order], turn(v, cos, sin)[:, order]

    a, v = sweep(a.shape[1], (a, jnp.eye(a.shape[1], dtype=a.dtype)), round_)
    values = jnp.sqrt(jnp.sum(a * a, 0))
    added = jnp.sum(jnp.abs(v[size:]), 0) > 0.5
    found = jnp.argsort(jnp.where(added, -1, values))[::-1][:size]
    a, v, values = a[:, found], v[:size, found], values[found]
    return jnp.where(values > 0, a / jnp.where(values > 0, values, 1), 0), values, v


def complete(u, columns):
    """Orthonormal columns that begin with those of `u`."""
    import jax.numpy as jnp
    from ._matrices import householder, multiply_reflectors
    wide = jnp.pad(u, ((0, 0), (0, columns - u.shape[1])))
    factored, factors = householder(wide)
    q = multiply_reflectors(factored, factors)
    signs = jnp.where(jnp.diagonal(factored) < 0, -1, 1).astype(u.dtype)
    return q * signs[:columns]


def svd(a, is_full):
    """u, s and v^T."""
    if a.shape[0] < a.shape[1]:
        u, values, vt = svd(a.T, is_full)
        return vt.T, values, u.T
    u, values, v = svd_tall(a)
    return complete(u, a.shape[0] if is_full else a.shape[1]), values, v.T
