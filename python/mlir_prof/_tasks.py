# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scopes of coroutines, tasks, thread pools and processes."""

from __future__ import annotations

import asyncio
import concurrent.futures
import concurrent.futures.process
import functools
import inspect
import threading
import typing

from ._scopes import Context, Recording, Session, Strand, here

Function = typing.TypeVar("Function", bound=typing.Callable[..., typing.Any])


def decorate(scope, function):
    """`function`, a coroutine function or generator, in a scope that does not
    run while it waits."""
    if inspect.isasyncgenfunction(function):
        return _decorate_async_generator(scope, function)
    if inspect.isgeneratorfunction(function):
        return _decorate_generator(scope, function)

    @functools.wraps(function)
    async def in_scope(*arguments, **named):
        with scope:
            return await function(*arguments, **named)
    return in_scope


def _decorate_generator(scope, function):
    def run(arguments, named):
        with scope:
            return (yield from function(*arguments, **named))

    @functools.wraps(function)
    def in_scope(*arguments, **named):
        return Strand(run(arguments, named))
    return in_scope


def _decorate_async_generator(scope, function):
    @functools.wraps(function)
    async def in_scope(*arguments, **named):
        # Between values the consumer runs, in whose scopes this must not hang.
        scope.begin()
        try:
            async for value in function(*arguments, **named):
                scope.suspend()
                try:
                    yield value
                finally:
                    scope.resume()
        finally:
            scope.end()
    return in_scope


def bind(function: Function,
         context: typing.Optional[Context] = None) -> Function:
    """`function`, whose scopes hang below the scope that is open now, wherever
    it is called."""
    context = here() if context is None else context

    @functools.wraps(function)
    def bound(*arguments: typing.Any, **named: typing.Any) -> typing.Any:
        with context:
            return function(*arguments, **named)
    return typing.cast(Function, bound)


def task_factory(loop: asyncio.AbstractEventLoop, coroutine: typing.Any,
                 factory: typing.Optional[typing.Callable[..., typing.Any]] = None,
                 **named: typing.Any) -> typing.Any:
    """For loop.set_task_factory(): scopes that are open in a task while it waits
    are suspended, and those of the task hang below the scope that created
    it. `factory` makes the task, by default asyncio.Task."""
    if not isinstance(coroutine, Strand):
        coroutine = Strand(coroutine, here())
    if factory:
        return factory(loop, coroutine, **named)
    return asyncio.Task(coroutine, loop=loop, **named)


# ------------------------------------------------------------------------------
# Patches
# ------------------------------------------------------------------------------


class _Patch:
    """Replaces a method while anybody wants it."""

    def __init__(self, owner, name, make):
        self.owner, self.name, self.make = owner, name, make
        self.users, self.lock = 0, threading.Lock()

    def add(self):
        with self.lock:
            self.users += 1
            if self.users == 1:
                self.original = self.owner.__dict__[self.name]
                self.replaced = functools.wraps(self.original)(
                    self.make(self.original))
                setattr(self.owner, self.name, self.replaced)

    def remove(self):
        with self.lock:
            self.users -= 1
            # Somebody else's patch on top of it stays, and works.
            if (not self.users and
                    self.owner.__dict__[self.name] is self.replaced):
                setattr(self.owner, self.name, self.original)


def _make_create_task(original):
    def create_task(self, coro, **named):
        if inspect.iscoroutine(coro):
            coro = Strand(coro, here())
        return original(self, coro, **named)
    return create_task


def _make_submit(original):
    def submit(self, function, /, *arguments, **named):
        context = here()
        if context:
            function = bind(function, context)
        return original(self, function, *arguments, **named)
    return submit


def _make_start(original):
    def start(self):
        context = here()
        if context:
            self.run = bind(self.run, context)
        return original(self)
    return start


#: Where recordings of other processes go, as stream files and as Recordings:
#: functions of running profilers.
collectors = []


def _run_remotely(function, arguments, named):
    """In a worker process: the result or the exception, and the recording as a
    stream file."""
    session = Session()
    result = failure = None
    try:
        result = function(*arguments, **named)
    except BaseException as error:
        failure = concurrent.futures.process._ExceptionWithTraceback(
            error, error.__traceback__)
    session.stop()
    return result, failure, session.copy()


def _make_process_submit(original):
    def submit(self, function, /, *arguments, **named):
        inner = original(self, _run_remotely, function, arguments, named)
        outer = concurrent.futures.Future()
        outer.cancel = lambda: (inner.cancel() and
                                concurrent.futures.Future.cancel(outer))

        def finish(done):
            if done.cancelled():
                concurrent.futures.Future.cancel(outer)
                outer.set_running_or_notify_cancel()
                return
            if not outer.set_running_or_notify_cancel():
                return
            error = done.exception()
            if error is not None:
                outer.set_exception(error)
                return
            result, failure, stream = done.result()
            try:
                recording = Recording.from_bytes(stream)
            except ValueError as problem:
                outer.set_exception(problem)
                return
            for collect in list(collectors):
                collect(stream, recording)
            if failure is None:
                outer.set_result(result)
            else:
                outer.set_exception(failure)

        inner.add_done_callback(finish)
        return outer
    return submit


_PATCHES = {
    "asyncio": _Patch(asyncio.base_events.BaseEventLoop, "create_task",
                      _make_create_task),
    "executors": _Patch(concurrent.futures.ThreadPoolExecutor, "submit",
                        _make_submit),
    "processes": _Patch(concurrent.futures.process.ProcessPoolExecutor,
                        "submit", _make_process_submit),
    "threads": _Patch(threading.Thread, "start", _make_start),
}


class follow:
    """Follows work from the scope that starts it, until close() or the end of
    the `with` statement: "asyncio" (tasks), "executors" (ThreadPoolExecutor),
    "processes" (ProcessPoolExecutor, whose recordings running profilers get)
    and "threads" (threading.Thread). Without arguments, all of them."""

    def __init__(self, *kinds: str) -> None:
        for kind in kinds:
            if kind not in _PATCHES:
                raise ValueError(f"{kind!r} cannot be followed; hint: one of "
                                 f"{', '.join(_PATCHES)}")
        self._kinds = list(dict.fromkeys(kinds or _PATCHES))
        for kind in self._kinds:
            _PATCHES[kind].add()

    def close(self) -> None:
        """Follows no longer; further calls do nothing."""
        for kind in self._kinds:
            _PATCHES[kind].remove()
        self._kinds = []

    def __enter__(self) -> follow:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
