# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factorizations into triangles, and equations with these. A loop has as many steps as the
matrix has columns."""

import torch

from .loops import repeat


def cholesky(a):
    """The lower factor of symmetric matrices, of which the lower triangle is read."""
    size = a.shape[-1]

    def step(place, factor, a):
        rows = torch.arange(size)
        row = factor.index_select(-2, place)
        column = a.index_select(-1, place) - factor @ row.transpose(-1, -2)
        pivot = torch.sqrt(column.index_select(-2, place))
        below = torch.where(rows[:, None] > place, column / pivot, 0)
        column = torch.where(rows[:, None] == place, pivot, below)
        return torch.where(rows == place, column, factor), a

    return repeat(size, step, torch.zeros_like(a), a.clone())[0]


def solve_lower(a, b, is_unit):
    """x with a x = b."""
    size = a.shape[-1]

    def step(place, x, a, b):
        rows = torch.arange(size)
        row = a.index_select(-2, place)
        known = torch.where(rows < place, row, 0)
        value = b.index_select(-2, place) - known @ x
        if not is_unit:
            value = value / row.index_select(-1, place)
        return torch.where(rows[:, None] == place, value, x), a, b

    return repeat(size, step, torch.zeros_like(b), a.clone(), b.clone())[0]


def solve_triangular(a, b, upper, left=True, is_unit=False):
    """x with a x = b or, not `left`, x a = b."""
    if not left:
        return solve_triangular(a.transpose(-1, -2), b.transpose(-1, -2), not upper, True,
                                is_unit).transpose(-1, -2)
    stack = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = a.expand(*stack, *a.shape[-2:]), b.expand(*stack, *b.shape[-2:])
    if not upper:
        return solve_lower(a, b, is_unit)
    # The same with rows and columns from the end.
    return solve_lower(a.flip(-1, -2), b.flip(-2), is_unit).flip(-2)


def swap_rows(a, place, pivot):
    """Exchanges a row with another, which may differ in each matrix."""
    rows = torch.arange(a.shape[-2])[:, None]
    order = torch.where(rows == place, pivot, torch.where(rows == pivot, place, rows))
    return a.gather(-2, order.expand(a.shape))


def find_pivot(column, rows, place, is_pivoted):
    if not is_pivoted:
        return place.expand(*column.shape[:-2], 1, 1)
    size = torch.where(rows[:, None] >= place, column.abs(), -1)
    return size.argmax(-2, keepdim=True)


def lu(a, is_pivoted=True):
    """Both factors in one matrix, and for each step the row (from 1) with which its row is
    swapped."""
    count = min(a.shape[-2:])

    def step(place, a, swaps):
        rows, columns = torch.arange(a.shape[-2]), torch.arange(a.shape[-1])
        pivot = find_pivot(a.index_select(-1, place), rows, place, is_pivoted)
        a = swap_rows(a, place, pivot)
        column, row = a.index_select(-1, place), a.index_select(-2, place)
        diagonal = row.index_select(-1, place)
        divides = (rows[:, None] > place) & (diagonal != 0)
        below = torch.where(divides, column / diagonal, 0)
        right = torch.where(columns > place, row, 0)
        factored = torch.where((columns == place) & divides, below, a - below * right)
        swaps = torch.where(torch.arange(count) == place, pivot[..., 0] + 1, swaps)
        return factored, swaps

    swaps = torch.zeros((*a.shape[:-2], count), dtype=torch.int64)
    return repeat(count, step, a.clone(), swaps)


def permute(b, swaps, backward=False):
    """Exchanges rows as a factorization did, or `backward`."""
    count = swaps.shape[-1]

    def step(place, b, swaps):
        now = count - 1 - place if backward else place
        pivot = swaps.index_select(-1, now)[..., None] - 1
        return swap_rows(b, now, pivot), swaps

    return repeat(count, step, b.clone(), swaps.to(torch.int64))[0]


def solve_lu(factors, swaps, b, transposes=False):
    """x with a x = b, or with the transposed matrix, given `lu(a)`."""
    stack = torch.broadcast_shapes(factors.shape[:-2], b.shape[:-2])
    factors = factors.expand(*stack, *factors.shape[-2:])
    b = b.expand(*stack, *b.shape[-2:])
    swaps = swaps.expand(*stack, swaps.shape[-1])
    if transposes:
        factors = factors.transpose(-1, -2)
        y = solve_triangular(factors, b, upper=False)
        return permute(solve_triangular(factors, y, upper=True, is_unit=True), swaps, True)
    y = solve_triangular(factors, permute(b, swaps), upper=False, is_unit=True)
    return solve_triangular(factors, y, upper=True)
