# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes with tensors that hold one constant number. torch-mlir folds them too, takes
some negative factors for unsigned ones, and ends the process for some types."""

import torch
from torch.utils import _pytree as pytree

aten = torch.ops.aten

#: The number that a constructor fills a tensor with, by its place or as it is.
FILLS = {aten.full.default: 1, aten.full_like.default: 1, aten.scalar_tensor.default: 0}
CONSTANTS = {aten.zeros.default: 0, aten.zeros_like.default: 0, aten.ones.default: 1,
             aten.ones_like.default: 1}

CONVERSIONS = {aten._to_copy.default, torch.ops.prims.convert_element_type.default}


def is_known(value):
    """Whether it is a real tensor with elements and a known shape."""
    return isinstance(value, torch.Tensor) and not value.is_complex() and all(
        isinstance(size, int) and size for size in value.shape)


def read_fill(node):
    """The number of a constructor, or None."""
    if node.target in CONSTANTS:
        return CONSTANTS[node.target]
    if node.target not in FILLS:
        return None
    number = node.args[FILLS[node.target]]
    return number if isinstance(number, (bool, int, float)) else None


def read_attribute(node):
    tensor = getattr(node.graph.owning_module, node.target, None)
    return tensor.detach() if is_known(tensor) and tensor.numel() == 1 else None


def compute(node, numbers):
    """The number of an operator on constants, or None."""
    inputs = node.all_input_nodes
    if not inputs or any(each not in numbers for each in inputs):
        return None
    if node.target in CONVERSIONS:
        return numbers[inputs[0]].to(node.meta["val"].dtype)
    if torch.Tag.pointwise not in getattr(node.target, "tags", ()):
        return None
    arguments, keywords = pytree.tree_map_only(
        torch.fx.Node, numbers.get, (node.args, node.kwargs))
    return node.target(*arguments, **keywords)


def put(graph, node, number):
    """Replaces a node by a constant of its shape."""
    value = node.meta["val"]
    with graph.inserting_before(node):
        made = graph.call_function(aten.full.default, (list(value.shape), number.item()),
                                   {"dtype": value.dtype})
    made.meta = dict(node.meta)
    node.replace_all_uses_with(made)
    graph.erase_node(node)
    return made


def fold(graph):
    """Replaces operators on tensors of one constant number each by their results.
    Numbers have the rank of their tensors, on which types of results depend."""
    numbers = {}
    with torch.no_grad():
        for node in list(graph.nodes):
            value, number = node.meta.get("val"), None
            if node.op == "get_attr":
                number = read_attribute(node)
            elif node.op == "call_function" and is_known(value):
                fill = read_fill(node)
                if fill is not None:
                    number = torch.full([1] * value.dim(), fill, dtype=value.dtype)
                else:
                    number = compute(node, numbers)
                    if number is not None and number.dtype == value.dtype:
                        node = put(graph, node, number)
            if number is not None:
                numbers[node] = number
