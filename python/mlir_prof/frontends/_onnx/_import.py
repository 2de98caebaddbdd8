# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowers a graph by torch-mlir to linalg on tensors."""

import re

from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import onnx_importer
from torch_mlir.passmanager import PassManager

from .._source import FrontEndError
from . import _calls
from ._builder import KERNELS, VERSION

TO_TORCH = "func.func(convert-torch-onnx-to-torch)"

#: torch-mlir's pipeline to linalg without its last check, since calls of kernels
#: remain.
TO_LINALG = """
  torch-lower-to-backend-contract,
  func.func(torch-scalarize-shapes), torch-shape-refinement-pipeline,
  func.func(torch-restructure-non-constant-axes, torch-fuse-quantized-ops,
    convert-torch-to-tmtensor{allow-non-finites=true}, canonicalize,
    convert-torch-to-linalg{allow-non-finites=true}, canonicalize,
    convert-torch-to-scf, convert-torch-to-arith, convert-torch-to-tensor),
  convert-torch-conversion-to-mlprogram,
  func.func(memref-expand, canonicalize, resolve-shaped-type-result-dims, cse),
  torch-func-backend-type-conversion, func.func(canonicalize,
    torch-finalizing-backend-type-conversion)"""

LAST = "inline, symbol-dce, canonicalize, cse"


class Kernels(onnx_importer.ModuleCache):
    """Declares the kernels as functions, of which the importer makes calls."""

    __slots__ = ()

    def get_operator_function(self, op_name, op_domain, opset_version,
                              input_type_protos, output_type_protos, caller_node,
                              config):
        if op_domain != KERNELS:
            return None
        kind = ir.FunctionType.get(
            *([self._cc.type_proto_to_type(proto) for proto in protos]
              for protos in (input_type_protos, output_type_protos)))
        with ir.InsertionPoint(self._m.regions[0].blocks[0]):
            declared = func.FuncOp(op_name, kind, visibility="private")
        declared.attributes["torch.onnx_meta.opset_version"] = ir.IntegerAttr.get(
            ir.IntegerType.get_signed(64), VERSION)
        return declared


def run(module, pipeline):
    try:
        with module.context:
            PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    except ir.MLIRError as error:
        raise FrontEndError(explain(error)) from error


def name_of(location):
    """The first name in a location, or an empty text."""
    found = re.search(r'"([^"]*)"', str(location))
    return found[1] if found and found[1] != "-" else ""


def explain(error):
    """torch-mlir's first error, with the node that its location names."""
    for diagnostic in error.error_diagnostics:
        place = name_of(diagnostic.location)
        node = f" of node '{place}'" if place else ""
        text = diagnostic.message.split("\n")[0][:200]
        return (f"torch-mlir does not lower an operator{node}: {text}; hint: replace "
                "it in the model by other operators")
    return f"torch-mlir: {str(error).strip()[:300]}"


def define(module, kernels):
    """Gives the kernels their bodies."""
    symbols = {op.attributes["sym_name"].value: op for op in module.body.operations
               if op.operation.name == "func.func"}
    for name, (make, inputs, results, options, place) in kernels.items():
        if name not in symbols:
            continue
        symbols[name].operation.erase()
        made = ir.Module.parse(make(name, inputs, results, **options),
                               module.context)
        with module.context:
            location = ir.Location.name(place)

        def mark(operation):
            operation.location = location
            return ir.WalkResult.ADVANCE
        for op in list(made.body.operations):
            op.operation.walk(mark)
            module.body.append(op)


def lower(taken):
    """The module of a graph that was taken."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    info = onnx_importer.ModelInfo(taken.model)
    module = info.create_module(context=context)
    try:
        types = onnx_importer.ContextCache(context)
        onnx_importer.NodeImporter.define_function(
            info.main_graph, module.operation, types,
            Kernels(module.operation, types)).import_all()
    except Exception as error:
        raise FrontEndError("torch-mlir does not import the model: "
                            f"{str(error)[:300]}") from error
    _calls.hide(module)
    run(module, TO_TORCH)
    _calls.show(module)
    run(module, TO_LINALG)
    define(module, taken.kernels)
    run(module, LAST)
    return module
