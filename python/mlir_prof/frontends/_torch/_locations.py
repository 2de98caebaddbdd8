# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The origin of a node: module, file and line."""

import pathlib
import re

#: The files of mlir-prof, which call the model.
PACKAGE = str(pathlib.Path(__file__).resolve().parents[2])

#: A frame of a stack trace.
FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def get_module(node):
    """The path of the module that calls the node, as parts."""
    # Nodes of the backward pass know the module of the forward pass.
    stack = (node.meta.get("nn_module_stack") or
             node.meta.get("fwd_nn_module_stack") or {})
    module = [path for path, _ in stack.values()][-1:]
    # Dynamo's form names the variable; torch.export has "" for the outermost module.
    return [part for part in
            re.sub(r"^L\['\w+'\]\.?", "", "".join(module)).split(".") if part]


def get_path(node):
    """The path of a node: the calling module and the node's own name, which is
    unique ("blocks/1/up/linear_10")."""
    return "/".join([*get_module(node), node.name])


def get_frames(node):
    """The files and lines of the call, the innermost last."""
    frames = FRAME.findall(node.meta.get("stack_trace") or "")
    return [(file, int(line)) for file, line in frames
            # "<" begins the name of code that was generated.
            if not file.startswith((PACKAGE, "<"))]


def describe(node):
    """The path, and the file and line of the call, for an error."""
    return get_path(node) + "".join(f" ({file}:{line})"
                                    for file, line in get_frames(node)[-1:])
