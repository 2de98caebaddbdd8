# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's graphs of a module: the exported one, node by node, and as MLIR."""

import copy
import re

import torch
from torch.profiler import record_function
from torch_mlir import fx, ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import fx_importer

from . import _torch_corrections
from ._mlir import first_line
from ._result import CaptureError


def get_path(node):
    """The path of a node: the calling module and the node's own name, which is
    unique ("blocks/1/up/linear_10")."""
    # Nodes of the backward pass know the module of the forward pass.
    stack = (node.meta.get("nn_module_stack") or
             node.meta.get("fwd_nn_module_stack") or {})
    module = [path for path, _ in stack.values()][-1:]
    # In dynamo's form; torch.export has "" for the outermost module.
    parts = re.sub(r"^L\['self'\]\.?", "", "".join(module)).split(".")
    return "/".join([*filter(None, parts), node.name])


class NodeRunner(torch.fx.Interpreter):
    """Runs an exported program, each of its nodes under an annotation."""

    def __init__(self, exported, get_name=get_path):
        super().__init__(exported.module())
        self.names = {node.name: get_name(node) for node in exported.graph.nodes
                      if node.op == "call_function"}

    def run_node(self, node):
        if node.name not in self.names:
            return super().run_node(node)
        with record_function("fx:" + self.names[node.name]):
            return super().run_node(node)


class NodeLocations(fx_importer.ContextCache):
    """Locations with the node's path, around those in the source."""

    def get_node_location(self, node):
        place = super().get_node_location(node)
        return ir.Location.name(get_path(node), place, context=self._c)


def export_inference(module, arguments):
    """The module as one graph, one node per call."""
    try:
        with torch.no_grad():
            return torch.export.export(module, arguments)
    except Exception as error:
        raise CaptureError("torch.export cannot make one graph of the module: " +
                           first_line(error) + "; hint: shapes and branches must "
                           "not depend on data") from error


def export_training(module, arguments):
    """The graph of the forward and the backward pass, as it is before AOTAutograd
    partitions it."""
    from functorch.compile import make_boxed_compiler
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.partitioners import default_partition
    joint = []

    def partition(graph, inputs, **keywords):
        joint.append(copy.deepcopy(graph))
        return default_partition(graph, inputs, **keywords)

    backend = aot_autograd(
        fw_compiler=make_boxed_compiler(lambda graph, inputs: graph),
        partition_fn=partition)
    loss = torch.compile(module, backend=backend)(*arguments)
    if loss.dim() or not loss.requires_grad:
        raise CaptureError("with training=True the module must return a scalar "
                           "that depends on its parameters; hint: wrap the model "
                           "and its loss in one module")
    loss.backward()
    module.zero_grad(set_to_none=True)
    if len(joint) != 1:
        raise CaptureError(f"the module is {len(joint)} graphs and not one; hint: "
                           "remove what breaks the graph (see "
                           "TORCH_LOGS=graph_breaks)")
    return drop_empty_results(joint[0])


def drop_empty_results(graph):
    """Removes gradients that do not exist: MLIR does not have such a result."""
    output = next(node for node in graph.graph.nodes if node.op == "output")
    results = []
    torch.fx.map_arg(output.args, lambda node: results.append(node) or node)
    output.args = (tuple(results),)
    graph.graph.lint()
    graph.recompile()
    return graph


def import_graph(graph, output_type):
    """An exported program or joint graph as MLIR. One op per call in the torch
    dialect ("raw"); further lowering decomposes ops first."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    # The exception does not contain MLIR's message.
    errors = []
    handler = context.attach_diagnostic_handler(
        lambda diagnostic: errors.append(diagnostic.message) or True)
    try:
        return lower_graph(context, graph, output_type)
    except Exception as error:
        raise CaptureError("torch-mlir: " + first_line(
            errors[0] if errors else error)) from error
    finally:
        handler.detach()


def lower_graph(context, graph, output_type):
    importer = fx_importer.FxImporter(context=context)
    # It does not have a hook for locations.
    importer._cc = NodeLocations(context,
                                 py_attr_tracker=importer._py_attr_tracker)
    if isinstance(graph, torch.fx.GraphModule):
        return fx.stateless_fx_import(graph, output_type=output_type,
                                      fx_importer=importer)
    table = {} if output_type == "raw" else _torch_corrections.get_table()
    with torch.no_grad():
        return fx.export_and_import(graph, output_type=output_type,
                                    decomposition_table=table,
                                    fx_importer=importer)
