# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces operators by the bodies that ONNX or the model defines for them."""

import onnx
from onnx import helper

from ._values import Unsupported, to_type

#: ONNX defines these by others, but torch-mlir lowers them as they are.
WHOLE = {"Softmax", "LogSoftmax", "Relu", "LeakyRelu", "Elu", "Selu", "HardSigmoid",
         "Clip", "PRelu", "LayerNormalization", "GreaterOrEqual", "LessOrEqual",
         "Softplus", "Gelu"}


def body_of(builder, call):
    """The FunctionProto that defines an operator, or None."""
    own = builder.functions.get((call.domain, call.op))
    if own:
        return own
    if not call.domain and call.op in WHOLE:
        return None
    try:
        schema = onnx.defs.get_schema(call.op, call.version, call.domain)
    except Exception:
        return None
    if schema.has_function:
        return schema.function_body
    if schema.has_context_dependent_function:
        return dependent_body(builder, schema, call)
    return None


def dependent_body(builder, schema, call):
    """A body that depends on types and attributes."""
    node = builder.to_node(call, [value.name if value else ""
                                  for value in call.inputs])
    types = [to_type(value.dtype, value.shape) if value else onnx.TypeProto()
             for value in call.inputs]
    body = schema.get_context_dependent_function(
        node.SerializeToString(), [proto.SerializeToString() for proto in types])
    return onnx.FunctionProto.FromString(body) if body else None


def bind(node, attributes, defaults):
    """The attributes of a node within a function."""
    bound = {}
    for attribute in node.attribute:
        if not attribute.ref_attr_name:
            bound[attribute.name] = helper.get_attribute_value(attribute)
            continue
        value = attributes.get(attribute.ref_attr_name)
        if value is None:
            value = defaults.get(attribute.ref_attr_name)
        if value is not None:
            bound[attribute.name] = value
    return bound


def defaults_of(call, function):
    """The attributes of a function that have a default."""
    found = {attribute.name: helper.get_attribute_value(attribute)
             for attribute in function.attribute_proto}
    try:
        schema = onnx.defs.get_schema(call.op, call.version, call.domain)
    except Exception:
        return found
    for name, attribute in schema.attributes.items():
        if attribute.default_value.name:
            found[name] = helper.get_attribute_value(attribute.default_value)
    return found


def expand(builder, call):
    """The results of the body of an operator, or None if it has none."""
    function = body_of(builder, call)
    if function is None:
        return None
    from ._builder import to_attribute
    from ._graph import run_nodes
    versions = {entry.domain: entry.version for entry in function.opset_import}
    names = dict(zip(function.input, call.inputs))
    for name in function.input[len(call.inputs):]:
        names[name] = None
    defaults = defaults_of(call, function)
    nodes = []
    for node in function.node:
        bound = onnx.NodeProto()
        bound.CopyFrom(node)
        del bound.attribute[:]
        for name, value in bind(node, call.attributes, defaults).items():
            bound.attribute.append(to_attribute(name, value))
        nodes.append(bound)
    run_nodes(builder, nodes, names, versions)
    missing = [name for name, used in zip(function.output, call.outputs)
               if used and names.get(name) is None]
    if missing:
        raise Unsupported(f"its definition does not compute {missing[0]}")
    return [names.get(name) for name in function.output[:len(call.outputs)]]
