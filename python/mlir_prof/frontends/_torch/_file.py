# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of exported programs, lowered in a process of their own (`_worker`)."""

import pathlib

from .. import _child
from .._source import Source


def make_calling(kind, stored):
    """A Flatten or Unflatten of what the process stored."""
    from torch.utils import _pytree as pytree
    return kind(pytree.treespec_loads(stored["spec"]),
                [tuple(each) for each in stored["constants"]])


def lower(path, request):
    """The Source of a file."""
    answer = _child.ask("mlir_prof.frontends._torch._worker",
                        dict(path=str(path), folder=str(request.folder)),
                        request.folder, ["torch", "torch-mlir"])
    from . import _signature
    return Source(
        path=pathlib.Path(answer["module"]), framework="torch",
        arguments=_child.to_values(answer["arguments"]), results=_child.to_values(answer["results"]),
        flatten=make_calling(_signature.Flatten, answer["flatten"]),
        unflatten=make_calling(_signature.Unflatten, answer["unflatten"]),
        entry=answer["entry"], notes=answer["notes"])
