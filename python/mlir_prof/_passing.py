# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How arrays of a kind go into a model and come out of it, chosen once for the types
of a call."""

from __future__ import annotations

import importlib
import sys
import typing

from . import _arrays

Array = _arrays.Array


class Passing(typing.NamedTuple):
    """Functions for calls with arrays of certain types."""

    #: Makes of the arrays of a call what the extension reads fast; None if they are
    #: that already.
    take: typing.Optional[typing.Callable[[typing.List[Array]], typing.List[Array]]]
    #: Makes of a result of the extension an array of the framework.
    give: typing.Callable[[typing.Any], Array]


def _view_tensor(tensor: Array) -> Array:
    """The tensor's memory by the buffer protocol, which is faster than DLPack; the
    tensor itself where NumPy does not have that."""
    if tensor.requires_grad:
        tensor = tensor.detach()
    try:
        return tensor.numpy()
    except (TypeError, RuntimeError):
        return tensor


def _view_tensors(tensors: typing.List[Array]) -> typing.List[Array]:
    return [_view_tensor(tensor) for tensor in tensors]


def _give_tensor(owner: typing.Any) -> Array:
    torch = sys.modules["torch"]
    if isinstance(owner, sys.modules["numpy"].ndarray):
        if owner.dtype.kind == "V":
            return torch.from_numpy(owner.view("i2")).view(torch.bfloat16)
        return torch.from_numpy(owner)
    return torch.from_dlpack(owner.__dlpack__())


def _give_jax(owner: typing.Any) -> Array:
    if getattr(getattr(owner, "dtype", None), "kind", "") == "V":
        jax = importlib.import_module("jax.numpy")
        return jax.asarray(owner.view(jax.bfloat16))
    return importlib.import_module("jax.dlpack").from_dlpack(owner)


def _make_give_numpy(dtypes: typing.Collection[str]
                     ) -> typing.Callable[[typing.Any], Array]:
    import numpy
    if "bfloat16" not in dtypes or "ml_dtypes" not in sys.modules:
        return numpy.asarray
    bfloat16 = sys.modules["ml_dtypes"].bfloat16

    def give(owner: typing.Any) -> Array:
        array: typing.Any = numpy.asarray(owner)
        return array.view(bfloat16) if array.dtype.kind == "V" else array
    return give


def choose(arrays: typing.Sequence[Array], arguments: typing.Sequence[
        typing.Tuple[str, str, typing.Any]], results: typing.Collection[str]
        ) -> Passing:
    """The way for arrays of these types. `arguments` are names and element types,
    `results` the element types of results."""
    found = [_arrays.framework_of(array) for array in arrays]
    framework = next((name for name in ("torch", "jax") if name in found), "numpy")
    give = {"torch": _give_tensor, "jax": _give_jax}.get(framework)

    def take(arrays: typing.List[Array]) -> typing.List[Array]:
        return [_arrays.as_input(array, dtype, name)
                for array, (name, dtype, _) in zip(arrays, arguments)]
    is_plain = all(name in ("numpy", "jax") for name in found)
    return Passing(None if is_plain else
                   _view_tensors if set(found) == {"torch"} else take,
                   give or _make_give_numpy(results))
