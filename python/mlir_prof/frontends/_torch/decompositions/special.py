# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of numbers that MLIR's math does not have."""

import math

import torch

from .._decompositions import register

aten = torch.ops.aten

#: Lanczos's approximation of the logarithm of the gamma function, with g = 7.
LANCZOS_G = 7
LANCZOS = (0.99999999999980993, 676.5203681218851, -1259.1392167224028,
           771.32342877765313, -176.61502916214059, 12.507343278686905,
           -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)

#: The coefficients of 1 / x^2, 1 / x^4 ... in the expansion of the digamma function.
DIGAMMA = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132)

#: The expansion is exact from here on.
DIGAMMA_FROM = 6


def widen(x):
    """Integers as floating-point numbers."""
    return x if x.is_floating_point() else x.to(torch.get_default_dtype())


def lanczos(x):
    """The logarithm for x >= 1 / 2, in double precision: its terms cancel near 1 and 2."""
    x = x - 1
    total = LANCZOS[0] + sum(term / (x + place) for place, term in
                             enumerate(LANCZOS[1:], 1))
    t = x + LANCZOS_G + 0.5
    return 0.5 * math.log(2 * math.pi) + (x + 0.5) * torch.log(t) - t + torch.log(total)


def get_half_turns(x):
    """The angle of so many half turns, but for whole ones; it keeps tiny numbers."""
    return math.pi * (x - torch.round(x))


@register(aten.lgamma.default)
def lgamma(x):
    dtype, x = widen(x).dtype, x.double()
    reflects = x < 0.5
    value = lanczos(torch.where(reflects, 1 - x, x))
    sine = torch.sin(get_half_turns(x)).abs()
    reflected = math.log(math.pi) - torch.log(sine) - value
    value = torch.where(reflects, reflected, value)
    return torch.where(x.abs() == math.inf, math.inf, value).to(dtype)


@register(aten.digamma.default)
def digamma(x):
    dtype, x = widen(x).dtype, x.double()
    reflects = x < 0.5
    y = torch.where(reflects, 1 - x, x)
    value = torch.zeros_like(y)
    for _ in range(DIGAMMA_FROM):
        small = y < DIGAMMA_FROM
        value = torch.where(small, value - 1 / y, value)
        y = torch.where(small, y + 1, y)
    inverse = 1 / (y * y)
    series = torch.zeros_like(y)
    for coefficient in reversed(DIGAMMA):
        series = (series + coefficient) * inverse
    value = value + torch.log(y) - 0.5 / y + series
    turn = get_half_turns(x)
    value = torch.where(reflects, value - math.pi * torch.cos(turn) / torch.sin(turn),
                        value)
    is_pole = (x <= 0) & (x == torch.floor(x))
    value = torch.where(is_pole, torch.where(x == 0, -math.inf * torch.copysign(
        torch.ones_like(x), x), math.nan), value)
    return value.to(dtype)


@register(aten.erfc.default, aten.special_erfc.default)
def erfc(x):
    # In double precision 1 - erf(x) keeps digits where it is small.
    dtype = widen(x).dtype
    return (1 - torch.erf(x.double())).to(dtype)


#: Giles's approximation of the inverse of erf divided by its argument: polynomials in
#: w - 2.5 for w < 5, and in sqrt(w) - 3 from there on, where w = -log(1 - x^2).
INVERSE_NEAR = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06,
                0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941)
INVERSE_FAR = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
               0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682)


def evaluate(coefficients, x):
    total = torch.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


@register(aten.erfinv.default)
def erfinv(x):
    """The approximation, and a step of Newton's method in double precision."""
    dtype, x = widen(x).dtype, widen(x).double()
    inside = x.abs() < 1
    y = torch.where(inside, x, 0)
    w = -torch.log((1 - y) * (1 + y))
    near = evaluate(INVERSE_NEAR, w - 2.5)
    far = evaluate(INVERSE_FAR, torch.sqrt(w.clamp(min=5)) - 3)
    value = torch.where(w < 5, near, far) * y
    slope = 2 / math.sqrt(math.pi) * torch.exp(-value * value)
    value = value - (torch.erf(value) - y) / slope
    outside = torch.where(x.abs() == 1, x * math.inf, math.nan)
    return torch.where(inside, value, outside).to(dtype)


@register(aten.signbit.default)
def signbit(x):
    """Whether a number is negative, or the negative zero."""
    if not x.is_floating_point():
        return x < 0
    return (x < 0) | ((x == 0) & (1 / x < 0))


@register(aten.copysign.Tensor)
def copysign(x, y):
    x = widen(x)
    return torch.where(signbit(y), -x.abs(), x.abs())


@register(aten.atan2.default, aten.arctan2.default)
def atan2(y, x):
    """Angles of zeros and infinities are numbers here, and NaN in the tool's own."""
    y, x = widen(y), widen(x)
    long, short = torch.maximum(y.abs(), x.abs()), torch.minimum(y.abs(), x.abs())
    ratio = torch.where(long == short, 1, short / torch.where(long == 0, 1, long))
    angle = torch.atan(torch.where(long == 0, 0, ratio))
    angle = torch.where(y.abs() > x.abs(), math.pi / 2 - angle, angle)
    backward = (x < 0) | ((x == 0) & (1 / x < 0))
    angle = torch.where(backward, math.pi - angle, angle)
    return copysign(torch.where((y != y) | (x != x), math.nan, angle), y)


@register(aten.hypot.default)
def hypot(x, y):
    x, y = x.abs(), y.abs()
    most, least = torch.maximum(x, y), torch.minimum(x, y)
    ratio = torch.where(most > 0, least / most, 0)
    # The result is infinite also if the other number is NaN.
    infinite = (x == math.inf) | (y == math.inf)
    return torch.where(infinite, math.inf, most * torch.sqrt(1 + ratio * ratio))


def register_sum_of_powers(operator, base):
    """The logarithm of a sum of powers, NaN where a number is."""
    @register(operator)
    def decompose(x, y):
        x, y = widen(x), widen(y)
        if x.is_complex() or y.is_complex():
            return NotImplemented
        turn = math.log(base)
        rest = torch.log1p(torch.exp((x - y).abs() * -turn)) / turn
        # The difference of equal infinities is NaN.
        return torch.maximum(x, y) + torch.where(x == y, math.log(2) / turn, rest)


register_sum_of_powers(aten.logaddexp.default, math.e)
register_sum_of_powers(aten.logaddexp2.default, 2)


#: The terms of the integral of Bessel functions, which are enough for numbers up to here.
BESSEL_TERMS, BESSEL_UP_TO = 40, 30

#: The terms of the expansion of Bessel functions for large numbers.
EXPANSION_TERMS = 5


def integrate_bessel(size, order):
    """The integral over half a turn, which a sum over even steps computes exactly."""
    steps = (torch.arange(BESSEL_TERMS, dtype=torch.float64) + 0.5) * (
        math.pi / BESSEL_TERMS)
    cos = torch.cos(steps)
    weight = cos if order else torch.ones_like(cos)
    return (torch.exp(size[..., None] * (cos - 1)) * weight).sum(-1) / BESSEL_TERMS


def expand_bessel(size, order):
    """The series in 1 / x."""
    total, term = torch.ones_like(size), torch.ones_like(size)
    for place in range(1, EXPANSION_TERMS):
        term = term * ((2 * place - 1) ** 2 - 4 * order ** 2) / (8 * place * size)
        total = total + term
    return total / torch.sqrt(2 * math.pi * size)


def bessel(x, order):
    """exp(-|x|) times the modified Bessel function of the first kind."""
    dtype, x = widen(x).dtype, widen(x).double()
    size = x.abs()
    value = torch.where(size > BESSEL_UP_TO,
                        expand_bessel(size.clamp(min=BESSEL_UP_TO), order),
                        integrate_bessel(size.clamp(max=BESSEL_UP_TO), order))
    return (torch.sign(x) * value if order else value), size, dtype


def register_bessel(operator, order, is_scaled):
    @register(operator)
    def decompose(x):
        value, size, dtype = bessel(x, order)
        if is_scaled:
            return value.to(dtype)
        infinite = torch.sign(x) * math.inf if order else math.inf
        return torch.where(size == math.inf, infinite, value * torch.exp(size)).to(dtype)


for operator, order, is_scaled in ((aten.i0.default, 0, False),
                                   (aten.special_i0e.default, 0, True),
                                   (aten.special_i1.default, 1, False),
                                   (aten.special_i1e.default, 1, True)):
    register_bessel(operator, order, is_scaled)
