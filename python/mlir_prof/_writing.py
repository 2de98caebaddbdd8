# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments whose arrays a model writes: nothing may take their place."""

from __future__ import annotations

import typing

from . import _arrays

Take = typing.Callable[[typing.List[_arrays.Array]], typing.List[_arrays.Array]]


def _fail(name: str, problem: str) -> typing.NoReturn:
    raise TypeError(f"argument {name}, which the model writes, {problem}")


def _check_kind(value: _arrays.Array, name: str) -> None:
    framework = _arrays.framework_of(value)
    if framework == "jax":
        _fail(name, "is an array of JAX, which does not change; hint: pass a copy, "
              "numpy.array(...)")
    if framework or hasattr(value, "__dlpack__"):
        return
    try:
        memoryview(value)
    except TypeError:
        _fail(name, f"is a {type(value).__name__}; expected an array")


def _view(value: _arrays.Array) -> _arrays.Array:
    """An array itself, or one in the memory of a buffer."""
    if _arrays.framework_of(value) or hasattr(value, "__dlpack__"):
        return value
    import numpy
    return numpy.asarray(memoryview(value))


def _check_tensor(tensor: _arrays.Array, name: str) -> None:
    if tensor.requires_grad:
        _fail(name, "requires a gradient; hint: pass it.detach()")
    if tensor.is_neg() or tensor.is_conj():
        _fail(name, "stands for the conjugate or the negation of another; hint: pass "
              "it.resolve_conj().resolve_neg()")


def lend(take: typing.Optional[Take], written: typing.Mapping[int, str],
         examples: typing.Sequence[_arrays.Array]) -> Take:
    """A function that lets `take` prepare the arrays of a call, of the types of
    `examples`, but those of `written`, by index, which have these names.

    Raises TypeError for types that cannot be written."""
    for index, name in written.items():
        _check_kind(examples[index], name)
    tensors = {index: name for index, name in written.items()
               if _arrays.framework_of(examples[index]) == "torch"}

    def lending(arrays: typing.List[_arrays.Array]) -> typing.List[_arrays.Array]:
        for index, name in tensors.items():
            _check_tensor(arrays[index], name)
        lent = list(arrays)
        for index in written:
            lent[index] = _view(lent[index])
        return take(lent) if take else lent
    return lending
