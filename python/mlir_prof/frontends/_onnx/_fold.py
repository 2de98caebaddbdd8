# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates operators whose inputs are constants."""

import math

import numpy
from onnx import numpy_helper

from ._values import Unsupported, Value

#: Larger results are computed at run time, unless they are no larger than the
#: inputs.
MOST_ELEMENTS = 1 << 16

RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike",
          "Multinomial", "Bernoulli", "Dropout"}

CONTROL = {"If", "Loop", "Scan", "SequenceMap"}


def constant_of(call):
    """The data of a node Constant."""
    for name, value in call.attributes.items():
        if name == "value":
            return numpy_helper.to_array(value)
        if name in ("value_float", "value_floats"):
            return numpy.array(value, "float32")
        if name in ("value_int", "value_ints"):
            return numpy.array(value, "int64")
    raise Unsupported("its value is neither a tensor nor numbers")


def shape_of(call):
    """The shape of a static input, or its number of elements."""
    value = call.input(0)
    if call.op == "Size":
        return numpy.array(value.size, "int64") if value.is_static else None
    chosen = value.shape[call.get("start", 0):call.get("end")]
    return None if None in chosen else numpy.array(chosen, "int64")


def is_small(builder, call):
    """Whether the results are worth keeping as constants."""
    most = max([MOST_ELEMENTS] + [2 * value.data.size for value in call.inputs
                                  if value])
    return all(shape is not None and None not in shape and math.prod(shape) <= most
               for _, shape in builder.infer(call))


def evaluate(builder, call):
    """The results by ONNX's reference implementation."""
    from onnx.reference import ReferenceEvaluator
    names = [f"i{place}" if value else "" for place, value in enumerate(call.inputs)]
    outputs = [f"o{place}" if used else "" for place, used in enumerate(call.outputs)]
    node = builder.to_node(call, names, outputs)
    feeds = {name: value.data for name, value in zip(names, call.inputs) if value}
    with numpy.errstate(all="ignore"):
        found = ReferenceEvaluator(node, opsets={"": call.version}).run(
            [name for name in outputs if name], feeds)
    found = iter(found)
    return [next(found) if used else None for used in call.outputs]


def fold(builder, call):
    """The results of a call as constants, or None if it is not one of constants."""
    if call.domain:
        return None
    if call.op == "Constant":
        return wrap(builder, [constant_of(call)])
    if call.op in ("Shape", "Size"):
        data = shape_of(call)
        return None if data is None else wrap(builder, [data])
    if (call.op in RANDOM or call.op in CONTROL or not call.inputs or
            any(value and value.data is None for value in call.inputs)):
        return None
    try:
        if not is_small(builder, call):
            return None
        return wrap(builder, evaluate(builder, call))
    except Exception:  # the reference lacks it, or the op itself is refused
        return None


def wrap(builder, arrays):
    return [None if array is None else
            Value(builder.name("constant"), numpy.asarray(array).dtype,
                  numpy.shape(array), numpy.asarray(array)) for array in arrays]
