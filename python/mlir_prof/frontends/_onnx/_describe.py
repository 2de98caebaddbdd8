# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments and results that a model states, before its shapes are known."""

import onnx

from .._source import FrontEndError
from ._values import TYPES


def describe_size(dim):
    """A size, the name of a symbolic one, or None."""
    if dim.HasField("dim_value"):
        return dim.dim_value
    return dim.dim_param or None


def describe(info):
    """Name, NumPy's element type, and sizes of a value of a graph."""
    kind = info.type.WhichOneof("value")
    if kind != "tensor_type":
        raise FrontEndError(f"{info.name} is no tensor but a {kind or 'value'}; hint: "
                            "the front end takes tensors of numbers and bool")
    tensor = info.type.tensor_type
    if tensor.elem_type not in TYPES:
        name = onnx.TensorProto.DataType.Name(tensor.elem_type)
        raise FrontEndError(f"{info.name} is a tensor of {name}; hint: the front end "
                            "takes tensors of numbers and bool")
    return dict(name=info.name, dtype=TYPES[tensor.elem_type].name,
                shape=[describe_size(dim) for dim in tensor.shape.dim])


def describe_model(model):
    """The same of the arguments and results of a model, and where it comes from."""
    graph = model.graph
    given = {tensor.name for tensor in graph.initializer}
    return dict(
        arguments=[describe(info) for info in graph.input if info.name not in given],
        results=[describe(info) for info in graph.output],
        metadata=dict(
            producer_name=model.producer_name, graph_name=graph.name,
            domain=model.domain, description=model.doc_string,
            graph_description=graph.doc_string, version=model.model_version,
            custom_metadata_map={entry.key: entry.value
                                 for entry in model.metadata_props}))
