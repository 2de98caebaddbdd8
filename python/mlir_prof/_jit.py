# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models in the place of jitted functions of JAX."""

from __future__ import annotations

import functools
import threading
import typing

from . import _compile
from ._compiled import Model

Key = typing.Tuple[typing.Any, ...]


def _describe(leaf: typing.Any) -> typing.Tuple[typing.Any, ...]:
    # Weak types give way to those of other operands.
    return str(leaf.dtype), tuple(leaf.shape), getattr(leaf, "weak_type", False)


def _to_jax(leaf: typing.Any) -> typing.Any:
    """Numbers and arrays of NumPy in the element types that JAX gives them."""
    import jax
    return leaf if isinstance(leaf, jax.Array) else jax.numpy.asarray(leaf)


class Jit:
    """A function of JAX that runs as compiled models, one for each structure, shapes
    and element types of its arguments."""

    def __init__(self, function: typing.Callable[..., typing.Any],
                 static_argnums: typing.Tuple[int, ...],
                 static_argnames: typing.Tuple[str, ...],
                 options: typing.Dict[str, typing.Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._places, self._names = frozenset(static_argnums), frozenset(static_argnames)
        self._options = options
        self._lock = threading.Lock()
        #: The models, by what they were compiled for.
        self.models: typing.Dict[Key, Model] = {}

    def _bind(self, static: typing.Dict[typing.Any, typing.Any], count: int
              ) -> typing.Callable[..., typing.Any]:
        """The function of the other arguments."""
        if not static:
            return self._function

        @functools.wraps(self._function)
        def function(*arguments: typing.Any, **keywords: typing.Any) -> typing.Any:
            rest = iter(arguments)
            values = [static[place] if place in static else next(rest)
                      for place in range(count)]
            names = {name: value for name, value in static.items()
                     if isinstance(name, str)}
            return self._function(*values, **keywords, **names)

        return function

    def __call__(self, *arguments: typing.Any, **keywords: typing.Any) -> typing.Any:
        import jax
        static: typing.Dict[typing.Any, typing.Any] = {
            place: value for place, value in enumerate(arguments)
            if place in self._places}
        static.update((name, value) for name, value in keywords.items()
                      if name in self._names)
        values = tuple(value for place, value in enumerate(arguments)
                       if place not in self._places)
        named = {name: value for name, value in keywords.items()
                 if name not in self._names}
        leaves, structure = jax.tree.flatten((values, named))
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self._function(*arguments, **keywords)
        leaves = list(map(_to_jax, leaves))
        values, named = jax.tree.unflatten(structure, leaves)
        # 1, 1.0 and True are equal, but not the same to the function.
        key = (tuple((name, type(value), value) for name, value in static.items()),
               structure, *map(_describe, leaves))
        model = self.models.get(key)
        if model is None:
            model = self._compile(key, static, len(arguments), values, named)
        return model(*values, **named)

    def __get__(self, owner: typing.Any, kind: typing.Optional[type] = None
                ) -> typing.Any:
        """A method, if the function is one of a class."""
        return self if owner is None else functools.partial(self, owner)

    def _compile(self, key: Key, static: typing.Dict[typing.Any, typing.Any],
                 count: int, values: typing.Tuple[typing.Any, ...],
                 named: typing.Dict[str, typing.Any]) -> Model:
        from .frontends._jax import JaxFunction
        with self._lock:
            if key not in self.models:
                function = JaxFunction(self._bind(static, count))
                self.models[key] = _compile.compile(function, *values, **named,
                                                    **self._options)
            return self.models[key]


def jit(function: typing.Callable[..., typing.Any], *,
        static_argnums: typing.Union[int, typing.Sequence[int]] = (),
        static_argnames: typing.Union[str, typing.Sequence[str]] = (),
        threads: int = 1,
        options: typing.Optional[typing.Mapping[str, typing.Any]] = None) -> Jit:
    """A function that replaces `jax.jit(function)` and runs as a compiled model.

    Arguments named by `static_argnums` and `static_argnames` are hashable Python
    values that the model is compiled for. Within another transformation of JAX (jit,
    grad, vmap) the function itself is traced. `threads` and `options` are those of
    `mlir_prof.compile`, and so are the errors."""
    places = (static_argnums,) if isinstance(static_argnums, int) else static_argnums
    names = ((static_argnames,) if isinstance(static_argnames, str)
             else static_argnames)
    return Jit(function, tuple(places), tuple(names),
               {"threads": threads, "options": options, "progress": False})
