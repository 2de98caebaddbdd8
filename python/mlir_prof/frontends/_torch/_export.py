# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes an exported program of a model."""

import contextlib
import os
import pathlib
import zipfile

import torch

from .._source import FrontEndError

#: Makes torch.load refuse code in what it reads.
WEIGHTS_ONLY = "TORCH_FORCE_WEIGHTS_ONLY_LOAD"


class Function(torch.nn.Module):
    """A function of tensors as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments, **keywords):
        return self.function(*arguments, **keywords)


def first_line(error):
    text = str(error).strip() or repr(error)
    return text.splitlines()[0][:300]


@contextlib.contextmanager
def no_pickled_code():
    before = os.environ.get(WEIGHTS_ONLY)
    os.environ[WEIGHTS_ONLY] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[WEIGHTS_ONLY]
        else:
            os.environ[WEIGHTS_ONLY] = before


def has_pickled_objects(path):
    """Whether an archive holds objects that torch.export.load unpickles itself."""
    with zipfile.ZipFile(path) as archive:
        return any("custom_obj" in pathlib.PurePath(name).name
                   for name in archive.namelist())


def load_program(path, allow_pickle):
    """The exported program of a file of torch.export.save."""
    if allow_pickle:
        return torch.export.load(path)
    if has_pickled_objects(path):
        raise FrontEndError(f"{path} holds pickled objects, which may run any code; "
                            "hint: allow_pickle=True if you trust the file")
    with no_pickled_code():
        return torch.export.load(path)


def load_module(path, allow_pickle):
    """The module of a file of torch.save."""
    if not allow_pickle:
        raise FrontEndError(
            f"{path} is a pickled module, which may run any code; hint: save the "
            "model by torch.export.save as .pt2, or allow_pickle=True if you trust "
            "the file")
    module = torch.load(path, weights_only=False, map_location="cpu")
    if not isinstance(module, torch.nn.Module):
        raise FrontEndError(f"{path} holds a {type(module).__name__} and not a module; "
                            "hint: load the weights into the model, and pass that")
    return module


def load(path, request):
    """The model of a file: an exported program or a module."""
    try:
        if pathlib.PurePath(path).suffix == ".pt2":
            return load_program(path, request.allow_pickle)
        return load_module(path, request.allow_pickle)
    except (FrontEndError, FileNotFoundError):
        raise
    except Exception as error:  # the file can have any defect
        raise FrontEndError(f"{path}: not a model that PyTorch reads: "
                            f"{first_line(error)}") from error


def describe_failure(error):
    """Why torch.export gave up, with the user's line if it states one."""
    for line in str(error).splitlines():
        if line.strip().startswith('File "') and "/torch/" not in line:
            return f"{first_line(error)}, at {line.strip()}"
    return first_line(error)


def give_hint(error):
    """The way out of a failure of torch.export."""
    if "pytree" in first_line(error):  # what torch.export says of unknown containers
        return ("leave that type out of the model's inputs and results (caches of "
                "transformers: use_cache=False), or register it by "
                "torch.utils._pytree.register_pytree_node")
    return "shapes and branches must not depend on data"


def export(model, request, grad=False):
    """The module or function as one graph, one node per call."""
    if isinstance(model, torch.jit.ScriptModule):
        raise FrontEndError("the model is TorchScript, which torch.export does not "
                            "take; hint: pass the module that was scripted")
    if not isinstance(model, torch.nn.Module):
        model = Function(model)
    try:
        with torch.set_grad_enabled(grad):
            return torch.export.export(
                model, tuple(request.examples), dict(request.keywords),
                dynamic_shapes=request.dynamic_shapes, strict=False)
    except Exception as error:
        raise FrontEndError(
            "torch.export cannot make one graph of the model: " +
            describe_failure(error) + f"; hint: {give_hint(error)}") from error


def get_program(model, request):
    """The exported program of a module, a function, or a file of either."""
    if isinstance(model, (str, pathlib.PurePath)):
        model = load(model, request)
    if isinstance(model, torch.export.ExportedProgram):
        return model
    return export(model, request)
