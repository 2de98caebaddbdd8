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


def dtype_of(value: Array) -> str:
    """The element type of an array: "float32", "bfloat16", "float8_e4m3fn"."""
    name = str(getattr(value, "dtype", "")).rpartition(".")[2].lower()
    # In files, and in arrays of NumPy without ml_dtypes.
    return "bfloat16" if name in ("|v2", "void16") else name


def find_dtype(name: str) -> typing.Any:
    """NumPy's own type of this name; None without one."""
    import numpy
    try:
        dtype = numpy.dtype(name)
    except TypeError:
        return None
    # Those of ml_dtypes have names, too, and arrays that few libraries take.
    return dtype if dtype.type.__module__ == "numpy" and dtype.kind != "V" else None


def _view_tensor(tensor: Array) -> typing.Any:
    """A contiguous tensor as an array of NumPy; numbers that NumPy does not have are
    bytes (V2)."""
    if find_dtype(dtype_of(tensor)):
        return tensor.numpy()
    data = tensor.reshape(-1).view(sys.modules["torch"].uint8).numpy()
    return data.view(f"V{tensor.element_size()}").reshape(tensor.shape)


def to_numpy(value: Array) -> typing.Any:
    """The value as an array of NumPy: a view where the framework allows it.
    Numbers that NumPy does not have are bytes: bfloat16 has the type V2, as in *.npy
    files."""
    import numpy
    if framework_of(value) == "torch":
        return _view_tensor(value.detach().cpu().resolve_conj().resolve_neg()
                            .contiguous())
    array = numpy.asarray(value)
    return array if find_dtype(str(array.dtype)) else array.view(f"V{array.itemsize}")


def to_bytes(value: Array) -> typing.Tuple[typing.Any, str]:
    """The value as a contiguous array of NumPy, and the name of its element type."""
    import numpy
    array = numpy.ascontiguousarray(to_numpy(value)).reshape(numpy.shape(value))
    return array, dtype_of(value if array.dtype.kind == "V" else array)


def copy_to(target: Array, result: Array, name: str) -> None:
    """Copies an array, of NumPy or of the extension, into one of the caller's.

    Raises ValueError for another shape or element type, and TypeError for an array
    that cannot be written."""
    import numpy
    shape, dtype = tuple(target.shape), dtype_of(target)
    if shape != tuple(result.shape) or dtype != dtype_of(result):
        raise ValueError(f"out: {name} is {dtype_of(result)} of shape {result.shape}; "
                         f"the array is {dtype} of shape {shape}")
    framework = framework_of(target)
    if framework == "torch":
        target.detach().copy_(sys.modules["torch"].from_dlpack(result))
        return
    view = numpy.asarray(target)
    if framework == "jax" or not view.flags.writeable:
        raise TypeError(f"out: {name} is read-only; expected an array that can be "
                        "written")
    source = to_numpy(result)
    view[...] = source if find_dtype(dtype) else source.view(view.dtype)


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
