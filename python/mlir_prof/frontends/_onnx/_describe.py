# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments and results that a model states, before its shapes are known."""

import onnx


def describe_size(dim):
    """A size, the name of a symbolic one, or None."""
    if dim.HasField("dim_value"):
        return dim.dim_value
    return dim.dim_param or None


def describe(info):
    """Name, NumPy's element type, and sizes of a value of a graph."""
    tensor = info.type.tensor_type
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    return dict(name=info.name, dtype=dtype.name,
                shape=[describe_size(dim) for dim in tensor.shape.dim])


def describe_graph(graph):
    """The same of the arguments and results of a graph."""
    given = {tensor.name for tensor in graph.initializer}
    return dict(arguments=[describe(info) for info in graph.input
                           if info.name not in given],
                results=[describe(info) for info in graph.output])
