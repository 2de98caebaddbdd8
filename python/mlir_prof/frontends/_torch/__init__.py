# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The front end of PyTorch: modules, functions, exported programs and their files.

A model becomes an exported program, whose graph is mended where torch-mlir would
not take it, and torch-mlir makes linalg of the graph. Each of these steps is a
module here; a mend is a decomposition (`_decompositions`) or a kernel (`kernels`).
"""

import functools
import pathlib
import sys
import types

from ._aten import AtenGraph
from ._training import TrainingStep

#: Files with an exported program, and files of pickled modules.
SUFFIXES = {".pt2", ".pt", ".pth"}


def is_path(model):
    return isinstance(model, (str, pathlib.PurePath))


def is_function(model, examples, torch):
    """Whether it is a Python function that is called with tensors."""
    return isinstance(model, (types.FunctionType, types.MethodType,
                              functools.partial)) and any(
        isinstance(example, torch.Tensor) for example in examples)


def accepts(model, examples):
    """Whether the model is one of PyTorch's, which is not imported for it."""
    if is_path(model):
        return pathlib.PurePath(model).suffix in SUFFIXES
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    return (isinstance(model, (torch.nn.Module, torch.export.ExportedProgram,
                               AtenGraph, TrainingStep)) or
            is_function(model, examples, torch))


def lower_here(model, request):
    """The Source of the model, made in this process."""
    from ._lower import lower as lower_model
    return lower_model(model, request)


def lower(model, request):
    """The Source of the model. Files without pickled code are read and lowered in
    a process of their own."""
    if is_path(model) and not request.allow_pickle:
        from ._file import lower as lower_file
        return lower_file(model, request)
    return lower_here(model, request)
