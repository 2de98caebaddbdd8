# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models of frameworks."""

from __future__ import annotations

import contextlib
import json
import logging
import pathlib
import time
import typing

from . import _cache, _calling, _child, _files, _progress
from ._compiled import Model, Runner
from ._origin import Origin
from ._options import Option, to_arguments
from ._table import Table
from .frontends import Request, Source, lower
from .tool import ToolError

logger = logging.getLogger("mlir_prof")

Phases = typing.List[typing.Dict[str, typing.Any]]


def _to_ps(seconds: float) -> int:
    return round(seconds * 1e12)


def lower_model(model: typing.Any, request: Request) -> Source:
    """The Source of a model; its notes go to the log."""
    source = lower(model, request)
    for note in source.notes:
        logger.info("%s", note)
    return source


def _run_compiler(arguments: typing.Sequence[str], output: pathlib.Path,
                  bar: _progress.Bar, phases: Phases) -> None:
    begin = time.perf_counter()
    result = _child.run(["compile", *arguments, "-o", output, "--format=json"], bar)
    document = json.loads(result.output)
    phases += [{"phase": stage["name"], "time_ps": _to_ps(stage["seconds"]),
                "peak_bytes": stage["peak_bytes"]} for stage in document["stages"]]
    rest = time.perf_counter() - begin - sum(
        stage["seconds"] for stage in document["stages"])
    phases.append({"phase": "start and end of the compiler",
                   "time_ps": max(_to_ps(rest), 0)})


def compile_file(origin: Origin, folder: pathlib.Path, bar: _progress.Bar,
                 phases: Phases) -> _files.HeldFile:
    """The compiled file, of the cache if it is there."""
    name = "python-" + _cache.hash_file(
        origin.source.path, *origin.read_key(), _cache.describe_machine())
    found = _cache.find(name)
    if found:
        with contextlib.suppress(FileNotFoundError):
            held = _files.HeldFile(found)
            if held.is_own:
                phases.append({"phase": "found in the cache", "time_ps": 0})
                return held
            logger.warning("%s is not used: others than this user may have written "
                           "it; hint: let MLIR_PROF_CACHE name a folder of your own",
                           found)
    output = folder / "compiled.mprof"
    _run_compiler(origin.name(folder), output, bar, phases)
    _cache.keep(name, output)
    return _files.HeldFile(output)


#: The option by which the tool refuses models that can reach other memory, and its
#: error.
_CONTAINED = "--contained"
_IS_NOT_CONTAINED = "can reach memory or functions"


def compile_contained(origin: Origin, folder: pathlib.Path, bar: _progress.Bar,
                      phases: Phases) -> typing.Tuple[_files.HeldFile, Origin, bool]:
    """The compiled file, its origin, and whether the code reaches nothing but its own
    memory. MLIR of any source may have pointers, and call functions of the process."""
    contained = origin._replace(options=[*origin.options, _CONTAINED])
    try:
        return compile_file(contained, folder, bar, phases), contained, True
    except ToolError as error:
        if _IS_NOT_CONTAINED not in str(error):
            raise
        logger.warning(
            "the model runs in a process of its own: %s; hint: isolate=False if you know "
            "who made it", str(error).partition("\n")[0].removeprefix(
                "mlir-prof: error: "))
    other = folder / "uncontained"
    other.mkdir()
    return compile_file(origin, other, bar, phases), origin, False


def _summarize(phases: Phases) -> Table:
    return Table(phases, weight=("time_ps", sum(
        phase["time_ps"] for phase in phases)))


def recompile(model: Model, decisions: _files.HeldFile,
              progress: _progress.Progress) -> Model:
    """The model with the choices of a decisions file."""
    phases: Phases = []
    origin = model.origin._replace(decisions=decisions)
    with _files.scratch() as folder, _progress.show(progress, "compile") as bar:
        held = compile_file(origin, folder, bar, phases)
    made = Model(held, lambda runner: model.calling, threads=model.threads,
                 isolate=model.is_isolated, framework=model.framework,
                 origin=origin, unsigned=model.unsigned, signs=model.signs,
                 weights=model.weights, timeout=model.timeout)
    made.build = _summarize(phases)
    return made


def list_unsigned(source: Source) -> typing.List[int]:
    """The numbers of results that are unsigned integers: linalg does not tell."""
    return [number for number, value in enumerate(source.results)
            if value.dtype.startswith("uint")]


def list_signs(source: Source) -> str:
    """The same of arguments, as letters; empty if the source does not tell."""
    return "".join("u" if value.dtype.startswith("uint") else
                   "s" if value.dtype.startswith("int") else "-"
                   for value in source.arguments)


def make_calling(source: Source, examples: typing.Tuple[typing.Any, ...],
                 keywords: typing.Dict[str, typing.Any]
                 ) -> typing.Callable[[Runner], _calling.Calling]:
    """The calling form of a source once its signature is known."""
    def make(runner: Runner) -> _calling.Calling:
        if source.framework == "mlir":
            return _calling.FlatCalling([name for name, _, _ in runner.arguments],
                                        len(runner.results))
        return _calling.SourceCalling(source, (examples, keywords),
                                      len(runner.results))
    return make


def compile(model: typing.Any, *examples: typing.Any, threads: int = 1,
            dynamic_shapes: typing.Any = None, pipeline: str = "default",
            isolate: typing.Optional[bool] = None,
            timeout: typing.Optional[float] = None, share_weights: bool = True,
            allow_pickle: bool = False,
            options: typing.Optional[typing.Mapping[str, Option]] = None,
            progress: _progress.Progress = True,
            **keywords: typing.Any) -> Model:
    """Compiles a model to a callable.

    `model` is a torch.nn.Module, a JAX function, an ONNX model or path, MLIR as text
    or file, or another form that a front end takes. `examples` and `keywords` are
    the arguments of an example call: shapes and element types are theirs, except for
    dimensions that `dynamic_shapes` names in the form of the framework's export.

    `threads` is the number of threads of a call. `pipeline` and `options` are those
    of `mlir-prof compile`. With `isolate` each call runs in a process of its own; by
    default only those of MLIR that can reach memory or functions other than the
    model's, and a warning of the logger "mlir_prof" says so. So do those of a model
    with a `timeout`, the seconds that a call may take before it raises TimeoutError.
    Weights that the code reads as they are stay in the framework's memory until they
    change, unless `share_weights` is False; `Model.memory` tells how much that is.
    Pass False if you change a few numbers of a weight through `weight.data` or NumPy,
    of which PyTorch does not tell: calls may compute with them.
    `allow_pickle` lets files run pickled code. `progress` is False for no bar.

    Raises FrontEndError, with the op and its place, for a model that cannot be taken,
    and ToolError if it cannot be compiled. Compiled models are kept in the cache
    folder ($MLIR_PROF_CACHE)."""
    if threads < 1:
        raise ValueError(f"threads is {threads}; it is at least 1")
    if timeout is not None and isolate is False:
        raise ValueError("timeout ends a process; hint: leave out isolate=False")
    phases: Phases = []
    flags = [f"--threads={threads}", f"--pipeline={pipeline}",
             *to_arguments(options or {})]
    with _files.scratch() as folder, _progress.show(progress, "compile") as bar:
        begin = time.perf_counter()
        source = lower_model(model, Request(
            folder=folder, examples=examples, keywords=keywords,
            dynamic_shapes=dynamic_shapes, allow_pickle=allow_pickle))
        phases.append({"phase": "front end",
                       "time_ps": _to_ps(time.perf_counter() - begin)})
        if source.entry:
            flags.append(f"--entry={source.entry}")
        origin = Origin(_files.HeldFile(source.path), flags)
        # Front ends make no op that could.
        if isolate is None and source.framework == "mlir" and timeout is None:
            held, origin, is_contained = compile_contained(origin, folder, bar, phases)
            isolate = not is_contained
        else:
            held = compile_file(origin, folder, bar, phases)
        begin = time.perf_counter()
        made = Model(held, make_calling(source, examples, keywords),
                     threads=threads, isolate=bool(isolate) or timeout is not None,
                     timeout=timeout, framework=source.framework, origin=origin,
                     unsigned=list_unsigned(source), signs=list_signs(source),
                     weights=source.weights if share_weights else ())
        phases.append({"phase": "load",
                       "time_ps": _to_ps(time.perf_counter() - begin)})
    made.build = _summarize(phases)
    return made
