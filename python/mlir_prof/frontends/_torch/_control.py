# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports of control flow: branches, and loops. Their parts are functions, which
torch-mlir puts in the places of their calls."""

import torch
from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.extras import fx_importer

#: The most steps of a loop.
ENDLESS = 2 ** 63 - 1


class ControlNodes(fx_importer.GraphNodeImporter):
    """Imports control flow; the names of the methods are those of PyTorch's operators.
    torch-mlir lacks branches, and tensors that only the functions of a loop take."""

    def _find_function(self, node, part):
        """The name of the function of a part, an attribute of the graph's module."""
        module = getattr(node.graph.owning_module, part.target)
        return self.fx_importer._graph_module_to_func_name[id(module)]

    def _make_bool(self, tensor):
        return ir.Operation.create("torch.aten.Bool.Tensor", operands=[tensor],
                                   results=[self._cc.torch_bool_type]).result

    def _hide(self, loc, node, value):
        """A value of which torch-mlir does not know that it is a constant."""
        return value

    def _bind_several(self, node, results):
        self._multi_result_nodes.add(node)
        for place, result in enumerate(results):
            self.bind_node_value(node, result, place)

    def _import_hop_cond(self, loc, node, hop):
        """torch.cond: each branch is a function."""
        condition, *branches, operands = node.args
        value = node.meta["val"]
        with loc:
            condition, *operands = [self._import_argument(loc, each)
                                    for each in (condition, *operands)]
            if isinstance(node.args[0].meta["val"], torch.Tensor):
                condition = self._make_bool(condition)
            choice = ir.Operation.create(
                "torch.prim.If", operands=[condition], regions=2,
                results=[self._cc.value_info_to_type(each) for each in value])
        for region, branch in zip(choice.regions, branches):
            self._import_branch(loc, node, region, branch, operands, choice.results)
        self._bind_several(node, choice.results)

    def _import_branch(self, loc, node, region, branch, operands, results):
        """A region that calls the function of a branch."""
        with loc, ir.InsertionPoint(ir.Block.create_at_start(region, [])):
            call = func.CallOp([each.type for each in results],
                               self._find_function(node, branch), operands)
            ir.Operation.create("torch.prim.If.yield", operands=list(call.results))

    def _import_hop_while_loop(self, loc, node, hop):
        """A loop, whose functions take what it carries and then what stays as it is."""
        condition, body, carried, fixed = node.args
        value = node.meta["val"]
        kinds = [self._cc.value_info_to_type(each) for each in value]
        flag = self._cc.get_vtensor_type(torch.Size([]), torch.bool)
        names = [self._find_function(node, part) for part in (condition, body)]
        with loc:
            carried, fixed = [[self._import_argument(loc, each) for each in values]
                              for values in (carried, fixed)]

            def goes_on(values):
                return func.CallOp([flag], names[0], [*values, *fixed]).results[0]

            # torch-mlir makes an endless loop of one that begins by a constant.
            first = self._make_bool(self._hide(loc, node, goes_on(carried)))

            limit = ir.Operation.create(
                "torch.constant.int", results=[self._cc.torch_int_type],
                attributes={"value": self._cc.integer_attr(ENDLESS, 64)}).result
            loop = ir.Operation.create("torch.prim.Loop", results=kinds, regions=1,
                                       operands=[limit, first, *carried])
            block = ir.Block.create_at_start(loop.regions[0],
                                             [self._cc.torch_int_type, *kinds])
            with ir.InsertionPoint(block):
                values = list(func.CallOp(kinds, names[1],
                                          [*list(block.arguments)[1:], *fixed]).results)
                ir.Operation.create("torch.prim.Loop.condition",
                                    operands=[self._make_bool(goes_on(values)), *values])
        self._bind_several(node, loop.results)
