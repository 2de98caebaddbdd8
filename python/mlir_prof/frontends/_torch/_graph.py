# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes of an exported program the graph of a function: its arguments are tensors of
the user's, its weights are attributes."""

import copy

import torch
from torch.export.graph_signature import InputKind, OutputKind, TensorArgument

from . import _complex, _fold, _unsigned
from .._source import FrontEndError
from ._locations import describe

#: Results that are new values of tensors of the model.
OF_MODEL = {OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION}

#: The results of a call of a model, and of a training step.
RETURNED = {OutputKind.USER_OUTPUT, OutputKind.USER_INPUT_MUTATION} | OF_MODEL
RETURNED_BY_STEP = {OutputKind.LOSS_OUTPUT, OutputKind.GRADIENT_TO_PARAMETER,
                    OutputKind.BUFFER_MUTATION}


aten = torch.ops.aten

#: Operators without results.
CHECKS = {aten._assert_scalar.default, aten._assert_tensor_metadata.default,
          aten.sym_constrain_range.default, aten.sym_constrain_range_for_size.default}

PRODUCTS = {aten.mm.default, aten.bmm.default}

#: The tensors whose changes count, in `meta` of the graph's module.
COUNTED = "mlir_prof_counted"

#: Tensors of the module.
WEIGHTS = {InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR}


def find_tensor(program, spec):
    """The tensor of a lifted weight, buffer or constant."""
    for tensors in (program.state_dict, program.constants):
        if spec.target in tensors:
            return tensors[spec.target]
    raise FrontEndError(f"the exported program lacks the value of {spec.target}")


def freeze(graph, node, tensor):
    """Replaces the placeholder of a weight by an attribute of the graph's module."""
    name = f"weight_{node.name}"
    graph.owning_module.register_buffer(name, tensor.detach(), persistent=False)
    with graph.inserting_before(node):
        attribute = graph.create_node("get_attr", name)
    attribute.meta = dict(node.meta)
    if node.users and not tensor.is_inference():
        graph.owning_module.meta.setdefault(COUNTED, []).append(tensor.detach())
    node.replace_all_uses_with(attribute)
    graph.erase_node(node)


def list_changed(program):
    """The names of the model's tensors that a call changes."""
    return {spec.target for spec in program.graph_signature.output_specs
            if spec.kind in OF_MODEL}


def list_weights(graph):
    """The tensors that freeze() made attributes of the graph's module, but for those
    of inference mode, which do not count their changes."""
    return getattr(graph.owning_module, "meta", {}).get(COUNTED, [])


def freeze_inputs(program, graph, frozen):
    """Leaves the tensors of the user's, and those that the model changes, as
    placeholders; replaces others of the kinds `frozen`."""
    changed = list_changed(program)
    nodes = [node for node in graph.nodes if node.op == "placeholder"]
    for node, spec in zip(nodes, program.graph_signature.input_specs):
        if spec.kind == InputKind.USER_INPUT:
            if not isinstance(spec.arg, TensorArgument) and not node.users:
                graph.erase_node(node)
        elif spec.kind in frozen and spec.target not in changed:
            freeze(graph, node, find_tensor(program, spec))
        elif spec.kind not in WEIGHTS:
            raise FrontEndError(f"the model uses the object {spec.target}, which is no "
                                "tensor; hint: keep it outside of forward")


def select_results(program, graph, returned):
    """Leaves the tensors that a call returns."""
    output = graph.output_node()
    kept = []
    for node, spec in zip(output.args[0], program.graph_signature.output_specs):
        if spec.kind not in returned:
            raise FrontEndError(
                f"the training step changes {spec.target} at {describe(node)}; hint: "
                "return the new value")
        if isinstance(spec.arg, TensorArgument):
            kept.append(node)
    output.args = (tuple(kept),)


def drop_checks(graph):
    """Removes statements about sizes that the data tell: code checks its indices itself."""
    for node in reversed(graph.nodes):
        if node.target in CHECKS and not node.users:
            graph.erase_node(node)


def is_empty(value):
    return isinstance(value, torch.Tensor) and any(
        isinstance(size, int) and size == 0 for size in value.shape)


def find_constant(node):
    """The shape and type of a tensor without elements, or of a product of such tensors,
    which is 0; None for others."""
    value = node.meta.get("val")
    is_product = node.target in PRODUCTS and is_empty(node.args[0].meta["val"])
    known = isinstance(value, torch.Tensor) and all(
        isinstance(size, int) for size in value.shape)
    return value if known and (is_empty(value) or is_product) else None


def fill_empty(graph):
    """Replaces what is computed without elements, which torch-mlir does not take."""
    for node in list(graph.nodes):
        value = find_constant(node) if node.op == "call_function" else None
        if value is None:
            continue
        with graph.inserting_before(node):
            made = graph.call_function(aten.full.default, (list(value.shape), 0),
                                       {"dtype": value.dtype})
        made.meta = dict(node.meta)
        node.replace_all_uses_with(made)
        graph.erase_node(node)


def get_graph(program, is_step=False, returned=None):
    """The graph of a model or a training step; its module is `owning_module`. The
    weights of a step, and tensors that a call changes, remain arguments; the new values
    are results (`_state`). Results of other kinds than `returned` are refused."""
    returned = returned or (RETURNED_BY_STEP if is_step else RETURNED)
    graph = torch.fx.GraphModule(copy.copy(program.graph_module),
                                 copy.deepcopy(program.graph)).graph
    freeze_inputs(program, graph,
                  {InputKind.CONSTANT_TENSOR} if is_step else WEIGHTS)
    select_results(program, graph, returned)
    drop_checks(graph)
    graph.eliminate_dead_code()
    counted = list_weights(graph)
    graph = _complex.remove(graph)
    graph.owning_module.meta[COUNTED] = counted
    _unsigned.widen(graph)
    _fold.fold(graph)
    fill_empty(graph)
    graph.eliminate_dead_code()
    graph.lint()
    return graph
