# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Support vector machines of ai.onnx.ml."""

import numpy

from .._values import Unsupported
from ..kernels.couple import couple
from . import rule
from ._scores import LEARNED, choose, labels_of, largest, opposite, transformed
from .features import rows_of


def kernel_of(builder, call, x, vectors, linear=False):
    """The kernel between rows x [N, F] and vectors [V, F]: [N, V]."""
    gamma, shift, degree = list(call.get("kernel_params") or []) or (0.0, 0.0, 0.0)
    kind = "LINEAR" if linear else call.get("kernel_type", "LINEAR").upper()

    def f(number):
        return builder.like(number, x)
    if kind == "RBF":
        away = builder.Sub(builder.Unsqueeze(x, builder.ints(1)),
                           builder.const(vectors[None], x.dtype))
        square = builder.ReduceSum(builder.Mul(away, away), builder.ints(2),
                                   keepdims=0)
        return builder.Exp(builder.Mul(square, f(-gamma)))
    product = builder.MatMul(x, builder.const(vectors.T.copy(), x.dtype))
    if kind == "LINEAR":
        return product
    product = builder.Add(builder.Mul(product, f(gamma)), f(shift))
    if kind == "POLY":
        return builder.Pow(product, f(degree))
    if kind == "SIGMOID":
        return builder.Tanh(product)
    raise Unsupported(f"its kernel is '{kind}'")


def matrix(call, name, rows):
    return numpy.array(call.get(name), "float32").reshape(rows, -1)


@rule("SVMRegressor", domain=LEARNED)
def regressor(builder, call):
    x = builder.cast(rows_of(builder, call.inputs[0]), "float32")
    count = call.get("n_supports", 0)
    if count:
        found = kernel_of(builder, call, x, matrix(call, "support_vectors", count))
        found = builder.MatMul(found, builder.const(matrix(call, "coefficients",
                                                           count)))
    else:
        found = kernel_of(builder, call, x, matrix(call, "coefficients", 1), True)
    found = builder.Add(found, builder.const(call.get("rho")[:1], "float32"))
    if call.get("one_class", 0):
        above = builder.Greater(found, builder.like(0, found))
        return builder.Where(above, builder.like(1, found), builder.like(-1, found))
    return transformed(builder, call, found)


def pairs(classes):
    return [(one, other) for one in range(classes) for other in range(one + 1, classes)]


def pair_weights(call, counts, coefficients):
    """The weights [V, pairs] of the vectors for the score of each pair of classes."""
    begins = numpy.concatenate([[0], numpy.cumsum(counts)])
    table = numpy.zeros((begins[-1], len(pairs(len(counts)))), "float32")
    for place, (one, other) in enumerate(pairs(len(counts))):
        first = slice(begins[one], begins[one + 1])
        second = slice(begins[other], begins[other + 1])
        table[first, place] = coefficients[other - 1, first]
        table[second, place] = coefficients[one, second]
    return table


def count_votes(builder, scores, classes):
    """How many of the pairs each class wins: [N, classes]."""
    wins = builder.Greater(scores, builder.like(0, scores))
    one, other = (numpy.zeros((len(pairs(classes)), classes), "float32")
                  for _ in range(2))
    for place, (first, second) in enumerate(pairs(classes)):
        one[place, first] = other[place, second] = 1
    return builder.Add(
        builder.MatMul(builder.cast(wins, "float32"), builder.const(one)),
        builder.MatMul(builder.cast(builder.Not(wins), "float32"),
                       builder.const(other)))


def by_pairs(builder, won, classes):
    """Probabilities [N, K] of classes from those of pairs [N, P]."""
    rest = builder.Sub(builder.like(1, won), won)
    none = builder.Mul(builder.Gather(won, builder.ints(0), axis=1),
                       builder.like(0, won))
    count = len(pairs(classes))
    index = numpy.full((classes, classes), 2 * count)
    for place, (one, other) in enumerate(pairs(classes)):
        index[one, other], index[other, one] = place, count + place
    wide = builder.Concat(won, rest, none, axis=1)
    table = builder.Gather(wide, builder.const(index, "int64"), axis=1)
    other = builder.Transpose(table, perm=[0, 2, 1])
    own = builder.ReduceSum(builder.Mul(table, table), builder.ints(1), keepdims=0)
    q = builder.Where(builder.const(numpy.eye(classes, dtype=bool)),
                      builder.Unsqueeze(own, builder.ints(2)),
                      builder.Neg(builder.Mul(table, other)))
    return builder.kernel(couple, [q], [(q.dtype, q.shape[:2])])[0]


def probabilities(builder, call, scores, classes):
    """Probabilities [N, K] of classes from the scores of pairs, by Platt's sigmoids."""
    a, b = (builder.const(call.get(name), "float32") for name in ("prob_a", "prob_b"))
    won = builder.Sigmoid(builder.Neg(builder.Add(builder.Mul(scores, a), b)))
    low, high = builder.like(1e-7, won), builder.like(1 - 1e-7, won)
    won = builder.Clip(won, low, high)
    return by_pairs(builder, won, classes)


@rule("SVMClassifier", domain=LEARNED)
def classifier(builder, call):
    x = builder.cast(rows_of(builder, call.inputs[0]), "float32")
    labels = labels_of(call, "classlabels_ints", "classlabels_strings")
    counts = list(call.get("vectors_per_class") or [])
    if not sum(counts):
        return linear_classifier(builder, call, x, labels)
    classes = len(counts)
    vectors = matrix(call, "support_vectors", sum(counts))
    coefficients = numpy.array(call.get("coefficients"), "float32").reshape(
        -1, sum(counts))
    scores = builder.MatMul(kernel_of(builder, call, x, vectors), builder.const(
        pair_weights(call, counts, coefficients)))
    scores = builder.Add(scores, builder.const(call.get("rho"), "float32"))
    label = largest(builder, count_votes(builder, scores, classes),
                    labels or list(range(classes)))
    if call.get("prob_a"):
        return [label, transformed(builder, call, probabilities(
            builder, call, scores, classes))]
    if classes == 2:
        scores = opposite(builder, scores)
    return [label, transformed(builder, call, scores)]


def linear_classifier(builder, call, x, labels):
    """One row of coefficients for each class, without vectors."""
    classes = max(len(labels), 1)
    rows = matrix(call, "coefficients", classes)
    scores = builder.Add(builder.MatMul(x, builder.const(rows.T.copy())),
                         builder.const(call.get("rho")[:1], "float32"))
    if classes > 1:
        label = largest(builder, scores, labels)
        return [label, transformed(builder, call, scores)]
    flat = builder.reshape(scores, -1)
    label = choose(builder, builder.Greater(flat, builder.like(0, flat)),
                   labels[0] if labels else 1, 0)
    return [label, transformed(builder, call, scores)]
