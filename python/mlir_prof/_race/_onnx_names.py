# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of ONNX nodes that tell the module, as front ends name ops."""

from __future__ import annotations

import ast
import pathlib
import typing

#: PyTorch's exporter stores the scopes of a node there: the modules' paths, each
#: with that of its parent as a prefix, and then the node.
_SCOPES = "pkg.torch.onnx.name_scopes"


def make_name(scopes: typing.Sequence[str]) -> str:
    """The path of the innermost module and the node's own name."""
    module = scopes[-2] if len(scopes) > 1 else ""
    return "/".join([*filter(None, module.split(".")), scopes[-1]])


def name_nodes(model: typing.Any, path: pathlib.Path) -> None:
    """Names the nodes of an onnx.ModelProto, and writes it; large weights go to a file
    of their own."""
    import onnx
    used: typing.Set[str] = set()
    for node in model.graph.node:
        stored = {entry.key: entry.value for entry in node.metadata_props}
        if _SCOPES in stored:
            name = make_name(ast.literal_eval(stored[_SCOPES]))
            # Several nodes may come of one call.
            node.name = name if name not in used else f"{name}/{node.output[0]}"
        used.add(node.name)
    onnx.save(model, str(path), save_as_external_data=True,
              location=path.name + ".data", size_threshold=1 << 20)
