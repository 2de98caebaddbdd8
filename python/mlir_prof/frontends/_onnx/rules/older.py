# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Older versions of operators, as calls of the current ones.

A version that only takes more types needs nothing.
"""

import math

import numpy

from .._builder import VERSION
from .._values import Call, Unsupported
from . import rule


def current(builder, call, inputs=None, outputs=None, drop=(), **changes):
    """Emits the current version with other inputs and attributes."""
    attributes = {name: value for name, value in call.attributes.items()
                  if name not in drop}
    attributes.update(changes)
    inputs = call.inputs if inputs is None else inputs
    return builder.take(Call(call.op, inputs, attributes, outputs or call.outputs, "",
                             VERSION, call.declared))


def before(version, *operators):
    """Registers a rule for versions before `version`."""
    def register(function):
        @rule(*operators)
        def older(builder, call):
            return function(builder, call) if call.version < version else None
        return function
    return register


@before(13, "Squeeze", "Unsqueeze")
def axes_as_attribute(builder, call):
    axes = call.get("axes")
    inputs = call.inputs[:1] + ([builder.ints(*axes)] if axes else [])
    return current(builder, call, inputs, drop=["axes"])


@before(10, "Slice")
def slice_by_attributes(builder, call):
    names = [name for name in ("starts", "ends", "axes") if call.get(name)]
    inputs = call.inputs[:1] + [builder.ints(*call.get(name)) for name in names]
    return current(builder, call, inputs, drop=names)


@before(11, "Pad")
def pad_by_attributes(builder, call):
    pads = call.get("pads") or call.get("paddings")
    inputs = [call.inputs[0], builder.ints(*pads),
              builder.like(call.get("value", 0.0), call.inputs[0])]
    return current(builder, call, inputs, drop=["pads", "paddings", "value"])


@before(11, "Clip")
def clip_by_attributes(builder, call):
    data = call.inputs[0]
    limits = [None if call.get(name) is None else builder.like(call.get(name), data)
              for name in ("min", "max")]
    return current(builder, call, [data, *limits], drop=["min", "max", "consumed_inputs"])


@before(13, "Split")
def split_by_attribute(builder, call):
    sizes = call.get("split")
    if sizes is None and call.input(1) is None:
        return None
    inputs = [call.inputs[0], builder.ints(*sizes) if sizes else call.input(1)]
    return current(builder, call, inputs, drop=["split"])


@before(13, "Softmax", "LogSoftmax", "Hardmax")
def softmax_of_rows(builder, call):
    """Over all axes from one on."""
    data = call.inputs[0]
    axis = call.get("axis", 1) % max(data.rank, 1)
    if axis == data.rank - 1:
        return current(builder, call, axis=-1)
    flat = builder.Flatten(data, axis=axis)
    found = builder.emit(call.op, [flat], dict(axis=-1))[0]
    return builder.Reshape(found, builder.Shape(data))


@before(10, "TopK")
def top_k_by_attribute(builder, call):
    if len(call.inputs) > 1:
        return None
    return current(builder, call, [call.inputs[0], builder.ints(call.get("k"))],
                   drop=["k"])


@before(12, "Dropout")
def dropout_of_inference(builder, call):
    return current(builder, call, call.inputs[:1],
                   drop=["ratio", "is_test", "consumed_inputs"])


@before(14, "BatchNormalization")
def batch_norm(builder, call):
    if not call.get("spatial", 1):
        raise Unsupported("it normalizes each element on its own (spatial=0)")
    if any(call.outputs[1:]):
        raise Unsupported("it computes statistics, as in training")
    return current(builder, call, outputs=[True],
                   drop=["spatial", "is_test", "consumed_inputs", "momentum"])


@rule("BatchNormalization")
def batch_norm_of_training(builder, call):
    if not call.get("training_mode", 0):
        return None
    data, scale, bias, mean, variance = call.inputs
    axes = builder.ints(0, *range(2, data.rank))
    center = builder.ReduceMean(data, axes)
    away = builder.Sub(data, center)
    spread = builder.ReduceMean(builder.Mul(away, away), axes)
    root = builder.Sqrt(builder.Add(spread, builder.like(call.get("epsilon", 1e-5),
                                                         data)))
    sizes = [1, -1] + [1] * (data.rank - 2)
    y = builder.Add(builder.Mul(builder.Div(away, root),
                                builder.reshape(scale, *sizes)),
                    builder.reshape(bias, *sizes))
    keep = call.get("momentum", 0.9)

    def mixed(old, new):
        new = builder.reshape(new, -1)
        return builder.Add(builder.Mul(old, builder.like(keep, old)),
                           builder.Mul(new, builder.like(1 - keep, old)))
    return [y, mixed(mean, center), mixed(variance, spread)]


@before(7, "Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Less", "Greater",
        "Equal", "PRelu")
def broadcast_by_axis(builder, call):
    if call.op == "PRelu" or not call.get("broadcast", 0):
        return current(builder, call, drop=["broadcast", "axis", "consumed_inputs"])
    left, right = call.inputs
    axis = call.get("axis")
    if axis is not None:
        behind = left.rank - axis % left.rank - right.rank
        right = builder.Unsqueeze(right, builder.ints(*range(right.rank,
                                                             right.rank + behind)))
    return current(builder, call, [left, right],
                   drop=["broadcast", "axis", "consumed_inputs"])


@before(5, "Reshape")
def reshape_by_attribute(builder, call):
    if len(call.inputs) > 1:
        return None
    return current(builder, call, [call.inputs[0], builder.ints(*call.get("shape"))],
                   drop=["shape", "consumed_inputs"])


@before(6, "Tile")
def tile_of_axis(builder, call):
    raise Unsupported("it is of version 1; hint: convert the model to opset 6")


@before(18, "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
        "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare")
def reduction_by_attribute(builder, call):
    axes = call.get("axes")
    if axes is None:
        return None
    return current(builder, call, [call.inputs[0], builder.ints(*axes)], drop=["axes"])


@before(7, "Gemm")
def gemm(builder, call):
    return current(builder, call, drop=["broadcast"])


@before(21, "GroupNormalization")
def group_norm(builder, call):
    """Scales and biases of groups instead of channels."""
    data, scale, bias = call.inputs
    if scale.shape == data.shape[1:2]:
        return None
    each = data.shape[1] // call.get("num_groups")

    def repeat(value):
        wide = builder.Expand(builder.Unsqueeze(value, builder.ints(1)),
                              builder.ints(scale.shape[0], each))
        return builder.reshape(wide, -1)
    return current(builder, call, [data, repeat(scale), repeat(bias)])


@rule("ConstantOfShape")
def filled(builder, call):
    """With a shape that the model states."""
    stated = call.declared_shape()
    shape = call.inputs[0]
    value = call.attributes.get("value")
    data = numpy.zeros(1, "float32")
    if value is not None:
        from onnx import numpy_helper
        data = numpy_helper.to_array(value)
    if shape.data is None and (not stated or None in stated):
        if shape.shape == (0,):
            return builder.identity(builder.const(data.reshape(())))
        return builder.Expand(builder.const(data.reshape(())), shape)
    sizes = stated if shape.data is None else shape.data.tolist()
    return builder.Expand(builder.const(data.reshape(())), builder.ints(*sizes))


@rule("Reshape", "Expand", "Tile", "Squeeze", "Unsqueeze")
def to_stated_shape(builder, call):
    """By numbers that are known at run time, to a shape that the model states."""
    stated = call.declared_shape()
    if len(call.inputs) < 2 or call.inputs[1] is None or \
            call.inputs[1].data is not None or not stated or None in stated:
        return None
    data, sizes = call.inputs[0], builder.ints(*stated)
    if call.op == "Expand":
        return builder.Expand(data, sizes)
    if call.op == "Tile":
        if not data.is_static or 0 in data.shape:
            return None
        repeats = [size // old for size, old in zip(stated, data.shape)]
        return builder.Tile(data, builder.ints(*repeats))
    return builder.emit("Reshape", [data, sizes], dict(allowzero=1))[0]


@rule("Reshape")
def reshape(builder, call):
    """To sizes of 0, which torch-mlir divides by."""
    if len(call.inputs) < 2:
        return None
    data, shape = call.inputs[:2]
    if shape.data is None or not data.is_static:
        return reshape_of_dynamic(builder, call, data, shape)
    sizes = [int(size) for size in shape.data]
    if not call.get("allowzero", 0):
        sizes = [data.shape[dim] if size == 0 else size
                 for dim, size in enumerate(sizes)]
    if -1 in sizes:
        known = numpy.prod([size for size in sizes if size != -1], dtype=int)
        if not known:
            return None
        sizes[sizes.index(-1)] = data.size // int(known)
    if min(sizes, default=0) < 0 or math.prod(sizes) != data.size:
        raise Unsupported(f"it makes {data.size} elements a tensor of the shape "
                          f"{[int(size) for size in shape.data]}")
    if 0 in sizes:
        return builder.Expand(builder.like(0, data), builder.ints(*sizes))
    return builder.native("Reshape", [data, builder.ints(*sizes)])[0]


def reshape_of_dynamic(builder, call, data, shape):
    """By way of one dimension, where dynamic sizes are merged: torch-mlir takes the
    first ones for those of the result."""
    if shape.data is None or data.shape.count(None) < 2 or -1 not in shape.data or \
            0 in shape.data or shape.shape == (1,):
        return None
    flat = builder.native("Reshape", [data, builder.ints(-1)])[0]
    return builder.native("Reshape", [flat, shape], declared=call.declared)[0]


@rule("Slice")
def slice_at_run_time(builder, call):
    """By numbers that are known at run time, to a shape that the model states."""
    if len(call.inputs) < 2:
        return None
    data, starts = call.inputs[:2]
    stated = call.declared_shape()
    if all(value is None or value.data is not None for value in call.inputs[1:]) or \
            not data.is_static or not stated or None in stated:
        return None
    starts = builder.cast(starts, "int64")
    count = starts.shape[0]
    axes = call.input(3) or builder.ints(*range(count))
    steps = call.input(4) or builder.ints(*[1] * count)
    rank = data.rank
    zeros, ones = (builder.ints(*[number] * rank) for number in (0, 1))
    begins = builder.ScatterElements(zeros, axes, starts, axis=0)
    steps = builder.ScatterElements(ones, axes, builder.cast(steps, "int64"), axis=0)
    sizes = builder.ints(*data.shape)
    begins = builder.Where(builder.Less(begins, zeros), builder.Add(begins, sizes),
                           begins)
    last = builder.Sub(sizes, ones)
    # A negative step may begin at the last element, a positive one at most there.
    begins = builder.Max(builder.Min(begins, last), zeros)
    for dim, size in enumerate(stated):
        at = builder.const(dim, "int64")
        index = builder.Add(builder.Gather(begins, at), builder.Mul(
            builder.const(numpy.arange(size), "int64"), builder.Gather(steps, at)))
        data = builder.Gather(data, index, axis=dim)
    return data
