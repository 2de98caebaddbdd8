# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models as callables."""

from __future__ import annotations

import os
import pathlib
import re
import typing

from . import _arrays, _calling, _container, _files, _passing, _trust, _weights
from ._origin import Origin
from ._table import Table
from .frontends import Value

Array = _arrays.Array


if typing.TYPE_CHECKING:
    from ._model import ModelError as ModelError
else:
    try:
        from ._model import ModelError
    except ImportError:
        class ModelError(RuntimeError):
            """The code of a model failed; the text names the op."""

Signature = typing.Sequence[typing.Tuple[str, str, typing.Tuple[
    typing.Optional[int], ...]]]


class Runner(typing.Protocol):
    """Runs a compiled model, in this process or in another one."""

    @property
    def arguments(self) -> Signature: ...

    @property
    def results(self) -> Signature: ...

    @property
    def written(self) -> typing.Sequence[int]: ...

    @property
    def threads(self) -> int: ...

    @property
    def constants(self) -> typing.Sequence[typing.Tuple[int, int]]:
        """Size in bytes and alignment of each constant that can be shared."""

    @property
    def shared_bytes(self) -> int: ...

    def make_caller(self, unflatten: typing.Optional[typing.Callable[
            [typing.List[Array]], typing.Any]]) -> typing.Any:
        """Repeats calls by position; None if nothing does so."""

    def share(self, constant: int, array: typing.Any) -> bool: ...

    def reset(self) -> None: ...

    @property
    def run(self) -> typing.Callable[..., typing.Sequence[typing.Any]]:
        """run(inputs, outputs=None); in this process also `like`, a type of arrays."""


def open_runner(held: _files.HeldFile, threads: int, isolate: bool, signs: str = "",
                timeout: typing.Optional[float] = None) -> Runner:
    """Loads a compiled model. `signs` has a letter for each argument: "u" for
    unsigned integers, "s" for signed ones; empty if it is not known. `timeout` is
    for a process of its own.

    Raises ValueError, with its name, if it is damaged."""
    try:
        return _open_runner(held, threads, isolate, signs, timeout)
    except ValueError as error:
        raise ValueError(re.sub("^/proc/[a-z0-9]+/fd/[0-9]+", lambda _: held.name,
                                str(error))) from None


def _open_runner(held: _files.HeldFile, threads: int, isolate: bool, signs: str,
                 timeout: typing.Optional[float]) -> Runner:
    if isolate:
        from ._isolated import IsolatedRunner
        return IsolatedRunner(held, threads, signs, timeout)
    try:
        from . import _model
    except ImportError as error:
        raise ImportError(
            "compiled models need the extension mlir_prof._model, which cannot be "
            f"loaded ({error}); hint: install the wheel, or put <build>/python into "
            "PYTHONPATH") from error
    runner = _model.open(held.path, threads)
    if signs:
        runner.set_signs(signs)
    return runner


class Model:
    """A compiled model, made by `mlir_prof.compile` or `mlir_prof.load`.

    Calls take and return what the model's framework does: arrays of PyTorch, JAX or
    NumPy, whose memory the model reads in place (DLPack); the results are arrays of
    the framework of the arguments. Any number of threads may call a model; it
    releases the GIL. Errors in the model, such as an index out of range, are
    exceptions that name the op."""

    def __init__(self, held: _files.HeldFile, calling: typing.Callable[
            [Runner], _calling.Calling], *, threads: int = 0, isolate: bool = False,
            framework: str = "", origin: typing.Optional[Origin] = None,
            unsigned: typing.Collection[int] = (), signs: str = "",
            weights: typing.Iterable[Array] = (),
            timeout: typing.Optional[float] = None) -> None:
        self._held = held
        self._signs = signs
        self._runner = open_runner(held, threads, isolate, signs, timeout)
        #: Arrays that the code reads in the place of constants.
        self.weights = _weights.share(self._runner, weights)
        self._calling = calling(self._runner)
        self._run = self._runner.run
        # By the types of the arrays of a call.
        self._passings: typing.Dict[typing.Tuple[type, ...], _passing.Passing] = {}
        #: Number of threads that a call uses.
        self.threads = self._runner.threads
        #: Whether calls run in a process of their own.
        self.is_isolated = isolate
        #: Seconds that a call may take there; None for any time.
        self.timeout = timeout
        #: The framework of the model: "torch", "jax", "onnx", "mlir" and so on.
        self.framework = framework
        #: Where the time of the build went: `phase`, `time_ps`, and for those of the
        #: compiler `peak_bytes`, the most memory that it had used by their end.
        self.build: Table = Table([])
        #: The trials of optimize(), for models that it returned.
        self.receipts: typing.Optional[Table] = None
        self._origin = origin
        # The numbers of results that are unsigned in the framework, and signless in
        # the code.
        self._unsigned = frozenset(unsigned)
        self._caller = self._make_caller()

    @property
    def arguments(self) -> typing.Tuple[Value, ...]:
        """Name, element type and shape of each argument; None is a dimension that
        each call chooses."""
        return tuple(Value(*value) for value in self._runner.arguments)

    @property
    def results(self) -> typing.Tuple[Value, ...]:
        """The same of each result."""
        return tuple(Value(name, "u" + dtype if number in self._unsigned else dtype,
                           shape)
                     for number, (name, dtype, shape) in enumerate(
                         self._runner.results))

    @property
    def written(self) -> typing.Tuple[str, ...]:
        """The names of the arguments whose arrays a call may write."""
        return tuple(self._runner.arguments[index][0]
                     for index in self._runner.written)

    @property
    def unsigned(self) -> typing.Collection[int]:
        """The numbers of results that are unsigned, but signless in the code."""
        return self._unsigned

    @property
    def signs(self) -> str:
        """A letter for each argument: "u" for unsigned integers, "s" for signed ones,
        which are signless in the code; empty if it is not known."""
        return self._signs

    def flatten(self, *arguments: typing.Any, **keywords: typing.Any
                ) -> typing.List[Array]:
        """The arrays of a call, in the order of `arguments`.

        Raises TypeError if the structure is not that of the model."""
        leaves = self._calling.flatten(arguments, keywords)
        take = self._choose_passing(leaves).take
        return take(leaves) if take else leaves

    def _choose_passing(self, leaves: typing.List[Array]) -> _passing.Passing:
        types = tuple(map(type, leaves))
        passing = self._passings.get(types)
        if passing is None:
            expected = self._runner.arguments
            if len(leaves) != len(expected):
                raise TypeError(f"{len(leaves)} arrays are given; the model has "
                                f"{len(expected)} arguments: "
                                + ", ".join(name for name, _, _ in expected))
            passing = self._passings[types] = _passing.choose(
                leaves, expected, [dtype for _, dtype, _ in self._runner.results],
                not self.is_isolated, self._runner.written)
        return passing

    def _make_caller(self) -> typing.Any:
        """Repeats calls that have nothing but arrays by position; None if they have
        more, or if nothing does so."""
        if not self._calling.is_flat:
            return None
        is_first = self._calling.is_single and not self._unsigned
        return self._runner.make_caller(None if is_first else self._unflatten)

    def _unflatten(self, results: typing.List[Array]) -> typing.Any:
        for number in self._unsigned:
            results[number] = _passing.view_unsigned(results[number])
        return self._calling.unflatten(results)

    def __call__(self, *arguments: typing.Any, out: typing.Any = None,
                 **keywords: typing.Any) -> typing.Any:
        """Runs the model.

        `out` is an array, or a sequence of them in the order of `results`, which
        get the results and are returned. Raises TypeError or ValueError, which name
        the argument, for another structure, shape, element type or device."""
        outputs = () if out is None else (
            tuple(out) if isinstance(out, (list, tuple)) else (out,))
        is_plain = not keywords and self._caller is not None
        if is_plain:
            result = self._caller(arguments) if out is None else self._caller(
                arguments, outputs)
            if result is not NotImplemented:
                return result if out is None else out
        leaves = self._calling.flatten(arguments, keywords)
        passing = self._choose_passing(leaves)
        if is_plain:
            self._caller.add(tuple(map(type, leaves)), *passing)
        if out is None:
            return self._unflatten(passing.call(self._run, leaves))
        self._run(passing.take(leaves) if passing.take else leaves, outputs)
        return out

    @property
    def memory(self) -> _weights.Memory:
        """Bytes of the constants, and of those that are read in arrays of the
        framework."""
        return _weights.measure(self._runner)

    def reset(self) -> None:
        """Gives the variables of the model their first values. All callers share
        them; calls of a model with variables run one after the other."""
        self._runner.reset()

    def __repr__(self) -> str:
        def show(value: Value) -> str:
            shape = "x".join("?" if size is None else str(size)
                             for size in value.shape)
            return f"{value.name}: {value.dtype}[{shape}]"
        return (f"Model({', '.join(map(show, self.arguments))} -> "
                f"{', '.join(map(show, self.results))})")

    def save(self, path: typing.Union[str, "os.PathLike[str]"]) -> pathlib.Path:
        """Writes the model to a file (*.mprof), which `mlir_prof.load` maps without
        a compiler: its code, its constants and its calling form."""
        structure = {"framework": self.framework, "unsigned": sorted(self._unsigned),
                     "signs": self._signs, "isolate": self.is_isolated,
                     **self._calling.to_json()}
        key = _trust.find_key(makes=True) or os.urandom(32)
        with _files.replacing(path) as new:
            with open(self._held.path, "rb") as source, open(new, "wb") as target:
                _container.write_sealed(source, target, str(path), structure, key)
                # One that others can change would be copied before it is run.
                os.fchmod(target.fileno(),
                          os.fstat(target.fileno()).st_mode & ~0o022)
        return pathlib.Path(path)

    def name_file(self, folder: pathlib.Path) -> pathlib.Path:
        """The compiled file under a name in a temporary folder, for the tool."""
        return self._held.link(folder / "model.mprof")

    @property
    def calling(self) -> _calling.Calling:
        """How arguments become arrays, and arrays results."""
        return self._calling

    @property
    def origin(self) -> Origin:
        """The module and the options from which it was compiled.

        Raises ValueError if it was loaded from a file."""
        if self._origin is None:
            raise ValueError("the model was loaded from a compiled file, which does "
                             "not have its source; hint: pass the model that "
                             "compile() takes")
        return self._origin
