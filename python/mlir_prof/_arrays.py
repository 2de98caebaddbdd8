# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of frameworks, without importing these."""

from __future__ import annotations

import importlib
import sys
import typing

#: An array of NumPy, PyTorch or JAX, or another object with __dlpack__.
Array = typing.Any


def framework_of(value: Array) -> str:
    """"torch", "jax", "numpy", or empty for what is not an array."""
    module = type(value).__module__.partition(".")[0]
    if module in ("torch", "numpy"):
        return module if hasattr(value, "__dlpack__") else ""
    if module in ("jax", "jaxlib"):
        return "jax" if hasattr(value, "__dlpack__") else ""
    torch = sys.modules.get("torch")
    # Subclasses, such as torch.nn.Parameter of a user's module.
    if torch is not None and isinstance(value, torch.Tensor):
        return "torch"
    return ""


def choose_framework(values: typing.Iterable[Array]) -> str:
    """The framework whose arrays a call returns: that of its arguments."""
    found = {framework_of(value) for value in values}
    return next((name for name in ("torch", "jax") if name in found), "numpy")


def as_input(value: Array, dtype: str) -> Array:
    """An object that lends its memory: tensors without their gradients, and
    numbers and lists as arrays of `dtype`."""
    framework = framework_of(value)
    if framework == "torch":
        # A view: the memory stays the tensor's.
        return value.detach() if value.requires_grad else value
    if framework or hasattr(value, "__dlpack__"):
        return value
    import numpy
    return numpy.asarray(value, dtype=dtype)


def as_output(owner: typing.Any, framework: str) -> Array:
    """An array of the framework over the memory of `owner`."""
    is_bfloat16 = getattr(getattr(owner, "dtype", None), "kind", "") == "V"
    if framework == "torch":
        torch = sys.modules["torch"]
        if is_bfloat16:
            return torch.from_numpy(owner.view("i2")).view(torch.bfloat16)
        return torch.from_dlpack(owner)
    if framework == "jax":
        if is_bfloat16:
            jax = importlib.import_module("jax.numpy")
            return jax.asarray(owner.view(jax.bfloat16))
        return importlib.import_module("jax.dlpack").from_dlpack(owner)
    import numpy
    array = numpy.asarray(owner)
    if array.dtype.kind == "V" and "ml_dtypes" in sys.modules:
        return array.view(sys.modules["ml_dtypes"].bfloat16)
    return array


def to_numpy(value: Array) -> typing.Any:
    """The value as an array of NumPy: a view where the framework allows it.
    bfloat16 has the two-byte void type of *.npy files."""
    import numpy
    framework = framework_of(value)
    if framework == "torch":
        value = value.detach().cpu().contiguous()
        if str(value.dtype) == "torch.bfloat16":
            return value.view(sys.modules["torch"].int16).numpy().view("V2")
        return value.numpy()
    array = numpy.asarray(value)
    return array.view("V2") if array.dtype.name == "bfloat16" else array


def _name(array: typing.Any) -> str:
    return "bfloat16" if array.dtype.kind == "V" else str(array.dtype.name)


def to_bytes(value: Array) -> typing.Tuple[typing.Any, str]:
    """The value as a contiguous array of NumPy, and the name of its element type."""
    import numpy
    array = numpy.ascontiguousarray(to_numpy(value)).reshape(numpy.shape(value))
    return array, _name(array)


def copy_to(target: Array, result: typing.Any, name: str) -> None:
    """Copies an array of NumPy into one of the caller's.

    Raises ValueError for another shape or element type."""
    view = to_numpy(target)
    if view.shape != result.shape or view.dtype != result.dtype:
        raise ValueError(f"out: {name} is {_name(result)} of shape {result.shape}; "
                         f"the array is {_name(view)} of shape {view.shape}")
    view[...] = result
