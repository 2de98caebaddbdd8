# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factorizations of matrices: algorithms in terms of jax.numpy, of one matrix each.

Loops have as many steps as the matrix has columns; each is made of products and sums
of whole matrices, so that it becomes vector code.
"""


def cholesky(a, lower=True):
    """The triangular factor of a symmetric matrix, of which the triangle `lower` or
    upper is read."""
    import jax.numpy as jnp
    from jax import lax
    size = a.shape[-1]
    rows = jnp.arange(size)
    a = a if lower else a.T.conj()

    def step(place, factor):
        row = factor[place]
        column = jnp.where(rows < place, 0, a[:, place] - factor @ row.conj())
        pivot = jnp.sqrt(column[place].real).astype(a.dtype)
        return factor.at[:, place].set((column / pivot).at[place].set(pivot))

    factor = lax.fori_loop(0, size, step, jnp.zeros_like(a))
    return factor if lower else factor.T.conj()


def solve_lower(a, b, is_unit):
    """x with a x = b."""
    import jax.numpy as jnp
    from jax import lax

    def step(place, x):
        value = b[place] - jnp.where(jnp.arange(a.shape[0]) < place, a[place], 0) @ x
        return x.at[place].set(value if is_unit else value / a[place, place])

    return lax.fori_loop(0, a.shape[0], step, jnp.zeros_like(b))


def solve_triangular(a, b, left=True, lower=True, is_unit=False, transpose="N"):
    """x with op(a) x = b or, not `left`, x op(a) = b; op is one of N, T and C."""
    if transpose != "N":
        a, lower = a.T, not lower
        a = a.conj() if transpose == "C" else a
    if not left:
        return solve_triangular(a.T, b.T, True, not lower, is_unit).T
    if lower:
        return solve_lower(a, b, is_unit)
    # The same with rows and columns from the end.
    return solve_lower(a[::-1, ::-1], b[::-1], is_unit)[::-1]


def lu(a):
    """The factors of `a` in one matrix, and for each step the row (from 1) with which
    it is swapped."""
    import jax.numpy as jnp
    from jax import lax
    rows, columns = (jnp.arange(size) for size in a.shape)

    def step(place, state):
        a, swaps = state
        size = jnp.where(rows >= place, jnp.abs(a[:, place]), -1)
        pivot = jnp.argmax(size).astype("int32")
        order = jnp.where(rows == place, pivot, jnp.where(rows == pivot, place, rows))
        a = a[order]
        diagonal = a[place, place]
        below = jnp.where((rows > place) & (diagonal != 0), a[:, place] / diagonal, 0)
        right = jnp.where(columns > place, a[place], 0)
        a = a - below[:, None] * right
        a = a.at[:, place].set(jnp.where((rows > place) & (diagonal != 0), below,
                                         a[:, place]))
        return a, swaps.at[place].set(pivot + 1)

    steps = min(a.shape)
    return lax.fori_loop(0, steps, step, (a, jnp.zeros(steps, "int32")))


def householder(a):
    """R above, reflectors below the diagonal, and the factors of the reflectors."""
    import jax.numpy as jnp
    from jax import lax
    rows = jnp.arange(a.shape[0])

    def step(place, state):
        a, factors = state
        column = jnp.where(rows >= place, a[:, place], 0)
        head, rest = column[place], jnp.where(rows > place, column, 0)
        tail = jnp.sum(jnp.abs(rest) ** 2)
        norm = jnp.sqrt(jnp.abs(head) ** 2 + tail)
        beta = jnp.where(head.real >= 0, -norm, norm).astype(a.dtype)
        idle = (tail == 0) & (head.imag == 0)
        beta = jnp.where(idle, head, beta)
        factor = jnp.where(idle, 0, (beta - head) / jnp.where(beta == 0, 1, beta))
        vector = jnp.where(rows > place, rest / jnp.where(idle, 1, head - beta),
                           (rows == place).astype(a.dtype))
        a = a - factor.conj() * jnp.where(jnp.arange(a.shape[1]) > place,
                                          vector[:, None] * (vector.conj() @ a), 0)
        a = a.at[:, place].set(jnp.where(rows > place, vector, jnp.where(
            rows == place, beta, a[:, place])))
        return a, factors.at[place].set(factor)

    steps = min(a.shape)
    return lax.fori_loop(0, steps, step, (a, jnp.zeros(steps, a.dtype)))


def multiply_reflectors(a, factors):
    """The columns of Q that the reflectors of `householder` stand for."""
    import jax.numpy as jnp
    from jax import lax
    rows = jnp.arange(a.shape[0])

    def step(number, q):
        place = factors.shape[0] - 1 - number
        vector = jnp.where(rows > place, a[:, place], (rows == place).astype(a.dtype))
        return q - factors[place] * vector[:, None] * (vector.conj() @ q)

    return lax.fori_loop(0, factors.shape[0], step, jnp.eye(*a.shape, dtype=a.dtype))
