# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear models and encoders of features of ai.onnx.ml."""

import math

import numpy

from .._values import Unsupported
from ..kernels.check import check
from . import rule
from ._scores import (LEARNED, choose, floats, is_given, labels_of, largest,
                      opposite, transformed)


def weighted(builder, call, x, rows):
    """x times the coefficients of `rows` targets, plus the intercepts: [N, rows]."""
    table = numpy.array(call.get("coefficients"), x.dtype).reshape(rows, -1)
    found = builder.MatMul(x, builder.const(table.T.copy()))
    bias = call.get("intercepts")
    return found if not is_given(bias) else builder.Add(
        found, builder.const(bias, x.dtype))


def rows_of(builder, x):
    """Features [N, F] as floats; a vector is one row."""
    x = floats(builder, x)
    return builder.Unsqueeze(x, builder.ints(0)) if x.rank == 1 else x


@rule("LinearRegressor", domain=LEARNED)
def linear_regressor(builder, call):
    x = rows_of(builder, call.inputs[0])
    found = weighted(builder, call, x, call.get("targets", 1))
    return builder.cast(transformed(builder, call, found), "float32")


@rule("LinearClassifier", domain=LEARNED)
def linear_classifier(builder, call):
    x = rows_of(builder, call.inputs[0])
    labels = labels_of(call, "classlabels_ints", "classlabels_strings")
    features = x.shape[1]
    if features is None:
        raise Unsupported("the number of its features is unknown")
    count = len(call.get("coefficients")) // features
    scores = builder.cast(weighted(builder, call, x, count), "float32")
    if count == 1:
        return linear_of_one(builder, call, scores, labels)
    label = largest(builder, scores, labels or list(range(count)))
    return [label, transformed(builder, call, scores)]


def linear_of_one(builder, call, scores, labels):
    """One score, of the second of two classes or of the only one."""
    if len(labels) > 2:
        raise Unsupported(f"it has one score for {len(labels)} labels")
    no, yes = labels if len(labels) == 2 else (0, labels[0] if labels else 1)
    flat = builder.reshape(scores, -1)
    label = choose(builder, builder.Greater(flat, builder.like(0, flat)), yes, no)
    if len(labels) == 2:
        scores = opposite(builder, scores)
    return [label, transformed(builder, call, scores)]


@rule("Normalizer", domain=LEARNED)
def normalizer(builder, call):
    """Each row divided by its norm, unless that is 0."""
    x = builder.cast(floats(builder, call.inputs[0]), "float32")
    axes, norm = builder.ints(x.rank - 1), call.get("norm", "MAX")
    if norm not in ("MAX", "L1", "L2"):
        raise Unsupported(f"its norm is '{norm}'")
    if norm == "MAX":
        # ONNX Runtime takes the largest element, not the largest amount.
        size = builder.ReduceMax(x, axes, keepdims=1)
    else:
        size = builder.emit(f"Reduce{norm}", [x, axes], dict(keepdims=1))[0]
    none = builder.Equal(size, builder.like(0, size))
    return builder.Div(x, builder.Where(none, builder.like(1, size), size))


def table_of(call, which):
    """The keys or values of a LabelEncoder, by the names of its attributes."""
    for kind, dtype in (("floats", "float32"), ("int64s", "int64"), ("strings", None),
                        ("tensor", None)):
        found = call.attributes.get(f"{which}_{kind}")
        if found is None:
            continue
        if kind == "tensor":
            from onnx import numpy_helper
            found = numpy_helper.to_array(found)
            dtype = None if found.dtype == object else found.dtype
        if dtype is None:
            raise Unsupported("it takes or gives strings; hint: encode them outside "
                              "of the model")
        return numpy.ravel(numpy.array(found, dtype))
    raise Unsupported(f"it has no {which}, or strings")


def default_of(call, dtype):
    """The value of a LabelEncoder for keys that it does not have."""
    if call.get("default_tensor") is not None:
        from onnx import numpy_helper
        return numpy.ravel(numpy_helper.to_array(call.get("default_tensor")))[0]
    if dtype.kind == "f":
        return call.get("default_float", -0.0)
    return call.get("default_int64", -1)


@rule("LabelEncoder", domain=LEARNED)
def label_encoder(builder, call):
    """By the place of the key among all, or none."""
    keys, values = table_of(call, "keys"), table_of(call, "values")
    x = call.inputs[0]
    wide = builder.Unsqueeze(x, builder.ints(x.rank))
    same = builder.Equal(wide, builder.const(keys, x.dtype))
    if keys.dtype.kind == "f" and numpy.isnan(keys).any():
        nan = builder.And(builder.IsNaN(wide), builder.const(numpy.isnan(keys)))
        same = builder.Or(same, nan)
    # The last one is the default.
    none = builder.const([True])
    sizes = builder.Concat(builder.Shape(x), builder.ints(1), axis=0)
    same = builder.Concat(same, builder.Expand(none, sizes), axis=x.rank)
    place = builder.ArgMax(builder.cast(same, "int32"), axis=x.rank, keepdims=0)
    table = numpy.append(values, numpy.array(default_of(call, values.dtype),
                                             values.dtype))
    return builder.Gather(builder.const(table), place, axis=0)


@rule("Imputer", domain=LEARNED)
def imputer(builder, call):
    x = call.inputs[0]
    whole = x.dtype.kind in "iu"
    values = call.get("imputed_value_int64s" if whole else "imputed_value_floats")
    missing = call.get("replaced_value_int64" if whole else "replaced_value_float", 0)
    if not is_given(values):
        raise Unsupported("it has no values for features that are missing")
    if missing != missing:
        found = builder.IsNaN(x)
    else:
        found = builder.Equal(x, builder.like(missing, x))
    return builder.Where(found, builder.const(values, x.dtype), x)


@rule("FeatureVectorizer", domain=LEARNED)
def feature_vectorizer(builder, call):
    """Columns of all inputs, each cut or filled to a width of its own."""
    parts = []
    for value, width in zip(call.inputs, call.get("inputdimensions")):
        part = builder.cast(floats(builder, value), "float32")
        part = builder.Unsqueeze(part, builder.ints(1)) if part.rank == 1 else part
        if part.shape[1] != width:
            part = builder.Pad(part, builder.ints(0, 0, 0, width - part.shape[1]))
        parts.append(part)
    return builder.Concat(*parts, axis=1)


@rule("OneHotEncoder", domain=LEARNED)
def one_hot_encoder(builder, call):
    names = call.get("cats_int64s")
    if not is_given(names):
        raise Unsupported("its categories are strings; hint: encode them outside of "
                          "the model")
    x = call.inputs[0]
    wide = builder.Unsqueeze(builder.cast(x, "int64"), builder.ints(x.rank))
    found = builder.Equal(wide, builder.const(names, "int64"))
    if not call.get("zeros", 1):
        found = known(builder, found, len(names))
    return builder.cast(found, "float32")


def known(builder, found, count):
    """`found`, of which each row must have a true element."""
    rows = builder.cast(builder.reshape(found, -1, count), "int32")
    some = builder.cast(builder.ReduceMax(rows, builder.ints(1), keepdims=0), bool)
    size = None if None in found.shape else math.prod(found.shape[:-1])
    some, = builder.kernel(check, [some], [("bool", (size,))],
                           message="a OneHotEncoder meets an unknown category")
    sizes = builder.Slice(builder.Shape(found), builder.ints(0), builder.ints(-1))
    some = builder.Unsqueeze(builder.Reshape(some, sizes), builder.ints(found.rank - 1))
    return builder.And(found, some)


@rule("ZipMap", domain=LEARNED)
def zip_map(builder, call):
    raise Unsupported("it makes dictionaries of scores; hint: export the model with "
                      "options={'zipmap': False}, which leaves them an array")


_STRINGS = ("CategoryMapper", "DictVectorizer", "CastMap")


@rule(*_STRINGS, domain=LEARNED)
def of_strings(builder, call):
    raise Unsupported("it takes strings or dictionaries; hint: encode them outside "
                      "of the model")
