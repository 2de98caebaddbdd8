# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes linalg of a graph by torch-mlir, and writes it for MLIR 22."""

import re

from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.passmanager import PassManager

from . import kernels
from .. import _bytecode
from .._source import FrontEndError
from ._importer import Importer, Nodes, PlainNodes

PIPELINES = ("builtin.module(torchdynamo-export-to-torch-backend-pipeline)",
             "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline"
             "{allow-non-finites=true})")

#: It rejects the calls of kernels; `check` looks for what is left over.
CONTRACT = ",torch-verify-linalg-on-tensors-backend-contract"

#: Dialects that MLIR 22 has and the tool compiles.
DIALECTS = {"arith", "bufferization", "builtin", "cf", "complex", "func", "linalg",
            "math", "memref", "ml_program", "scf", "tensor", "tosa", "ub", "vector"}


def get_names(location):
    """The node's path in a location, and the files and lines."""
    names = re.findall(r'"([^"]+)"(?::(\d+))?', str(location))
    return [f"{name}:{line}" if line else name for name, line in names]


def describe(location):
    """The path and the innermost file and line."""
    names = get_names(location)
    if not names:
        return "an unknown place"
    return names[0] + (f" ({names[1]})" if len(names) > 1 else "")


def refuse(error):
    """Raises the FrontEndError of an exception of torch-mlir."""
    found = getattr(error, "error_diagnostics", [])
    lines = str(error).strip().splitlines() or [repr(error)]
    message = (found[0].message.splitlines() if found else lines)[0][:300]
    place = f" {describe(found[0].location)}" if found else ""
    raise FrontEndError(f"torch-mlir cannot lower the model{place}: {message}; hint: "
                        "write this part by other operators of PyTorch") from error


def run(module, pipeline):
    with module.context:
        manager = PassManager.parse(pipeline)
        text = str(manager)
        if CONTRACT in text:
            manager = PassManager.parse(text.replace(CONTRACT, ""))
        manager.run(module.operation)


def walk(module):
    found = []

    def visit(op):
        found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def check(module):
    """Refuses ops that only torch-mlir knows."""
    for op in walk(module):
        if op.name.split(".")[0] not in DIALECTS:
            raise FrontEndError(f"torch-mlir leaves {op.name} over at "
                                f"{describe(op.location)}; hint: write this part by "
                                "other operators of PyTorch")


def name_arguments(function, names):
    for argument, name in zip(function.arguments, names):
        argument.set_location(ir.Location.name(name, context=function.context))


def lower(graph, context):
    importer = Importer(context, Nodes)
    # The bodies of control flow.
    importer._import_all_child_modules(graph.owning_module, "main")
    importer.import_stateless_graph(graph)
    for pipeline in PIPELINES:
        run(importer.module, pipeline)
    kernels.expand(importer.module, importer.calls)
    run(importer.module,
        "builtin.module(lower-affine,func.func(canonicalize,cse),symbol-dce)")
    check(importer.module)
    function = next(op for op in importer.module.body.operations
                    if op.attributes["sym_name"].value == "main")
    name_arguments(function, [node.name for node in graph.nodes
                              if node.op == "placeholder"])
    return importer.module


def import_plainly(graph, context):
    importer = Importer(context, PlainNodes)
    importer.import_stateless_graph(graph)
    return importer.module


def make(graph, make_module):
    context = ir.Context()
    torch_dialect.register_dialect(context)
    try:
        return make_module(graph, context)
    except FrontEndError:
        raise
    except Exception as error:  # torch-mlir raises many kinds
        refuse(error)


def make_module(graph):
    """The graph as a module of linalg on tensors, with one function, "main"."""
    return make(graph, lower)


def make_torch_module(graph):
    """The graph in the torch dialect, one op for each node."""
    return make(graph, import_plainly)


def write(graph, path):
    """Writes the module as bytecode."""
    _bytecode.write(ir, make_module(graph), path)
