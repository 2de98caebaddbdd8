# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a graph of operators that torch-mlir lowers.

Each operator that is emitted is evaluated if its inputs are constants, rewritten by
a rule of its own (package `rules`), replaced by the body that ONNX defines for it,
or appended as it is.
"""

import contextlib
import math

import numpy
import onnx
from onnx import helper, numpy_helper

from . import _carry, _fold, _functions, rules
from ._values import NUMBERS, Call, Unsupported, Value, of_type, to_type

#: The version of operators in the graph that is built.
VERSION = onnx.defs.onnx_opset_version()

#: The domain of ops that call a kernel (package `kernels`).
KERNELS = "mlir_prof"

#: Values of constants up to this number of elements are given to shape inference.
MOST_DATA = 1024

#: Elements of a value: a terabyte or more of memory.
MOST_ELEMENTS = 1 << 40

#: Values of a graph, which functions that call others double with each level.
MOST_VALUES = 1 << 18

#: The nesting of functions and rules.
MOST_DEPTH = 200


class Builder:
    def __init__(self, functions=(), trusts=True):
        self.nodes = []
        #: Whether the sizes that the model states are believed.
        self.trusts = trusts
        #: {(domain, name): FunctionProto} of the model.
        self.functions = dict(functions)
        self.initializers, self.kernels, self.types = {}, {}, {}
        self.constants, self.notes = {}, []
        self.count = self.depth = 0
        #: The name of the node of the model that is taken, for locations.
        self.place = ""

    # Values.

    def name(self, hint):
        self.count += 1
        if self.count > MOST_VALUES:
            raise Unsupported(f"the model has more than {MOST_VALUES} values once its "
                              "functions and loops are expanded")
        return f"{hint}.{self.count}"

    def const(self, data, dtype=None):
        """A constant of an array or of numbers."""
        data = numpy.asarray(data, dtype)
        return Value(self.name("constant"), data.dtype, data.shape, data)

    def like(self, number, value):
        """A scalar of the type of `value`."""
        return self.const(numpy.asarray(number).astype(value.dtype))

    def ints(self, *numbers):
        return self.const(numpy.array(numbers, "int64"))

    def declare(self, value):
        """Records the type of a value of the graph."""
        if value.is_static and math.prod(value.shape) > MOST_ELEMENTS:
            sizes = "x".join(map(str, value.shape))
            raise Unsupported(f"its result has {sizes} elements; at most "
                              f"{MOST_ELEMENTS} are taken")
        self.types[value.name] = to_type(value.dtype, value.shape)
        return value

    def type_of(self, name):
        """The type of a value of the graph, or None."""
        if name in self.initializers:
            data = self.initializers[name]
            return to_type(data.dtype, data.shape)
        return self.types.get(name)

    @contextlib.contextmanager
    def apart(self, nodes=None):
        """Within it, operators are appended to a list, which it returns: the nodes of
        a graph within a node."""
        outside, self.nodes = self.nodes, [] if nodes is None else nodes
        try:
            yield self.nodes
        finally:
            self.nodes = outside

    # Operators.

    def __getattr__(self, op):
        """`builder.Add(a, b, axis=0)` emits an operator with one result."""
        if not op[0].isupper():
            raise AttributeError(op)

        def emit(*inputs, **attributes):
            return self.emit(op, inputs, attributes)[0]
        return emit

    def emit(self, op, inputs, attributes=(), outputs=1, domain="",
             version=VERSION, declared=()):
        """The results of an operator."""
        used = [True] * outputs if isinstance(outputs, int) else outputs
        return self.take(Call(op, inputs, attributes, used, domain, version,
                              declared))

    def take(self, call):
        if self.depth > MOST_DEPTH:
            raise Unsupported("its definition is nested too deeply")
        self.depth += 1
        try:
            return self._take(call)
        finally:
            self.depth -= 1

    def _take(self, call):
        if call.domain == "ai.onnx":
            call.domain = ""
        found = _fold.fold(self, call)
        if found is None:
            for rule in rules.find(call):
                found = rule(self, call)
                if found is not None:
                    break
        if found is None:
            found = _functions.expand(self, call)
        if found is None:
            found = self.append(call)
        return list(found) if isinstance(found, (list, tuple)) else [found]

    def infer(self, call):
        """[(dtype, shape)] of the outputs of a call, by ONNX's own inference."""
        try:
            schema = onnx.defs.get_schema(call.op, call.version, call.domain)
        except Exception:
            raise Unsupported(
                f"ONNX does not define it for version {call.version} of domain "
                f"'{call.domain}'") from None
        node = self.to_node(call, [value.name if value else ""
                                   for value in call.inputs])
        types = {value.name: to_type(value.dtype, value.shape)
                 for value in call.inputs if value}
        data = {value.name: numpy_helper.from_array(value.data)
                for value in call.inputs
                if value and value.data is not None and value.data.size <= MOST_DATA}
        try:
            found = onnx.shape_inference.infer_node_outputs(
                schema, node, types, data,
                opset_imports=[helper.make_opsetid(call.domain, call.version)])
        except Exception as error:
            raise Unsupported(str(error).strip().split("\n")[0]) from error
        results = []
        for place, name in enumerate(node.output):
            dtype, shape = (of_type(found[name], name)
                            if name in found else (None, None))
            results.append(self.merge(dtype, shape, call, place))
        return results

    def merge(self, dtype, shape, call, place):
        """The type that inference found, with what the model states."""
        stated = call.declared[place] if place < len(call.declared) else None
        if stated:
            dtype = dtype or stated[0]
            if shape is None:
                shape = stated[1]
            elif stated[1] is not None and len(shape) == len(stated[1]):
                shape = tuple(known if size is None else size
                              for size, known in zip(shape, stated[1]))
        return dtype, shape

    def to_node(self, call, inputs, outputs=None):
        """The call as a node of the model."""
        if outputs is None:
            outputs = [f"out.{place}" if used else ""
                       for place, used in enumerate(call.outputs)]
        node = helper.make_node(call.op, inputs, outputs, domain=call.domain,
                                name=self.place)
        for name, value in call.attributes.items():
            if value is not None:
                node.attribute.append(to_attribute(name, value))
        return node

    def append(self, call):
        """Appends the operator to the graph as it is."""
        if call.domain:
            raise Unsupported(f"operators of the domain '{call.domain}' are not known")
        types = self.infer(call)
        for place, (dtype, shape) in enumerate(types):
            if call.outputs[place] and (dtype is None or shape is None):
                raise Unsupported("the number of dimensions of its result is unknown")
        return _carry.append(self, call, types)

    def native(self, op, inputs, outputs=1, declared=(), **attributes):
        """The results of an operator that is appended as it is."""
        used = [True] * outputs if isinstance(outputs, int) else outputs
        return self.append(Call(op, inputs, attributes, used, "", VERSION, declared))

    def add(self, node, results):
        """Appends a node and the types of its results."""
        self.nodes.append(node)
        for value in results:
            if value:
                self.declare(value)

    def kernel(self, make, inputs, results, raw=False, **options):
        """Calls a kernel: `make(name, inputs, results, **options)` writes its text.
        `results` are (dtype, shape); with `raw`, types are those of the graph."""
        outputs = [Value(self.name(make.__name__), numpy.dtype(dtype) if raw else
                         _carry.carrier(numpy.dtype(dtype)), tuple(shape))
                   for dtype, shape in results]
        carried = inputs if raw else [_carry.carried(self, value) for value in inputs]
        name = self.name(make.__name__).replace(".", "_")
        node = helper.make_node(name, [value.name for value in carried],
                                [value.name for value in outputs], domain=KERNELS,
                                name=self.place)
        self.kernels[name] = (make, carried, outputs, options, self.place)
        self.add(node, outputs)
        return [Value(value.name, numpy.dtype(dtype), value.shape)
                for value, (dtype, _) in zip(outputs, results)]

    def cast(self, value, dtype):
        dtype = numpy.dtype(dtype)
        return value if value.dtype == dtype else self.Cast(value, to=NUMBERS[dtype])

    def reshape(self, value, *shape):
        return self.Reshape(value, self.ints(*shape))

    def identity(self, value):
        return self.native("Identity", [value])[0]


def to_attribute(name, value):
    if isinstance(value, (list, tuple)) and not value:
        return helper.make_attribute(name, [],
                                     attr_type=onnx.AttributeProto.INTS)
    return helper.make_attribute(name, value)
