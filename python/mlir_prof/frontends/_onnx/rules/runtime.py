# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fused operators of ONNX Runtime (com.microsoft), as its optimizer writes them."""

import numpy

from .._values import Unsupported
from . import rule

RUNTIME = "com.microsoft"


def add(builder, value, bias):
    return value if bias is None else builder.Add(value, bias)


def swap(builder, value):
    """The last two dimensions exchanged."""
    rank = value.rank
    return builder.Transpose(value, perm=[*range(rank - 2), rank - 1, rank - 2])


def scaled(builder, value, factor):
    return value if factor == 1.0 else builder.Mul(value, builder.like(factor, value))


@rule("FusedMatMul", "TransposeMatMul", domain=RUNTIME)
def fused_matmul(builder, call):
    left, right = call.inputs
    if call.get("transBatchA", 0) or call.get("transBatchB", 0):
        raise Unsupported("it transposes batches")
    if call.get("transA", 0) and left.rank > 1:
        left = swap(builder, left)
    if call.get("transB", 0) and right.rank > 1:
        right = swap(builder, right)
    return scaled(builder, builder.MatMul(left, right), call.get("alpha", 1.0))


@rule("Gelu", domain=RUNTIME)
def gelu(builder, call):
    return builder.Gelu(call.inputs[0])


@rule("BiasGelu", domain=RUNTIME)
def bias_gelu(builder, call):
    return builder.Gelu(builder.Add(*call.inputs))


@rule("FastGelu", domain=RUNTIME)
def fast_gelu(builder, call):
    return builder.Gelu(add(builder, call.inputs[0], call.input(1)), approximate="tanh")


@rule("QuickGelu", domain=RUNTIME)
def quick_gelu(builder, call):
    x = call.inputs[0]
    return builder.Mul(x, builder.Sigmoid(scaled(builder, x, call.get("alpha", 1.702))))


_ACTIVATIONS = {"Relu": (), "Tanh": (), "Sigmoid": (), "LeakyRelu": ("alpha",),
                "HardSigmoid": ("alpha", "beta"), "Clip": None}


def activated(builder, call, value, name, parameters):
    """The activation that a fused operator names, with its parameters."""
    if not name:
        return value
    if name not in _ACTIVATIONS:
        raise Unsupported(f"its activation is '{name}'")
    if name == "Clip":
        return builder.Clip(value, *(builder.like(limit, value)
                                     for limit in parameters))
    return builder.emit(name, [value], dict(zip(_ACTIVATIONS[name], parameters)))[0]


def without(call, *names):
    return {key: value for key, value in call.attributes.items() if key not in names}


@rule("FusedConv", domain=RUNTIME)
def fused_conv(builder, call):
    options = without(call, "activation", "activation_params")
    found = builder.emit("Conv", call.inputs[:3], options)[0]
    found = add(builder, found, call.input(3))
    return activated(builder, call, found, call.get("activation"),
                     call.get("activation_params") or [])


@rule("FusedGemm", domain=RUNTIME)
def fused_gemm(builder, call):
    names = ("activation", "activation_alpha", "activation_beta", "activation_gamma")
    found = builder.emit("Gemm", call.inputs, without(call, *names))[0]
    parameters = [call.get(name) for name in names[1:] if call.get(name) is not None]
    return activated(builder, call, found, call.get("activation"), parameters)


def normalized(builder, call, x, center):
    """(x normalized along the last dimension, its mean, the inverse deviation)."""
    wide = builder.cast(x, "float32") if x.dtype.itemsize == 2 else x
    axes, mean = builder.ints(x.rank - 1), None
    if center:
        mean = builder.emit("ReduceMean", [wide, axes], dict(keepdims=1))[0]
        wide = builder.Sub(wide, mean)
    square = builder.emit("ReduceMean", [builder.Mul(wide, wide), axes],
                          dict(keepdims=1))[0]
    default = 1e-12 if call.domain else 1e-5
    root = builder.Sqrt(builder.Add(square, builder.like(call.get("epsilon", default),
                                                         square)))
    inverse = builder.Reciprocal(root)
    return builder.cast(builder.Mul(wide, inverse), x.dtype), mean, inverse


@rule("SkipLayerNormalization", "SkipSimplifiedLayerNormalization", domain=RUNTIME)
def skip_layer_normalization(builder, call):
    center = call.op == "SkipLayerNormalization"
    x, skip, gamma, *rest = call.inputs
    beta, bias = (rest + [None, None])[:2] if center else (None, (rest + [None])[0])
    total = add(builder, builder.Add(x, skip), bias)
    found, mean, inverse = normalized(builder, call, total, center)
    found = add(builder, builder.Mul(found, gamma), beta)
    return [found, mean, inverse, total][:len(call.outputs)]


@rule("SimplifiedLayerNormalization", domain="")
def simplified_layer_normalization(builder, call):
    """ONNX Runtime writes it without a domain."""
    x, gamma = call.inputs
    if call.get("axis", -1) % x.rank != x.rank - 1:
        raise Unsupported("it normalizes several dimensions")
    found, _, inverse = normalized(builder, call, x, False)
    return [builder.Mul(found, gamma), inverse][:len(call.outputs)]


@rule("EmbedLayerNormalization", domain=RUNTIME)
def embed_layer_normalization(builder, call):
    words, segments, word, position, segment, gamma, beta = call.inputs[:7]
    mask, places = call.input(7), call.input(8)
    total = builder.Gather(word, words, axis=0)
    if places is None:
        length = words.shape[1]
        if length is None:
            raise Unsupported("it needs the length of the sequence")
        total = builder.Add(total, builder.Slice(
            position, builder.ints(0), builder.ints(length), builder.ints(0)))
    else:
        total = builder.Add(total, builder.Gather(position, places, axis=0))
    if segments is not None and segment is not None:
        total = builder.Add(total, builder.Gather(segment, segments, axis=0))
    found = add(builder, builder.Mul(normalized(builder, call, total, True)[0], gamma),
                beta)
    count = None
    if call.uses(1):
        count = lengths(builder, call, words, mask)
    return [found, count, total][:len(call.outputs)]


def lengths(builder, call, words, mask):
    """How many elements of each sequence the mask has."""
    if mask is None or call.get("mask_index_type", 1) != 1:
        none = builder.cast(builder.Mul(words, builder.const(0, words.dtype)), "int32")
        return builder.ReduceSum(none, builder.ints(1), keepdims=0)
    return builder.ReduceSum(mask, builder.ints(1), keepdims=0)


@rule("CDist", domain=RUNTIME)
def distances(builder, call):
    a, b = call.inputs
    away = builder.Sub(builder.Unsqueeze(a, builder.ints(1)),
                       builder.Unsqueeze(b, builder.ints(0)))
    total = builder.ReduceSum(builder.Mul(away, away), builder.ints(2), keepdims=0)
    return total if call.get("metric") == "sqeuclidean" else builder.Sqrt(total)


@rule("ExpandDims", domain=RUNTIME)
def expand_dims(builder, call):
    axis = int(call.constant(1, "axis")) % (call.inputs[0].rank + 1)
    return builder.Unsqueeze(call.inputs[0], builder.ints(axis))


def same(name):
    """A rule for an operator that ONNX has under the same name."""
    @rule(name, domain=RUNTIME)
    def current(builder, call):
        return builder.emit(name, call.inputs, call.attributes, call.outputs)


for _name in ("Trilu", "Unique", "GatherND", "Pad", "Range"):
    same(_name)


@rule("NhwcMaxPool", "NhwcConv", "NhwcFusedConv", domain=RUNTIME)
def channels_last(builder, call):
    """The operator with channels second, between transpositions."""
    def turn(value, perm):
        return value and builder.Transpose(value, perm=perm)
    x, rest = turn(call.inputs[0], [0, 3, 1, 2]), list(call.inputs[1:])
    if call.op == "NhwcMaxPool":
        found = builder.emit("MaxPool", [x], call.attributes)[0]
        return builder.Transpose(found, perm=[0, 2, 3, 1])
    if len(rest) > 2:
        rest[2] = turn(rest[2], [0, 3, 1, 2])
    rest[0] = turn(rest[0], [0, 3, 1, 2])
    found = builder.emit("FusedConv", [x, *rest], call.attributes, domain=RUNTIME)[0]
    return builder.Transpose(found, perm=[0, 2, 3, 1])


@rule("RotaryEmbedding", domain=RUNTIME)
def rotary_embedding(builder, call):
    x, places, cosines, sines = call.inputs
    heads, flat = call.get("num_heads", 0), x.rank == 3
    width = call.get("rotary_embedding_dim", 0) or 2 * cosines.shape[1]
    if flat:
        size = x.shape[2] // heads if heads else width
        x = builder.reshape(x, 0, 0, -1, size)
        x = builder.Transpose(x, perm=[0, 2, 1, 3])
    found = rotated(builder, x, angles(builder, places, x.shape[2]), cosines, sines,
                    width, call.get("interleaved", 0))
    if not flat:
        return scaled(builder, found, call.get("scale", 1.0))
    found = builder.Transpose(found, perm=[0, 2, 1, 3])
    return scaled(builder, builder.reshape(found, 0, 0, -1), call.get("scale", 1.0))


def angles(builder, places, length):
    """The positions [B or 1, S] of elements; one number is the first."""
    if places.rank == 2:
        return places
    if length is None:
        raise Unsupported("it needs the length of the sequence")
    along = builder.const(numpy.arange(length)[None], "int64")
    return builder.Add(builder.cast(builder.reshape(places, 1, 1), "int64"), along)


def rotated(builder, x, places, cosines, sines, width, interleaved):
    """x [B, H, S, D], of which the first `width` elements are turned in pairs by the
    angles of `places` [B, S]."""
    half, size = width // 2, x.shape[3]

    def part(value, low, high, step=1):
        return builder.Slice(value, builder.ints(low), builder.ints(high),
                             builder.ints(3), builder.ints(step))
    c, s = (builder.Unsqueeze(builder.Gather(table, places, axis=0), builder.ints(1))
            for table in (cosines, sines))
    if interleaved:
        a, b = part(x, 0, width, 2), part(x, 1, width, 2)
    else:
        a, b = part(x, 0, half), part(x, half, width)
    new = [builder.Sub(builder.Mul(a, c), builder.Mul(b, s)),
           builder.Add(builder.Mul(b, c), builder.Mul(a, s))]
    if interleaved:
        wide = [builder.Unsqueeze(value, builder.ints(4)) for value in new]
        found = builder.reshape(builder.Concat(*wide, axis=4), 0, 0, 0, width)
    else:
        found = builder.Concat(*new, axis=3)
    if width == size:
        return found
    return builder.Concat(found, part(x, width, size),
                          axis=3)
