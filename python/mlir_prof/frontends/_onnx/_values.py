# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a graph, and calls of operators on them."""

import math

import ml_dtypes
import numpy
import onnx

BFLOAT16 = numpy.dtype(ml_dtypes.bfloat16)

#: The element types of values that a model computes at run time.
TYPES = {
    onnx.TensorProto.FLOAT: numpy.dtype("float32"),
    onnx.TensorProto.DOUBLE: numpy.dtype("float64"),
    onnx.TensorProto.FLOAT16: numpy.dtype("float16"),
    onnx.TensorProto.BFLOAT16: BFLOAT16,
    onnx.TensorProto.INT8: numpy.dtype("int8"),
    onnx.TensorProto.INT16: numpy.dtype("int16"),
    onnx.TensorProto.INT32: numpy.dtype("int32"),
    onnx.TensorProto.INT64: numpy.dtype("int64"),
    onnx.TensorProto.UINT8: numpy.dtype("uint8"),
    onnx.TensorProto.UINT16: numpy.dtype("uint16"),
    onnx.TensorProto.UINT32: numpy.dtype("uint32"),
    onnx.TensorProto.UINT64: numpy.dtype("uint64"),
    onnx.TensorProto.BOOL: numpy.dtype("bool"),
}

NUMBERS = {dtype: number for number, dtype in TYPES.items()}


class Unsupported(Exception):
    """An operator cannot be taken; the text says why. The place is added by who
    catches it."""


class Value:
    """A tensor of the graph.

    `shape` has None for sizes that are known at run time only; `data` is the value
    of a constant, else None. `dtype` is NumPy's, or the number of a type of ONNX
    that only constants may have.
    """

    __slots__ = ("name", "dtype", "shape", "data")

    def __init__(self, name, dtype, shape, data=None):
        self.name, self.dtype, self.shape, self.data = name, dtype, shape, data

    @property
    def rank(self):
        return len(self.shape)

    @property
    def is_static(self):
        return None not in self.shape

    @property
    def size(self):
        """The number of elements; raises Unsupported if it is dynamic."""
        return math.prod(static(self))

    @property
    def is_float(self):
        return self.dtype.kind not in "iub"


def static(value):
    """The shape of `value`; raises Unsupported if it is dynamic."""
    if not value.is_static:
        sizes = "x".join("?" if size is None else str(size) for size in value.shape)
        raise Unsupported(f"it needs the sizes of {value.name}, which is {sizes}")
    return value.shape


def constant(value, what):
    """The data of `value`; raises Unsupported if it is computed at run time."""
    if value.data is None:
        raise Unsupported(f"its {what} ({value.name}) is no constant")
    return value.data


def of_type(proto, name):
    """(dtype, shape) of a TypeProto; the shape is None if its rank is unknown."""
    if proto.WhichOneof("value") != "tensor_type":
        raise Unsupported(f"{name} is no tensor but a "
                          f"{proto.WhichOneof('value') or 'value without a type'}")
    tensor = proto.tensor_type
    if tensor.elem_type not in TYPES:
        raise Unsupported(f"{name} is a tensor of "
                          f"{onnx.TensorProto.DataType.Name(tensor.elem_type)}")
    if not tensor.HasField("shape"):
        return TYPES[tensor.elem_type], None
    return TYPES[tensor.elem_type], tuple(
        dim.dim_value if dim.HasField("dim_value") else None
        for dim in tensor.shape.dim)


def to_type(dtype, shape):
    """The TypeProto of a tensor."""
    number = NUMBERS[dtype] if isinstance(dtype, numpy.dtype) else dtype
    return onnx.helper.make_tensor_type_proto(number, shape)


class Call:
    """A node: an operator of a version, its inputs (None where one is omitted) and
    its attributes as Python values."""

    def __init__(self, op, inputs, attributes, outputs, domain, version,
                 declared=()):
        self.op, self.inputs, self.attributes = op, list(inputs), dict(attributes)
        #: Which of its outputs are used.
        self.outputs = list(outputs)
        self.domain, self.version = domain, version
        #: (dtype, shape) that the model states for the outputs, or None.
        self.declared = list(declared)

    def input(self, place):
        return self.inputs[place] if place < len(self.inputs) else None

    def get(self, name, default=None):
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def constant(self, place, what):
        """The data of an input, or None if it is omitted."""
        value = self.input(place)
        return None if value is None else constant(value, what)

    def declared_shape(self, place=0):
        """The shape that the model states for an output, or None."""
        found = self.declared[place] if place < len(self.declared) else None
        return found[1] if found else None

    def uses(self, place):
        return place < len(self.outputs) and self.outputs[place]
