# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a model of an untrusted file."""

import os
import pathlib

import onnx
from onnx import external_data_helper

from .._source import FrontEndError


def tensors_of(graph):
    """The constants of a graph and of those within its nodes."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for inner in [attribute.g, *attribute.graphs]:
                if inner.node or inner.initializer:
                    yield from tensors_of(inner)


def check_external(tensor, folder):
    """The data must lie in a file within the folder of the model, large enough."""
    info = external_data_helper.ExternalDataInfo(tensor)
    path = (folder / info.location).resolve()
    if not path.is_relative_to(folder.resolve()) or os.path.isabs(info.location):
        raise FrontEndError(f"the data of {tensor.name} are in {info.location}, "
                            "outside of the model's folder; hint: move the file")
    if not path.is_file():
        raise FrontEndError(f"the data of {tensor.name} are missing: there is no file "
                            f"{path}; hint: keep it beside the model")
    begin, size = info.offset or 0, path.stat().st_size
    end = begin + info.length if info.length else size
    if begin < 0 or end < begin or end > size:
        raise FrontEndError(f"the data of {tensor.name} are bytes {begin} to {end} of "
                            f"{path}, which has {size}; hint: the file is incomplete")


def check_size(tensor):
    """The bytes of a tensor must be as many as its shape needs."""
    if any(size < 0 for size in tensor.dims):
        raise FrontEndError(f"the constant {tensor.name} has a negative size")
    if not tensor.HasField("raw_data"):
        return
    try:
        onnx.numpy_helper.to_array(tensor)
    except Exception as error:
        raise FrontEndError(f"the constant {tensor.name} has {len(tensor.raw_data)} "
                            "bytes, which its shape does not need; hint: the file is "
                            "damaged") from error


def read(path, weights=True):
    """The model of a file, with its weights unless they are not asked for."""
    path = pathlib.Path(path)
    try:
        model = onnx.load(str(path), load_external_data=False)
    except Exception as error:
        raise FrontEndError(f"{path} is no ONNX model: {error}; hint: check the "
                            "file") from error
    if not model.HasField("graph"):
        raise FrontEndError(f"{path} has no graph; hint: check the file")
    if not weights:
        return model
    for tensor in tensors_of(model.graph):
        if external_data_helper.uses_external_data(tensor):
            check_external(tensor, path.parent)
            external_data_helper.load_external_data_for_tensor(tensor,
                                                               str(path.parent))
            tensor.data_location = onnx.TensorProto.DEFAULT
            del tensor.external_data[:]
        check_size(tensor)
    return model


def choose_shapes(graph, request):
    """The shapes of arguments: of the example inputs, except for dimensions that
    stay dynamic."""
    shapes = request.get("shapes") or {}
    keep = request.get("dynamic") or {}
    found = {}
    for info in graph.input:
        if info.name not in shapes:
            continue
        shape = list(shapes[info.name])
        for dim in keep.get(info.name, ()):
            shape[dim] = None
        check_shape(info, shapes[info.name])
        found[info.name] = tuple(shape)
    return found


def check_shape(info, shape):
    """An example must have the sizes that the model states."""
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return
    stated = [dim.dim_value if dim.HasField("dim_value") else None
              for dim in tensor.shape.dim]
    if len(stated) != len(shape) or any(
            known not in (None, size) for known, size in zip(stated, shape)):
        raise FrontEndError(
            f"the example input {info.name} has the shape {tuple(shape)}; the model "
            f"states {tuple('?' if size is None else size for size in stated)}; hint: "
            "pass one of that shape")
