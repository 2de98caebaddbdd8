# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scores and labels that classifiers of ai.onnx.ml have in common."""

import math

from .._values import Unsupported

LEARNED = "ai.onnx.ml"


def floats(builder, x):
    """Features as floats; those of other types as float32."""
    return x if x.dtype in ("float32", "float64") else builder.cast(x, "float32")


def is_given(value):
    return value is not None and len(value) > 0


def labels_of(call, *names):
    """The numbers of the classes; raises Unsupported for names of classes."""
    for name in names:
        found = call.get(name)
        if is_given(found):
            if isinstance(found[0], (bytes, str)):
                raise Unsupported("its labels are strings; hint: train the model "
                                  "with numbers as labels, and map them outside")
            return [int(label) for label in found]
    return []


def choose(builder, condition, yes, no):
    """One of two labels for each element of `condition`."""
    return builder.Where(condition, builder.const(yes, "int64"),
                         builder.const(no, "int64"))


def largest(builder, scores, labels):
    """The label of the largest score of each row."""
    place = builder.ArgMax(scores, axis=1, keepdims=0)
    return builder.Gather(builder.const(labels, "int64"), place, axis=0)


def column(builder, scores, place):
    """One column: [N, 1]."""
    return builder.Gather(scores, builder.ints(place), axis=1)


def complement(builder, score):
    """Scores of two classes from that of the second, a probability."""
    return builder.Concat(builder.Sub(builder.like(1, score), score), score, axis=1)


def opposite(builder, score):
    """Scores of two classes from that of the second, a distance."""
    return builder.Concat(builder.Neg(score), score, axis=1)


def softmax_without_zeros(builder, scores):
    """Softmax in which scores of nearly 0 stay so."""
    high = builder.emit("ReduceMax", [scores, builder.ints(1)], dict(keepdims=1))[0]
    some = builder.Greater(builder.Abs(scores), builder.like(1e-7, scores))
    parts = builder.Where(some, builder.Exp(builder.Sub(scores, high)),
                          builder.Mul(scores, builder.Exp(builder.Neg(high))))
    total = builder.ReduceSum(parts, builder.ints(1), keepdims=1)
    none = builder.Equal(total, builder.like(0, total))
    return builder.Where(none, builder.like(0.5, parts), builder.Div(
        parts, builder.Where(none, builder.like(1, total), total)))


def probit(builder, scores):
    """The inverse of the normal distribution's integral, by Winitzki's
    approximation, which ONNX Runtime uses."""
    def f(number):
        return builder.like(number, scores)
    x = builder.Sub(builder.Mul(scores, f(2)), f(1))
    log = builder.Log(builder.Mul(builder.Sub(f(1), x), builder.Add(f(1), x)))
    v = builder.Add(f(2 / (math.pi * 0.147)), builder.Mul(log, f(0.5)))
    root = builder.Sqrt(builder.Sub(builder.Mul(v, v),
                                    builder.Mul(log, f(1 / 0.147))))
    found = builder.Sqrt(builder.Sub(root, v))
    sign = builder.Where(builder.Less(x, f(0)), f(-1), f(1))
    return builder.Mul(builder.Mul(found, sign), f(1.41421356))


_TRANSFORMS = {
    "NONE": lambda builder, scores: scores,
    "LOGISTIC": lambda builder, scores: builder.Sigmoid(scores),
    "SOFTMAX": lambda builder, scores: builder.Softmax(scores, axis=1),
    "SOFTMAX_ZERO": softmax_without_zeros,
    "PROBIT": probit,
}


def transformed(builder, call, scores):
    """Scores [N, classes] after the transform that the call names."""
    name = call.get("post_transform") or "NONE"
    if name not in _TRANSFORMS:
        raise Unsupported(f"its transform is '{name}'")
    return _TRANSFORMS[name](builder, scores)
