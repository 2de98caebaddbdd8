# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scopes in code that does not name them: optimizers and data loaders."""

from __future__ import annotations

import functools
import sys
import time
import typing

from ._profiler import Profiler
from ._scopes import scope
from ._types import Role, Type


class RecordEvent(scope):
    """A scope with Paddle's arguments: a context manager, a decorator, begin()
    and end()."""

    def __new__(cls, name: str, type: int = Type.PythonUserDefined, level: int = 1,
                role: int = Role.Ordinary) -> RecordEvent:
        return super().__new__(cls, name, type, level, role)


def wrap_optimizers(*classes: type) -> typing.Callable[[], None]:
    """Makes step() of optimizers a scope of type Optimization: that of
    `classes`, by default of all that PyTorch has. Returns a function that
    restores them."""
    if not classes:
        torch = sys.modules.get("torch")
        if torch is None:
            import torch
        classes = [value for value in vars(torch.optim).values()
                   if isinstance(value, type) and
                   issubclass(value, torch.optim.Optimizer)]
    replaced = []
    for owner in classes:
        step = owner.__dict__.get("step")
        if step is None or hasattr(step, "_mlir_prof_original"):
            continue
        wrapped = _wrap_step(step, scope(f"{owner.__name__}.step",
                                         Type.Optimization))
        owner.step = wrapped
        replaced.append((owner, wrapped))

    def restore() -> None:
        for owner, wrapped in replaced:
            if owner.__dict__.get("step") is wrapped:
                owner.step = wrapped._mlir_prof_original
    return restore


def _wrap_step(step: typing.Any, around: scope) -> typing.Any:
    @functools.wraps(step)
    def in_scope(*arguments: typing.Any, **named: typing.Any) -> typing.Any:
        with around:
            return step(*arguments, **named)
    setattr(in_scope, "_mlir_prof_original", step)  # noqa: B010 - for mypy.
    return in_scope


class wrap_loader:
    """A data loader whose reading is a scope of type Dataloader, and counts as
    reader cost of the profiler that runs. Everything else is the loader's."""

    def __init__(self, loader: typing.Any, name: typing.Optional[str] = None
                 ) -> None:
        self._loader = loader
        self._scope = scope(name or type(loader).__name__, Type.Dataloader)

    def __getattr__(self, name: str) -> typing.Any:
        if name == "_loader":
            raise AttributeError(name)
        return getattr(self._loader, name)

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> typing.Iterator[typing.Any]:
        profiler = Profiler.current()
        timer = profiler.timer if profiler else None
        iterator = iter(self._loader)
        if timer is not None:
            timer.begin_loop(iterator)
        try:
            while True:
                begin = time.perf_counter_ns()
                try:
                    with self._scope:
                        item = next(iterator)
                except StopIteration:
                    return
                finally:
                    if timer is not None:
                        timer.add_reading(time.perf_counter_ns() - begin)
                yield item
        finally:
            if timer is not None:
                timer.end_loop(iterator)
