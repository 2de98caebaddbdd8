# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unsigned integers as wider signed ones between operators that move them: torch-mlir's
arithmetic takes most of them for signed."""

import contextlib

import torch
from torch._guards import detect_fake_mode
from torch.utils import _pytree as pytree

aten = torch.ops.aten

#: A type with all numbers of an unsigned one.
WIDER = {torch.uint8: torch.int32, torch.uint16: torch.int32, torch.uint32: torch.int64}

#: The bits of an unsigned type.
BITS = {torch.uint8: 2 ** 8 - 1, torch.uint16: 2 ** 16 - 1, torch.uint32: 2 ** 32 - 1}

CONVERSIONS = {aten._to_copy.default, torch.ops.prims.convert_element_type.default}

#: Operators that do not compute with the numbers.
MOVES = {aten.alias, aten.as_strided, aten.cat, aten.clone, aten.copy, aten.detach,
         aten.embedding, aten.expand, aten.flip, aten.gather, aten.index, aten.index_select,
         aten.lift_fresh_copy, aten.permute, aten.repeat, aten.roll, aten.select,
         aten.select_scatter, aten.slice, aten.slice_scatter, aten.split,
         aten.split_with_sizes, aten.squeeze, aten.stack, aten.t, aten.transpose,
         aten.unbind, aten.unsqueeze, aten.unsafe_split, aten.view, aten._unsafe_view}


def is_unsigned(value):
    return isinstance(value, torch.Tensor) and value.dtype in WIDER


def is_rewritten(node):
    """Whether an operator computes with unsigned integers, or makes them of numbers with
    fractions."""
    if not isinstance(node.target, torch._ops.OpOverload) or \
            node.target.namespace not in ("aten", "prims"):
        return False
    values = [each.meta.get("val") for each in node.all_input_nodes]
    types = {value.dtype for value in values if isinstance(value, torch.Tensor)}
    if node.target in CONVERSIONS and is_unsigned(node.meta["val"]):
        return types != {node.meta["val"].dtype}
    # Tensors of two types become those of one.
    return any(map(is_unsigned, values)) and (
        node.target.overloadpacket not in MOVES or
        node.target.overloadpacket == aten.cat and len(types) > 1)


def add(graph, operator, arguments, origin, value, **keywords):
    """A node with the origin of another one."""
    made = graph.call_function(operator, arguments, keywords)
    made.meta = dict(origin.meta, val=value)
    made.meta.pop("tensor_meta", None)
    return made


def convert(graph, node, dtype):
    """The node with another element type."""
    return add(graph, aten._to_copy.default, (node,), node, node.meta["val"].to(dtype),
               dtype=dtype)


def mask(graph, node, unsigned):
    """The bits of a wide integer that an unsigned type has."""
    with graph.inserting_after(node):
        return add(graph, aten.bitwise_and.Scalar, (node, BITS[unsigned]), node,
                   node.meta["val"])


def add_wide(graph, node):
    """The same integers, wide; the conversion itself may take them for signed."""
    unsigned = node.meta["val"].dtype
    with graph.inserting_after(node):
        wide = convert(graph, node, WIDER[unsigned])
    return mask(graph, wide, unsigned)


def add_narrow(graph, node, unsigned):
    """A wide integer as an unsigned one. Without the mask, torch-mlir makes one
    conversion of those of a number to the wide type and to this one."""
    masked = mask(graph, node, unsigned)
    with graph.inserting_after(masked):
        made = convert(graph, masked, unsigned)
    node.replace_all_uses_with(made, delete_user_cb=lambda user: user is not masked)


def widen_inputs(graph, node, wide):
    """Wide nodes in the place of unsigned ones; `wide` has those of the graph."""
    def find(source):
        value = source.meta.get("val")
        if not is_unsigned(value):
            return source
        if source not in wide:
            wide[source] = add_wide(graph, source)
        return wide[source]

    node.args = torch.fx.node.map_arg(node.args, find)
    node.kwargs = torch.fx.node.map_arg(node.kwargs, find)


def narrow(graph, node, value):
    """Gives users of a result its own element type; `value` is what the operator
    makes of wide integers."""
    expected, node.meta["val"] = node.meta["val"], value
    node.meta.pop("tensor_meta", None)
    if not isinstance(value, torch.Tensor):
        for user in list(node.users):  # of several results
            narrow(graph, user, value[user.args[1]])
    elif is_unsigned(expected) and value.dtype != expected.dtype:
        add_narrow(graph, node, expected.dtype)


def describe_attributes(graph, mode):
    """Gives attributes of the module, which may lack them, their values."""
    for node in graph.nodes:
        if node.op == "get_attr" and "val" not in node.meta:
            value = getattr(graph.owning_module, node.target, None)
            if isinstance(value, torch.Tensor):
                node.meta["val"] = mode.from_tensor(value) if mode else value


def widen(graph):
    """Rewrites the graph so that only moves see unsigned integers."""
    if not any(is_unsigned(node.meta.get("val")) for node in graph.nodes):
        return
    wide = {}
    mode = detect_fake_mode([node.meta.get("val") for node in graph.nodes])
    describe_attributes(graph, mode)
    with torch.no_grad(), mode or contextlib.nullcontext():
        for node in list(graph.nodes):
            if not is_rewritten(node):
                continue
            widen_inputs(graph, node, wide)
            if node.target in CONVERSIONS and is_unsigned(node.meta["val"]):
                node.target, node.args = aten._to_copy.default, node.args[:1]
                node.kwargs = {"dtype": WIDER[node.meta["val"].dtype]}
            values = pytree.tree_map_only(torch.fx.Node, lambda each: each.meta["val"],
                                          (node.args, node.kwargs))
            narrow(graph, node, node.target(*values[0], **values[1]))
