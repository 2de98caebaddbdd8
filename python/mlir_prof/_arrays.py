# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of frameworks, without importing these."""

from __future__ import annotations

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


def as_input(value: Array, dtype: str, name: str) -> Array:
    """An object that lends its memory: tensors without their gradients, and
    numbers and lists as arrays of `dtype`. Raises TypeError, with `name`, for what is
    not an array."""
    framework = framework_of(value)
    if framework == "torch":
        # A view: the memory stays the tensor's, unless the tensor is its negation.
        return (value.detach() if value.requires_grad else value).resolve_neg()
    if framework or hasattr(value, "__dlpack__"):
        return value
    import numpy
    # NumPy would make it a number that is not one.
    if value is None:
        raise TypeError(f"argument {name} is None; expected an array of {dtype}")
    try:
        return numpy.asarray(value, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"argument {name}: {error}") from None


def to_numpy(value: Array) -> typing.Any:
    """The value as an array of NumPy: a view where the framework allows it.
    bfloat16 has the two-byte void type of *.npy files."""
    import numpy
    framework = framework_of(value)
    if framework == "torch":
        value = value.detach().cpu().resolve_neg().contiguous()
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


#: Marks are arrays of one number from here on.
_MARKS = 0x6d700000


def make_mark(number: int, framework: str) -> Array:
    """An array that stands for array `number` while a structure is explored."""
    import numpy
    mark = numpy.array(_MARKS + number, "i4")
    if framework == "torch":
        return sys.modules["torch"].from_numpy(mark)
    return sys.modules["jax"].numpy.asarray(mark) if framework == "jax" else mark


def read_mark(value: typing.Any) -> typing.Optional[int]:
    """The number of a mark; None for anything else."""
    if not framework_of(value) or value.shape != () or "int32" not in str(value.dtype):
        return None
    number = int(value) - _MARKS
    return number if 0 <= number < 1 << 20 else None
