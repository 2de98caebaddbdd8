# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Carries narrow and unsigned integers in wider signed ones.

torch-mlir computes in signed integers of 32 and 64 bits only. A value of a narrower
or unsigned type is therefore carried in one that holds all its numbers, and results
that may leave the type are brought back into it; numbers of 64 bits without a sign
are carried by their bits.
"""

import numpy
from onnx import helper

from ._values import NUMBERS, TYPES, Unsupported, Value

_CARRIERS = {"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32",
             "uint32": "int64", "uint64": "int64"}

#: The types of arguments and results, which are signless in linalg.
_STORED = {"uint8": "int8", "uint16": "int16", "uint32": "int32", "uint64": "int64"}

#: Results may leave the type.
MODULAR = {"Add", "Sub", "Mul", "Neg", "Abs", "Pow", "Sum", "ReduceSum", "ReduceProd",
           "ReduceSumSquare", "ReduceL1", "MatMul", "Gemm", "CumSum", "BitwiseNot",
           "BitShift", "Einsum", "Div"}

#: Results depend on the bits only, so that unsigned numbers of 64 bits are right.
BITS = MODULAR - {"Abs", "Div", "Pow", "BitShift"} | {
    "Reshape", "Transpose", "Gather", "Concat", "Slice", "Expand", "Squeeze",
    "Unsqueeze", "Flatten", "Where", "Pad", "Identity", "Tile", "Split", "Equal",
    "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Shape", "Size", "Trilu",
    "GatherElements", "GatherND", "ConstantOfShape", "If", "Loop"}

#: Larger constants are stored as they are, and converted at run time.
MOST_WIDENED = 1 << 16


def carrier(dtype):
    """The type that carries values of `dtype`."""
    return numpy.dtype(_CARRIERS.get(getattr(dtype, "name", ""), dtype))


def storage(dtype):
    """The type of an argument or result of the model of type `dtype`."""
    return numpy.dtype(_STORED.get(dtype.name, dtype))


def bits(dtype):
    return dtype.itemsize * 8


def initializer(builder, data, hint):
    """The name of a constant of the graph."""
    data = numpy.asarray(data, order="C")
    key = (data.dtype, data.shape, data.tobytes() if data.nbytes <= 4096 else id(data))
    if key not in builder.constants:
        name = builder.name(hint)
        # Keeps `data`, whose identity is the key.
        builder.constants[key] = name
        builder.initializers[name] = data
    return builder.constants[key]


def use(builder, value):
    """The value of the graph that carries `value`."""
    if value is None:
        return Value("", numpy.dtype("bool"), ())
    if value.data is None:
        return value
    data = value.data
    if not isinstance(value.dtype, numpy.dtype) or value.dtype not in NUMBERS:
        raise Unsupported(f"{value.name} is a tensor of {value.dtype}")
    wide = carrier(value.dtype)
    if wide != value.dtype and data.size > MOST_WIDENED:
        stored = Value(initializer(builder, data.view(storage(value.dtype)), "stored"),
                       value.dtype, value.shape)
        return unpack(builder, stored)
    data = data.view("int64") if value.dtype == "uint64" else data.astype(wide)
    return Value(initializer(builder, data, "constant"), wide, value.shape)


def carried(builder, value):
    """`value` with the type that the graph has for it."""
    held = use(builder, value)
    return Value(held.name, carrier(value.dtype), value.shape)


def emit(builder, op, inputs, dtype, shape, **attributes):
    """Appends an operator on carried values; `dtype` is the carrying type."""
    result = Value(builder.name(op.lower()), numpy.dtype(dtype), shape)
    node = helper.make_node(op, [use(builder, value).name for value in inputs],
                            [result.name], name=builder.place, **attributes)
    builder.add(node, [result])
    return result


def cast(builder, value, dtype):
    """Converts between types that carry."""
    dtype = numpy.dtype(dtype)
    if value.dtype == dtype:
        return value
    return emit(builder, "Cast", [value], dtype, value.shape, to=NUMBERS[dtype])


def through(builder, value, dtype, target):
    """`value`, of a type that carries or stores, as a `dtype` that is held in
    `target`."""
    from .kernels.convert import convert as kernel
    held, = builder.kernel(kernel, [value], [(target, value.shape)], raw=True,
                           bits=bits(dtype), unsigned=dtype.kind == "u")
    return Value(held.name, dtype, value.shape)


def wrap(builder, value, dtype):
    """Brings a carried value back into `dtype`."""
    if carrier(dtype) == dtype or dtype == "uint64":
        return Value(value.name, dtype, value.shape)
    return through(builder, value, dtype, carrier(dtype))


def unpack(builder, stored):
    """The value that carries an argument or a constant as it is stored."""
    dtype = stored.dtype
    if carrier(dtype) == storage(dtype):
        return stored
    held = Value(stored.name, storage(dtype), stored.shape)
    return through(builder, held, dtype, carrier(dtype))


def pack(builder, value):
    """A result of the model as it is stored, computed by an op of the graph."""
    dtype = value.dtype
    held = carried(builder, value)
    if carrier(dtype) == storage(dtype):
        return emit(builder, "Identity", [held], held.dtype, held.shape)
    stored = through(builder, held, dtype, storage(dtype))
    return Value(stored.name, storage(dtype), value.shape)


def convert(builder, call, shape):
    """Appends a Cast."""
    source, target = call.input(0), call.attributes["to"]
    if target not in TYPES:
        raise Unsupported(f"it converts to the type of number {target}")
    dtype = TYPES[target]
    held = carried(builder, source)
    wide = cast(builder, held, carrier(dtype))
    if dtype.kind not in "iu" or source.dtype.kind == "b":
        return Value(wide.name, dtype, shape)
    if source.dtype.kind in "iu" and fits(source.dtype, dtype):
        return Value(wide.name, dtype, shape)
    return wrap(builder, wide, dtype)


def fits(source, dtype):
    """Whether all integers of type `source` are of type `dtype`."""
    here, there = numpy.iinfo(source), numpy.iinfo(dtype)
    return there.min <= here.min and here.max <= there.max


def append(builder, call, types):
    """Appends a call whose results have `types`; its results."""
    if call.op == "Cast":
        return [convert(builder, call, types[0][1])]
    if call.op not in BITS and any(value and value.dtype == "uint64"
                                   for value in call.inputs):
        raise Unsupported("it takes unsigned integers of 64 bits")
    inputs = [use(builder, value).name for value in call.inputs]
    while inputs and not inputs[-1]:
        inputs.pop()
    results = [Value(builder.name(call.op.lower()), carrier(dtype), shape)
               if used else None
               for (dtype, shape), used in zip(types, call.outputs)]
    node = builder.to_node(call, inputs, [value.name if value else ""
                                          for value in results])
    builder.add(node, results)
    return [value and (wrap(builder, value, dtype) if call.op in MODULAR else
                       Value(value.name, dtype, value.shape))
            for value, (dtype, _) in zip(results, types)]

