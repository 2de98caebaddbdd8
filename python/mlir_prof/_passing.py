# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How arrays of a kind go into a model and come out of it, chosen once for the types
of a call."""

from __future__ import annotations

import importlib
import sys
import typing

from . import _arrays, _writing

Array = _arrays.Array


class Passing(typing.NamedTuple):
    """Functions for calls with arrays of certain types."""

    #: Makes of the arrays of a call what the extension reads fast; None if they are
    #: that already.
    take: typing.Optional[typing.Callable[[typing.List[Array]], typing.List[Array]]]
    #: Makes of a result of the extension an array of the framework; None if `like`
    #: does.
    give: typing.Optional[typing.Callable[[typing.Any], Array]]
    #: The type of arrays that the extension makes itself.
    like: typing.Optional[type] = None

    def call(self, run: typing.Callable[..., typing.Sequence[typing.Any]],
             arrays: typing.List[Array]) -> typing.List[Array]:
        """The results of a call."""
        taken = self.take(arrays) if self.take else arrays
        if self.give:
            return list(map(self.give, run(taken)))
        return list(run(taken, None, self.like))


def _view_tensor(tensor: Array) -> Array:
    """The tensor's memory by the buffer protocol, which is faster than DLPack; the
    tensor itself where NumPy does not have that."""
    if tensor.requires_grad:
        tensor = tensor.detach()
    # A tensor may be the negation of its memory.
    tensor = tensor.resolve_neg()
    try:
        return tensor.numpy()
    except (TypeError, RuntimeError):
        return tensor


def _view_tensors(tensors: typing.List[Array]) -> typing.List[Array]:
    return [_view_tensor(tensor) for tensor in tensors]


def view_unsigned(array: Array) -> Array:
    """A result whose code has signless integers, as unsigned ones."""
    if _arrays.framework_of(array) == "torch":
        return array.view(getattr(sys.modules["torch"], f"uint{8 * array.itemsize}"))
    return array.view(f"uint{8 * array.dtype.itemsize}")


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


def _make_give_jax(dtypes: typing.Collection[str]) -> typing.Callable[[typing.Any], Array]:
    """Does what jax.dlpack.from_dlpack does without its checks of the array, which take
    longer than a small model; that itself where this version of JAX has another
    inside, or where it makes numbers of 64 bits narrower."""
    if any(dtype.endswith(("64", "128")) for dtype in dtypes):
        return _give_jax
    try:
        jax = importlib.import_module("jax")
        adopt = importlib.import_module("jaxlib._jax").dlpack_managed_tensor_to_buffer
        device = jax.local_devices(backend="cpu")[0]
    except (ImportError, AttributeError, RuntimeError):
        return _give_jax
    cpu = 1

    def give(owner: typing.Any) -> Array:
        try:
            return adopt(owner.__dlpack__(), device, None, None, cpu)
        except (TypeError, AttributeError):
            return _give_jax(owner)
    return give


def _make_give_numpy(dtypes: typing.Collection[str]
                     ) -> typing.Callable[[typing.Any], Array]:
    import numpy
    # Numbers that NumPy does not have.
    types = {name: getattr(sys.modules.get("ml_dtypes"), name.lower(), None)
             for name in dtypes if name.startswith(("bfloat", "float8"))}
    if not any(types.values()):
        return numpy.asarray

    def give(owner: typing.Any) -> Array:
        array: typing.Any = numpy.asarray(owner)
        kind = types.get(str(owner.dtype))
        return array.view(kind) if kind else array
    return give


def _choose_give(framework: str, results: typing.Collection[str]
                 ) -> typing.Callable[[typing.Any], Array]:
    if framework == "torch":
        return _give_tensor
    return _make_give_jax(results) if framework == "jax" else _make_give_numpy(results)


def choose(arrays: typing.Sequence[Array], arguments: typing.Sequence[
        typing.Tuple[str, str, typing.Any]], results: typing.Collection[str],
        in_process: bool = True, written: typing.Collection[int] = ()) -> Passing:
    """The way for arrays of these types. `arguments` are names and element types,
    `results` the element types of results; `in_process` tells whether the extension
    gets the arrays themselves. The model writes the arguments `written`.

    Raises TypeError for one of these that is not an array, or of a library whose
    arrays do not change."""
    found = [_arrays.framework_of(array) for array in arrays]
    framework = next((name for name in ("torch", "jax") if name in found), "numpy")

    def take(arrays: typing.List[Array]) -> typing.List[Array]:
        return [_arrays.as_input(array, dtype, name)
                for array, (name, dtype, _) in zip(arrays, arguments)]
    tensor = sys.modules["torch"].Tensor if framework == "torch" else None
    has_exchange = in_process and hasattr(tensor, "__dlpack_c_exchange_api__")
    taking: typing.Any = take
    if set(found) == {"torch"}:
        taking = None if has_exchange else _view_tensors
    elif all(name in ("numpy", "jax") for name in found):
        taking = None
    if written:
        taking = _writing.lend(taking, {
            index: arguments[index][0] for index in written}, arrays)
    if has_exchange:
        return Passing(taking, None, tensor)
    return Passing(taking, _choose_give(framework, results))
