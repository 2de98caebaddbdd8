# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the graph of a model, node by node."""

import collections
import heapq
import re

import numpy
import onnx
from onnx import helper, numpy_helper

from .._source import FrontEndError
from . import _carry
from ._builder import KERNELS, VERSION, Builder
from ._values import Call, Unsupported, Value, of_type, to_type


def describe(node):
    """An operator and its place in the model."""
    domain = f"{node.domain}." if node.domain not in ("", "ai.onnx") else ""
    return f"{domain}{node.op_type} of node '{node.name or '(without a name)'}'"


def path_of(node):
    """The module path of a node: its name, behind the module that PyTorch's exporter
    notes."""
    name = node.name or node.op_type
    for entry in node.metadata_props:
        if entry.key == "pkg.torch.onnx.name_scopes" and len(entry.value) < 1 << 16:
            scopes = re.findall(r"'([^']*)'", entry.value)
            if len(scopes) > 1 and scopes[-2]:
                return "/".join([*scopes[-2].split("."), name])
    return name


def attributes_of(node):
    return {attribute.name: helper.get_attribute_value(attribute)
            for attribute in node.attribute}


def lookup(names, name, node):
    if not name:
        return None
    if name not in names:
        raise Unsupported(f"its input {name} is not computed before it")
    return names[name]


def uses_of(node):
    """The names that a node reads, its graphs included."""
    found = set(node.input)
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            for inner in graph.node:
                found |= uses_of(inner)
    return found


def ordered(nodes):
    """The nodes, each behind those whose values it reads: tools that rewrite models
    append nodes at the end."""
    makers = {name: place for place, node in enumerate(nodes)
              for name in node.output if name}
    needs = [sorted({makers[name] for name in uses_of(node) if name in makers})
             for node in nodes]
    if all(not need or need[-1] < place for place, need in enumerate(needs)):
        return nodes
    found, left = [], [len(need) for need in needs]
    readers = [[] for _ in nodes]
    for place, need in enumerate(needs):
        for maker in need:
            readers[maker].append(place)
    ready = [place for place, count in enumerate(left) if not count]
    heapq.heapify(ready)
    while ready:
        place = heapq.heappop(ready)
        found.append(nodes[place])
        for reader in readers[place]:
            left[reader] -= 1
            if not left[reader]:
                heapq.heappush(ready, reader)
    # Those of a cycle stay as they are, and are refused.
    return found + [node for node, count in zip(nodes, left) if count]


def run_nodes(builder, nodes, names, versions, declared=None):
    """Takes nodes in their order. `names` has the values by name, and gets those
    that the nodes compute; `declared` the types that the model states."""
    declared = declared or {}
    outermost = not builder.place
    for node in ordered(list(nodes)):
        if outermost:
            builder.place = path_of(node)
        try:
            take_node(builder, node, names, versions, declared)
        except FrontEndError:
            raise
        # A rule may also fail by what a damaged model has.
        except Exception as error:
            if not outermost:
                raise
            hint = "" if "hint: " in str(error) else \
                "; hint: replace it in the model by other operators"
            raise FrontEndError(
                f"{describe(node)} cannot be taken: {error}{hint}") from error
        finally:
            if outermost:
                builder.place = ""


def take_node(builder, node, names, versions, declared):
    domain = "" if node.domain == "ai.onnx" else node.domain
    inputs = [lookup(names, name, node) for name in node.input]
    call = Call(node.op_type, inputs, attributes_of(node),
                [bool(name) for name in node.output], domain,
                versions.get(domain, versions.get("ai.onnx", VERSION)
                             if not domain else 1),
                [declared.get(name) for name in node.output])
    # For operators with graphs, which see the values around them.
    call.names, call.versions, call.stated = names, versions, declared
    for name, value in zip(node.output, builder.take(call)):
        if name:
            names[name] = value


def declared_types(builder, graph):
    """The types that a graph states for its values."""
    found = {}
    for info in [*graph.value_info, *graph.output]:
        try:
            dtype, shape = of_type(info.type, info.name)
        except Unsupported:
            continue
        if shape is not None and not builder.trusts:
            shape = (None,) * len(shape)
        found[info.name] = dtype, shape
    return found


def add_initializers(graph, names):
    for tensor in graph.initializer:
        data = numpy_helper.to_array(tensor)
        names[tensor.name] = Value(tensor.name, data.dtype, data.shape, data)
    if graph.sparse_initializer:
        raise FrontEndError("the model has sparse initializers; hint: make them dense")


def run_graph(builder, graph, names, versions):
    """The results of a graph within a node, whose arguments are in `names`."""
    add_initializers(graph, names)
    run_nodes(builder, graph.node, names, versions, declared_types(builder, graph))
    return [lookup(names, output.name, None) for output in graph.output]


def child_names(names):
    return collections.ChainMap({}, names)


def value_info(value):
    return helper.make_value_info(value.name, to_type(value.dtype, value.shape))


class Taken:
    """A model as a graph that torch-mlir lowers."""

    def __init__(self, model, kernels, arguments, results, notes):
        self.model, self.kernels, self.notes = model, kernels, notes
        #: Values with the model's names and types.
        self.arguments, self.results = arguments, results


def take_arguments(builder, graph, shapes, names):
    """The arguments of the model, with the sizes of `shapes`."""
    given = {tensor.name for tensor in graph.initializer}
    found = []
    for info in graph.input:
        if info.name in given:
            continue
        try:
            dtype, shape = of_type(info.type, info.name)
        except Unsupported as error:
            raise FrontEndError(f"the argument {error}; hint: the front end takes "
                                "tensors of numbers and bool") from error
        shape = shapes.get(info.name, shape)
        if shape is None:
            raise FrontEndError(f"the argument {info.name} has no known number of "
                                "dimensions; hint: pass example inputs")
        value = Value(info.name, dtype, shape)
        found.append(value)
        builder.types[info.name] = to_type(_carry.storage(dtype), shape)
        names[info.name] = _carry.unpack(builder, value)
    return found


def check_versions(model):
    """Operators of a version that ONNX does not know may have another meaning."""
    for entry in model.opset_import:
        if entry.domain in ("", "ai.onnx") and entry.version > VERSION:
            raise FrontEndError(
                f"the model is of opset {entry.version}; the package onnx knows those "
                f"up to {VERSION}; hint: pip install --upgrade onnx")


def take(model, shapes, trusts=True):
    """Takes a model; `shapes` gives the shapes of arguments that the example inputs
    or the user fix. Unless it `trusts` the model, it ignores the sizes that this
    states for values other than its arguments."""
    functions = {(entry.domain, entry.name): entry for entry in model.functions}
    check_versions(model)
    builder = Builder(functions, trusts)
    versions = {entry.domain: entry.version for entry in model.opset_import}
    graph, names = model.graph, {}
    add_initializers(graph, names)
    arguments = take_arguments(builder, graph, shapes, names)
    run_nodes(builder, graph.node, names, versions, declared_types(builder, graph))
    results, stored = [], []
    for info in graph.output:
        if info.name not in names:
            raise FrontEndError(f"nothing computes the result {info.name}")
        value = names[info.name]
        results.append(Value(info.name, value.dtype, value.shape))
        stored.append(_carry.pack(builder, value))
    return Taken(to_model(builder, arguments, stored), builder.kernels, arguments,
                 results, builder.notes)


def to_model(builder, arguments, results):
    """The graph as a ModelProto."""
    graph = onnx.GraphProto(name="main")
    graph.node.extend(builder.nodes)
    for value in arguments:
        graph.input.append(helper.make_value_info(
            value.name, to_type(_carry.storage(value.dtype), value.shape)))
    for value in results:
        graph.output.append(helper.make_value_info(
            value.name, to_type(value.dtype, value.shape)))
    known = {value.name for value in arguments}
    for name, proto in builder.types.items():
        if name not in known:
            graph.value_info.append(helper.make_value_info(name, proto))
    for name, data in builder.initializers.items():
        graph.initializer.append(to_tensor(name, data))
    return helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", VERSION), helper.make_opsetid(KERNELS, 1)])


def to_tensor(name, data):
    """A constant as torch-mlir's importer reads it: bits of bool as numbers."""
    if data.dtype == bool:
        return helper.make_tensor(name, onnx.TensorProto.BOOL, data.shape,
                                  data.astype("int32").ravel().tolist())
    return numpy_helper.from_array(numpy.asarray(data, order="C"), name)
