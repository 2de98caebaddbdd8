# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The origin of a node: module, file and line."""

import re

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


def describe(node):
    """The path, and the file and line of the call, for an error."""
    frames = FRAME.findall(node.meta.get("stack_trace") or "")
    place = f" ({frames[-1][0]}:{frames[-1][1]})" if frames else ""
    return get_path(node) + place
