# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch-mlir's importer of graphs, with our locations, constants and kernels."""

import torch
from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.extras import fx_importer

from . import kernels
from ._control import ControlNodes
from ._locations import get_frames, get_path

#: NumPy lacks these types; the bytes are those of another.
BYTES_AS = {torch.bfloat16: torch.int16}


#: Bytes; the memory of a file that is read, not mapped, may be aligned to just these.
ALIGNMENT = 16


class Locations(fx_importer.ContextCache):
    """Locations with the node's path, around those in the source."""

    def get_node_location(self, node):
        if node.op == "placeholder":
            return ir.Location.name(node.name, context=self._c)
        places = [ir.Location.file(file, line, 0, context=self._c)
                  for file, line in get_frames(node)]
        if not places:
            return ir.Location.name(get_path(node), context=self._c)
        place = ir.Location.callsite(places[-1], places[-2::-1], context=self._c) \
            if len(places) > 1 else places[0]
        return ir.Location.name(get_path(node), place, context=self._c)


def make_elements(tensor):
    """The attribute of a constant; the bytes are copied once."""
    tensor = tensor.detach().cpu().contiguous()
    kind = fx_importer.create_mlir_tensor_type(tensor)
    data = tensor.view(BYTES_AS.get(tensor.dtype, tensor.dtype)).numpy()
    if tensor.numel() == 1:  # splats fold, and resources cannot be splats
        return ir.DenseElementsAttr.get(data, type=kind.element_type,
                                        shape=list(tensor.shape))
    return ir.DenseResourceElementsAttr.get_from_buffer(
        data, "weight", kind, alignment=ALIGNMENT)


class Constants(fx_importer.FxImporterHooks):
    """Makes constants of tensors without a detour through Python's numbers."""

    def __init__(self):
        self.made = {}

    def resolve_literal(self, importer, literal, info):
        if not isinstance(literal, torch.Tensor) or literal.numel() <= 1:
            return None
        key = id(literal)
        if key not in self.made:
            # The tensor is kept, so that its identity remains its own.
            self.made[key] = literal, make_elements(literal)
        return ir.Operation.create(
            "torch.vtensor.literal",
            results=[importer._cc.tensor_to_vtensor_type(literal)],
            attributes={"value": self.made[key][1]}).result


class PlainNodes(ControlNodes):
    """Imports attributes of the graph's module, and does so once."""

    def _bind_attribute(self, node):
        tensor = getattr(node.graph.owning_module, node.target)

        def make():
            with ir.Location.name(node.target, context=self._c):
                return self._import_literal(tensor)

        if isinstance(tensor, torch.Tensor):
            self.bind_node_value(node, make)

    def import_nodes(self, nodes, **keywords):
        for node in nodes:
            if node.op == "get_attr":
                self._bind_attribute(node)
        super().import_nodes(nodes, **keywords)

    def _import_argument(self, loc, arg, expected_jit_type=None):
        if isinstance(arg, torch.fx.Node) and (arg, 0) in self._v:
            with loc:  # the importer would bind an attribute for each use
                return self._convert_type(self.resolve_node_value(arg),
                                          expected_jit_type)
        return super()._import_argument(loc, arg, expected_jit_type)


class Nodes(PlainNodes):
    """Calls a kernel for a node that has one; the calls are in `fx_importer.calls`."""

    def _import_torch_op_overload(self, loc, node, concrete_target=None):
        kernel = kernels.find(node)
        if not kernel:
            return super()._import_torch_op_overload(loc, node, concrete_target)
        with loc:
            operands = [self.resolve_node_value(x) for x in kernel.operands]
        self._call(loc, node, kernel, operands)

    def _call(self, loc, node, kernel, operands):
        value = node.meta["val"]
        several = isinstance(value, (list, tuple))
        results = [self._cc.value_info_to_type(each)
                   for each in (value if several else [value])]
        if several:
            self._multi_result_nodes.add(node)
        made = self._make_call(loc, node, kernel, operands, results)
        for place, result in enumerate(made):
            self.bind_node_value(node, result, place)

    def _make_call(self, loc, node, kernel, operands, results):
        """The results of a call of a kernel."""
        importer = self.fx_importer
        name = f"{kernels.PREFIX}{len(importer.calls)}"
        importer.declare(name, [x.type for x in operands], results)
        importer.calls[name] = node, kernel
        return func.CallOp(results, name, operands, loc=loc).results

    def _hide(self, loc, node, value):
        kernel = kernels.Kernel([], kernels.write_same)
        return self._make_call(loc, node, kernel, [value], [value.type])[0]


class Importer(fx_importer.FxImporter):
    """`nodes` imports the nodes; it is Nodes or PlainNodes."""

    def __init__(self, context, nodes):
        super().__init__(context=context, hooks=Constants(),
                         graph_node_importer_cls=nodes)
        self._cc = Locations(context, py_attr_tracker=self._py_attr_tracker)
        #: The node and its kernel, by the name of the function that is called.
        self.calls = {}

    def declare(self, name, operands, results):
        with ir.Location.unknown(self._c):
            func.FuncOp(name, ir.FunctionType.get(operands, results),
                        visibility="private", ip=ir.InsertionPoint(self._m.body))
