# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a race."""

from __future__ import annotations

import importlib.util
import pathlib
import typing

from .. import _files, _progress
from .._profile import Profile
from . import _rows, contestants
from ._forms import Forms, Unavailable
from ._process import Process
from ._result import Entry, Race

#: Modules of contestants and the packages that have them, where names differ.
_MODULES = {"inductor": {"torch": "torch"},
            "iree": {"iree.compiler": "iree-base-compiler",
                     "iree.runtime": "iree-base-runtime"}}


def _find_missing(name: str) -> typing.List[str]:
    """The packages that a contestant needs and that are not installed."""
    missing = []
    for module, package in _MODULES.get(name, {name: name}).items():
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            found = None
        if found is None:
            missing.append(package)
    return missing


#: Ops of profiles that ran as one with others, and their time.
_FUSED = ("SELECT matches.op, path, sum(time_ps) AS time_ps FROM matches "
          "JOIN ops USING (op) WHERE class = 'fused' AND path IS NOT NULL "
          "GROUP BY matches.op, path")


def _read_sets(profile: Profile) -> _rows.Sets:
    """The paths of ops that ran as one, and their times."""
    sets: typing.Dict[int, typing.Tuple[typing.List[str], int]] = {}
    for row in profile.query(_FUSED):
        sets.setdefault(row["op"], ([], row["time_ps"]))[0].append(row["path"])
    return list(sets.values())


def _start(name: str, forms: Forms, inputs: typing.Sequence[pathlib.Path],
           threads: int, timeout: float) -> typing.Tuple[Process, str]:
    """A process that is ready, and the framework's version. Raises Unavailable."""
    missing = " ".join(_find_missing(name))
    if missing:
        raise Unavailable(f"{missing} is not installed; hint: pip install {missing}")
    module, reason = contestants.load(name), None
    for form in module.FORMS:
        try:
            path = forms.get(form)
        except Unavailable as error:
            reason = error
            continue
        process = Process(name, threads, timeout)
        try:
            answer = process.ask("prepare", name=name, path=str(path),
                                 inputs=list(map(str, inputs)), threads=threads)
            return process, answer["version"]
        except BaseException:
            process.close()
            raise
    raise reason or Unavailable("it takes no form of this model")


def _find_error(results: typing.Sequence[typing.Any],
                expected: typing.Sequence[typing.Any]) -> float:
    """The largest difference, relative to the largest element of the result that it
    is in; infinite for other shapes."""
    import numpy
    if len(results) != len(expected):
        return float("inf")
    largest = 0.0
    for result, reference in zip(results, expected):
        if result.shape != reference.shape:
            return float("inf")
        if not reference.size:
            continue
        wide = reference.astype("float64")
        difference = numpy.abs(result.astype("float64") - wide).max()
        scale = numpy.abs(wide).max() or 1.0
        largest = max(largest, float(difference / scale))
    return largest


class _Runner:
    """The processes of a race."""

    def __init__(self, forms: Forms, threads: int, timeout: float,
                 folder: pathlib.Path) -> None:
        self.forms, self.threads, self.timeout = forms, threads, timeout
        self.folder = folder
        self.processes: typing.Dict[str, Process] = {}
        self.entries: typing.Dict[str, Entry] = {}
        self.reference = ""

    def start(self, names: typing.Sequence[str]) -> None:
        inputs = self.forms.save_inputs()
        for name in names:
            try:
                self.processes[name], version = _start(name, self.forms, inputs,
                                                       self.threads, self.timeout)
                self.entries[name] = Entry(name, version)
            except Unavailable as error:
                self.entries[name] = Entry(name, reason=str(error))

    def leave(self, name: str, reason: str) -> None:
        """Ends the part of a framework that failed."""
        self.processes.pop(name).close()
        self.entries[name] = self.entries[name]._replace(reason=reason, rounds=())

    def compare(self, tolerance: float) -> None:
        """Lets those whose results are wrong leave. The first is the reference."""
        import numpy
        expected = None
        for name in list(self.processes):
            folder = self.folder / name
            folder.mkdir()
            try:
                results = [numpy.load(path) for path in
                           self.processes[name].ask("results", folder=str(folder))]
            except Unavailable as error:
                self.leave(name, str(error))
                continue
            if expected is None:
                expected, self.reference = results, name
            error_ = _find_error(results, expected)
            self.entries[name] = self.entries[name]._replace(error=error_)
            if not error_ <= tolerance:
                self.leave(name, f"its results differ by {error_:.1e} from those of "
                                 f"{self.reference}")

    def run(self, rounds: int, seconds: float) -> None:
        """Times calls; each round begins with another framework."""
        for number in range(rounds):
            names = list(self.processes)
            shift = number % len(names) if names else 0
            for name in names[shift:] + names[:shift]:
                try:
                    times = self.processes[name].ask("time", seconds=seconds)
                except Unavailable as error:
                    self.leave(name, str(error))
                    continue
                entry = self.entries[name]
                self.entries[name] = entry._replace(rounds=[*entry.rounds, times])

    def record(self, calls: int) -> None:
        """Runs each under its own profiler."""
        recordings = {}
        for name in list(self.processes):
            folder = self.folder / f"{name}-profile"
            folder.mkdir()
            try:
                recordings[name] = self.processes[name].ask("record",
                                                            folder=str(folder),
                                                            calls=calls)
            except Unavailable as error:
                self.entries[name] = self.entries[name]._replace(no_rows=str(error))
        profiles = {name: Profile(recording["profile"])
                    for name, recording in recordings.items() if recording["profile"]}
        keys = {name: profile.report(by="module-path")
                for name, profile in profiles.items()}
        self.modules = _rows.find_modules(
            [row["key"] for table in keys.values() for row in table] or
            [path for recording in recordings.values()
             for paths, _ in recording["sets"] for path in paths])
        known = set(self.modules)
        for name, recording in recordings.items():
            calls = recording["calls"]
            if name in keys:
                coverage = profiles[name].coverage
                found = _rows.from_profile(keys[name], _read_sets(profiles[name]),
                                           coverage.op_time_ps,
                                           coverage.unmatched_ps, calls, known)
            else:
                found = _rows.from_sets(recording["sets"], calls, known)
            self.entries[name] = self.entries[name]._replace(rows=found)

    modules: typing.Sequence[str] = ()

    def close(self) -> None:
        for process in self.processes.values():
            process.close()


def race(model: typing.Any, *examples: typing.Any,
         frameworks: typing.Optional[typing.Sequence[str]] = None, threads: int = 1,
         rounds: int = 5, seconds: float = 0.2, calls: int = 20, profile: bool = True,
         tolerance: float = 1e-3, timeout: float = 600,
         progress: _progress.Progress = True) -> Race:
    """Runs one model in several frameworks, on the same inputs.

    `model` and `examples`, arrays by position, are as for `compile`; without examples
    the arrays are random where the model tells their shapes. `frameworks` are "torch",
    "inductor", "onnxruntime", "openvino", "jax", "tensorflow", "iree" and "mlir_prof";
    by default all of them. Each runs in a process of its own with `threads` threads:
    `rounds` times in turns, for `seconds` each, without profilers; then, with `profile`,
    `calls` calls under its own profiler. Results that differ from the first framework's
    by more than `tolerance`, relative to the largest element, are wrong, and are not
    timed. A framework that fails, or takes more than `timeout` seconds to load the
    model or for a turn, leaves the race; its note says why."""
    names = list(frameworks or contestants.CONTESTANTS)
    for name in names:
        contestants.load(name)
    with _files.scratch() as folder, _progress.show(progress, "race"):
        runner = _Runner(Forms(model, examples, folder), threads, timeout, folder)
        try:
            runner.start(names)
            runner.compare(tolerance)
            runner.run(rounds, seconds)
            if profile:
                runner.record(calls)
        finally:
            runner.close()
    return Race([runner.entries[name] for name in names], runner.reference,
                runner.modules, threads)
