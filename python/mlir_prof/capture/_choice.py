# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which framework a model belongs to."""

import os
import sys

from ._result import CaptureError

#: How addresses of profiler servers begin.
SCHEME = "grpc://"


def is_address(model):
    """Whether it is the address of a profiler server, or a list of them."""
    if isinstance(model, str):
        return model.startswith(SCHEME)
    return (isinstance(model, (list, tuple)) and bool(model) and
            all(isinstance(one, str) and one.startswith(SCHEME) for one in model))


def is_of(value, package, name):
    """Whether `value` is an instance of a class of a package, which then is
    loaded."""
    kind = sys.modules.get(package)
    for part in name.split("."):
        kind = getattr(kind, part, None)
    return isinstance(kind, type) and isinstance(value, kind)


def is_onnx(model):
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model).endswith(".onnx")
    return is_of(model, "onnx", "ModelProto")


def is_tensorflow(model, arguments):
    return (hasattr(model, "get_concrete_function") or
            is_of(model, "keras", "Model") or
            any(is_of(value, "tensorflow", "Tensor") for value in arguments))


def choose(model, arguments):
    """The name of the function of this package that records `model`."""
    if is_address(model):
        return "servers"
    if is_onnx(model):
        return "onnx"
    if is_of(model, "torch.nn", "Module"):
        return "torch"
    if callable(model):
        if is_tensorflow(model, arguments):
            return "tensorflow"
        if any(is_of(value, "torch", "Tensor") for value in arguments):
            raise CaptureError("a function of tensors of PyTorch is no module; "
                               "hint: wrap it in a torch.nn.Module")
        if "jax" in sys.modules:
            return "jax"
    raise TypeError(f"{type(model).__name__} is no model of PyTorch, JAX, "
                    "TensorFlow or ONNX, and no address grpc://HOST:PORT; hint: "
                    "import the framework, or call its function, such as "
                    "mlir_prof.capture.jax")


def name_inputs(model, arguments):
    """The arguments of an ONNX model by the names of its inputs."""
    if len(arguments) == 1 and isinstance(arguments[0], dict):
        return arguments[0]
    from ._result import require
    onnx = require("onnx")
    if isinstance(model, (str, os.PathLike)):
        model = onnx.load(os.fspath(model), load_external_data=False)
    constants = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input
             if value.name not in constants]
    if len(arguments) != len(names):
        raise TypeError(f"the model has {len(names)} inputs ({', '.join(names)}), "
                        f"and {len(arguments)} are given")
    return dict(zip(names, arguments))
