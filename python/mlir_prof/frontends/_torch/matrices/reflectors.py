# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Orthogonal factors by reflections (Householder)."""

import torch

from .loops import repeat


def reflect(column, rows, place):
    """The vector and the factor of the reflection that clears a column below its place,
    and what it makes of the number there."""
    head = column.index_select(-2, place)
    rest = torch.where(rows > place, column, 0)
    tail = (rest * rest).sum(-2, keepdim=True)
    norm = torch.sqrt(head * head + tail)
    idle = tail == 0
    beta = torch.where(idle, head, torch.where(head >= 0, -norm, norm))
    factor = torch.where(idle, 0, (beta - head) / torch.where(idle, 1, beta))
    below = rest / torch.where(idle, 1, head - beta)
    vector = torch.where(rows == place, 1, torch.where(rows > place, below, 0))
    return vector, factor, beta


def householder(a):
    """R above, reflectors below the diagonal, and the factors of the reflectors."""
    count = min(a.shape[-2:])

    def step(place, a, factors):
        rows, columns = torch.arange(a.shape[-2])[:, None], torch.arange(a.shape[-1])
        column = a.index_select(-1, place)
        vector, factor, beta = reflect(column, rows, place)
        right = torch.where(columns > place, a, 0)
        a = a - factor * vector * (vector.transpose(-1, -2) @ right)
        stored = torch.where(rows > place, vector, torch.where(rows == place, beta, column))
        a = torch.where(columns == place, stored, a)
        return a, torch.where(torch.arange(count) == place, factor[..., 0], factors)

    factors = a.new_zeros((*a.shape[:-2], count))
    return repeat(count, step, a.clone(), factors)


def multiply_reflectors(a, factors, columns):
    """The first columns of Q that the reflectors of `householder` stand for."""
    count, size = factors.shape[-1], a.shape[-2]

    def step(number, q, a, factors):
        place = count - 1 - number
        rows = torch.arange(size)[:, None]
        column = a.index_select(-1, place)
        vector = torch.where(rows == place, 1, torch.where(rows > place, column, 0))
        factor = factors.index_select(-1, place)[..., None]
        return q - factor * vector * (vector.transpose(-1, -2) @ q), a, factors

    q = torch.eye(size, columns, dtype=a.dtype).expand(*a.shape[:-2], size, columns)
    return repeat(count, step, q.clone(), a.clone(), factors.clone())[0]
