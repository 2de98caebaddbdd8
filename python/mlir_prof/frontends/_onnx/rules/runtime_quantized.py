# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized operators of ONNX Runtime (com.microsoft)."""

import numpy

from .._values import Unsupported, constant
from . import rule
from .quantization import of_columns, shifted
from .runtime import RUNTIME, add, swap


def decoded(builder, value, scale, zero):
    """The floats that integers stand for."""
    inputs = [value, scale] + ([] if zero is None else [zero])
    return builder.emit("DequantizeLinear", inputs)[0]


def encoded(builder, value, scale, zero):
    inputs = [value, scale] + ([] if zero is None else [zero])
    return builder.emit("QuantizeLinear", inputs)[0]


@rule("QuantizeLinear", "DequantizeLinear", domain=RUNTIME)
def of_onnx(builder, call):
    return builder.emit(call.op, call.inputs, call.attributes)


@rule("QLinearAdd", "QLinearMul", domain=RUNTIME)
def of_two(builder, call):
    a, b = decoded(builder, *call.inputs[:3]), decoded(builder, *call.inputs[3:6])
    found = builder.emit(call.op.removeprefix("QLinear"), [a, b])[0]
    return encoded(builder, found, call.inputs[6], call.input(7))


def pooled(builder, call, x):
    """A pool, of channels that may be last."""
    last = call.get("channels_last", 0)
    options = {key: value for key, value in call.attributes.items()
               if key != "channels_last"}
    ahead = [0, x.rank - 1, *range(1, x.rank - 1)]
    x = builder.Transpose(x, perm=ahead) if last else x
    found = builder.emit(call.op.removeprefix("QLinear"), [x], options)[0]
    back = [0, *range(2, x.rank), 1]
    return builder.Transpose(found, perm=back) if last else found


def softmax(builder, call, x):
    return builder.emit("Softmax", [x], dict(axis=call.get("axis", -1)),
                        version=call.get("opset", 13))[0]


_OF_ONE = {"QLinearSigmoid": lambda builder, call, x: builder.Sigmoid(x),
           "QLinearLeakyRelu": lambda builder, call, x: builder.LeakyRelu(
               x, alpha=call.get("alpha", 0.01)),
           "QLinearGlobalAveragePool": pooled, "QLinearAveragePool": pooled,
           "QLinearSoftmax": softmax}


@rule(*_OF_ONE, domain=RUNTIME)
def of_one(builder, call):
    x, scale, zero, out_scale, *rest = call.inputs
    found = _OF_ONE[call.op](builder, call, decoded(builder, x, scale, zero))
    return encoded(builder, found, out_scale, rest[0] if rest else None)


@rule("QLinearConcat", domain=RUNTIME)
def concat(builder, call):
    scale, zero, *rest = call.inputs
    parts = [decoded(builder, *rest[place:place + 3])
             for place in range(0, len(rest), 3)]
    return encoded(builder, builder.Concat(*parts, axis=call.get("axis")), scale, zero)


@rule("QLinearWhere", domain=RUNTIME)
def where(builder, call):
    condition, *rest = call.inputs
    found = builder.Where(condition, decoded(builder, *rest[:3]),
                          decoded(builder, *rest[3:6]))
    return encoded(builder, found, rest[6], rest[7])


@rule("QGemm", domain=RUNTIME)
def gemm(builder, call):
    a, a_scale, a_zero, b, b_scale, b_zero = call.inputs[:6]
    a = shifted(builder, a, a_zero)
    a = swap(builder, a) if call.get("transA", 0) else a
    if call.get("transB", 0):
        b = swap(builder, b)
    total = builder.MatMul(a, shifted(builder, b, of_columns(builder, b_zero)))
    total = add(builder, total, call.input(6))
    scale = builder.Mul(a_scale, b_scale)
    scale = builder.Mul(scale, builder.like(call.get("alpha", 1.0), scale))
    found = builder.Mul(builder.cast(total, scale.dtype), scale)
    if call.input(7) is None:
        return found
    return encoded(builder, found, call.input(7), call.input(8))


def integer_product(builder, a, b, a_scale, b_scale, a_zero, b_zero):
    """The floats of a product of integers."""
    total = builder.MatMul(shifted(builder, a, a_zero),
                           shifted(builder, b, of_columns(builder, b_zero)))
    scale = builder.Mul(builder.reshape(a_scale) if a_scale.shape == (1,) else a_scale,
                        b_scale)
    return builder.Mul(builder.cast(total, scale.dtype), scale)


@rule("MatMulIntegerToFloat", domain=RUNTIME)
def matmul_to_float(builder, call):
    a, b, a_scale, b_scale = call.inputs[:4]
    found = integer_product(builder, a, b, a_scale, b_scale, call.input(4),
                            call.input(5))
    return add(builder, found, call.input(6))


def of_run_time(builder, x):
    """x as uint8, with the scale and zero point of its range."""
    return builder.emit("DynamicQuantizeLinear", [x], outputs=3)


@rule("DynamicQuantizeMatMul", domain=RUNTIME)
def dynamic_matmul(builder, call):
    x, b, b_scale = call.inputs[:3]
    held, scale, zero = of_run_time(builder, x)
    found = integer_product(builder, held, b, scale, b_scale, zero, call.input(3))
    return add(builder, found, call.input(4))


@rule("QAttention", domain=RUNTIME)
def attention(builder, call):
    x, weight, bias, x_scale, weight_scale = call.inputs[:5]
    x = decoded(builder, x, x_scale, call.input(6))
    weight = builder.emit("DequantizeLinear", [
        weight, weight_scale, *filter(None, [call.input(7)])], dict(axis=1))[0]
    return builder.emit("Attention", [x, weight, bias, call.input(5), call.input(8)],
                        call.attributes, call.outputs, RUNTIME, 1)


def unpacked(data, bits):
    """Integers of a few bits, of bytes along the last dimension; the lowest bits of
    each byte come first."""
    if bits not in (1, 2, 4, 8):
        raise Unsupported(f"its weights have {bits} bits; hint: use 2, 4 or 8")
    parts = [data >> shift & ((1 << bits) - 1) for shift in range(0, 8, bits)]
    return numpy.stack(parts, -1).reshape(*data.shape[:-1], -1)


def zeros_of(call, place, rows, blocks, bits):
    """The zero point of each block [rows, blocks], as floats."""
    value = call.input(place)
    if value is None:
        return numpy.full((rows, blocks), float(1 << bits - 1), "float32")
    data = constant(value, "zero points")
    if data.dtype == "uint8":
        data = unpacked(data.reshape(rows, -1), bits)[:, :blocks]
    return data.reshape(rows, blocks).astype("float32")


@rule("MatMulNBits", domain=RUNTIME)
def matmul_of_bits(builder, call):
    """The weights become floats now: the program multiplies those."""
    x, packed, scales = call.inputs[:3]
    bits, block = call.get("bits", 4), call.get("block_size")
    rows, width = call.get("N"), call.get("K")
    if call.input(4) is not None:
        raise Unsupported("it orders the groups of its weights (g_idx)")
    blocks = -(-width // block)
    data = unpacked(constant(packed, "weights").reshape(rows, blocks, -1), bits)
    scale = constant(scales, "scales").reshape(rows, blocks).astype("float32")
    zero = zeros_of(call, 3, rows, blocks, bits)
    weight = (data[:, :, :block] - zero[:, :, None]) * scale[:, :, None]
    weight = weight.reshape(rows, -1)[:, :width].T.astype("float32")
    wide = builder.cast(x, "float32")
    found = builder.MatMul(wide, builder.const(numpy.ascontiguousarray(weight)))
    return add(builder, builder.cast(found, x.dtype), call.input(5))


@rule("GatherBlockQuantized", domain=RUNTIME)
def gather_of_blocks(builder, call):
    data, index, scales = call.inputs[:3]
    bits, block = call.get("bits", 4), call.get("block_size", 128)
    held = constant(data, "data")
    axis = call.get("quantize_axis", 1) % held.ndim
    if held.dtype != "uint8" or axis != held.ndim - 1:
        raise Unsupported("its blocks are not those of bytes along the last dimension")
    held, scale = unpacked(held, bits), constant(scales, "scales")
    rows, blocks = held.size // held.shape[-1], scale.shape[-1]
    zero = zeros_of(call, 3, rows, blocks, bits).reshape(scale.shape)
    table = ((held - numpy.repeat(zero, block, -1)[..., :held.shape[-1]]) *
             numpy.repeat(scale, block, -1)[..., :held.shape[-1]])
    return builder.Gather(builder.const(table, scale.dtype), index,
                          axis=call.get("gather_axis", 0))


_GENERATORS = ("BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch")


@rule(*_GENERATORS, domain=RUNTIME)
def generator(builder, call):
    raise Unsupported("it runs a whole search with a model inside; hint: export the "
                      "decoder alone, and search outside")
