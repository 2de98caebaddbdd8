# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interface of contestants."""

from __future__ import annotations

import pathlib
import typing

if typing.TYPE_CHECKING:
    import numpy

Arrays = typing.Sequence["numpy.ndarray[typing.Any, typing.Any]"]


class Recording(typing.NamedTuple):
    """Measurements by the profiler of a framework: `profile`, or `sets`."""

    #: Calls of the model that it has.
    calls: int
    #: A *.mlprof.
    profile: typing.Optional[pathlib.Path] = None
    #: Names of ops that ran as one, and their time in picoseconds over all calls.
    sets: typing.Sequence[typing.Tuple[typing.Sequence[str], int]] = ()


class Base:
    """A model in a framework. Subclasses set `version`."""

    version = ""

    def __init__(self, path: pathlib.Path, inputs: Arrays, threads: int) -> None:
        """Reads the model of a file; `inputs` are those of each call."""
        self.path, self.inputs, self.threads = path, inputs, threads

    def call(self) -> typing.Any:
        """Runs the model to its end."""
        raise NotImplementedError

    def results(self) -> Arrays:
        """The results of a call."""
        import numpy
        results = self.call()
        if not isinstance(results, (list, tuple)):
            results = [results]
        return [numpy.asarray(result) for result in results]

    def record(self, folder: pathlib.Path, calls: int) -> Recording:
        """Runs the model under the framework's own profiler. Raises
        NotImplementedError, with a reason, if that does not tell ops."""
        raise NotImplementedError("the framework's profiler is not known")
