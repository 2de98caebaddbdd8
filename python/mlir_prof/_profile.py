# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles: where the time of a run went."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
import types
import typing

from . import _files
from ._explanation import Explanation
from ._options import Option
from ._page import Page
from ._picture import Picture
from ._table import Table
from .tool import run

Path = _files.PathLike

# Notebooks keep what they show in their own files.
_NOTEBOOK_MB = 5


class Coverage(typing.NamedTuple):
    """The time of all measured ops by class, in picoseconds."""

    op_time_ps: int
    unique_ps: int
    ambiguous_ps: int
    fused_ps: int
    partial_ps: int
    unmatched_ps: int
    mean_fused_members_ppm: int

    @property
    def share(self) -> float:
        """The part of the time that has an op, from 0 to 1."""
        if not self.op_time_ps:
            return 1.0
        return 1 - self.unmatched_ps / self.op_time_ps


class Profile:
    """A profile, or a recording of any format that `mlir-prof info` lists.

    Nothing is kept in memory: each method runs the tool on the file `path`. All
    methods also take options of the tool's verb as keywords, with underscores for
    dashes (`allow_unmatched=True`), and raise ToolError with its message if it
    fails."""

    def __init__(self, path: Path, **options: Option) -> None:
        """`options` are those for reading and matching: `model` (a path of
        MLIR), `match`, `onnx`, `allow_unmatched` and so on."""
        #: The file.
        self.path = pathlib.Path(path)
        if not self.path.exists():
            raise FileNotFoundError(f"{self.path}: does not exist")
        self._options = options
        self._remove: typing.Optional[typing.Callable[[], typing.Any]] = None

    @classmethod
    def make(cls, write: typing.Callable[[pathlib.Path], typing.Any]) -> Profile:
        """The profile that `write(path)` makes; it is removed with the object."""
        folder = tempfile.mkdtemp(prefix="mlir-prof-")
        try:
            path = pathlib.Path(folder) / "profile.mlprof"
            write(path)
            profile = cls(path)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        profile._remove = _files.remove_with(profile, folder)
        return profile

    def close(self) -> None:
        """Removes a file that the object made; save() keeps a copy."""
        if self._remove:
            self._remove()

    def __enter__(self) -> Profile:
        return self

    def __exit__(self, kind: typing.Optional[typing.Type[BaseException]],
                 error: typing.Optional[BaseException],
                 trace: typing.Optional[types.TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Profile({str(self.path)!r})"

    def _run(self, verb: str, *arguments: typing.Any, **options: Option) -> str:
        return run(verb, *arguments, **{**self._options, **options})

    # --------------------------------------------------------------------------
    # What people look at
    # --------------------------------------------------------------------------

    def report(self, by: typing.Optional[str] = None, *,
               level: typing.Optional[str] = None,
               top: typing.Optional[int] = None,
               page: typing.Optional[int] = None,
               sort: Option = None, filter: Option = None,
               **options: Option) -> Table:
        """Where the time went, by "op", "op-type", "module-path", "source" and
        others (docs/reporting.md lists them with their columns); by default by
        op, or by measured op without a module.

        `level` is the stage of the IR, such as "input", "loops" or "asm". `top`
        and `page` choose rows, `sort` ("-count") and `filter` ("total_ps>2ms", or
        a list of them) are those of the tool."""
        return Table.from_document(json.loads(self._run(
            "report", self.path, format="json", by=by, level=level, top=top,
            page=page, sort=sort, filter=filter, **options)))

    def explain(self, op: typing.Union[int, str], **options: Option) -> Explanation:
        """Why an op has its time, or none. `op` is its index in reports by op, its
        location, or the name of a measured op."""
        text = self._run("report", self.path, explain=op, **options)
        document = self._run("report", self.path, explain=op, format="json",
                             **options)
        return Explanation(text, json.loads(document))

    def graph(self, kind: typing.Optional[str] = None, *,
              level: typing.Optional[str] = None, **options: Option) -> Picture:
        """The ops as a graph colored by time. `kind` is "dataflow" (the default),
        "hlo", "overlap" or "calls" (docs/graph.md)."""
        return Picture(self._run("graph", self.path, format="svg", kind=kind,
                                 level=level, **options))

    def page(self, *, max_size: typing.Optional[int] = None,
             **options: Option) -> Page:
        """Everything as a page of one file, of at most `max_size` megabytes (by
        default 20): the page says what it leaves out. A notebook shows a profile as
        its page, with at most 5 megabytes."""
        return Page(self._run("report", self.path, format="html",
                              max_size=max_size, **options))

    def _repr_html_(self) -> str:
        return self.page(max_size=_NOTEBOOK_MB)._repr_html_()

    def query(self, sql: str, **options: Option) -> Table:
        """The result of a SELECT over the tables of docs/querying.md."""
        return Table.from_document(json.loads(self._run(
            "query", self.path, sql, format="json", **options)))

    def diff(self, after: typing.Union[Profile, Path], **options: Option) -> Table:
        """The ops that are significantly slower or faster in `after` than in this
        profile, one row for each; `document` has the total, the counts and the
        notes."""
        if isinstance(after, Profile):
            options = {"model_b": after._options.get("model"), **options}
        path = after.path if isinstance(after, Profile) else after
        own = dict(self._options)
        if own.get("model") and options.get("model_b"):
            own["model_a"] = own.pop("model")
        document = json.loads(run("diff", self.path, path, format="json",
                                  **{**own, **options}))
        times = {} if document["quantity"] != "ps" else dict.fromkeys(
            ("before", "after", "change", "tested_before", "tested_after",
             "tested_change", "low", "high", "detectable", "base"), "time")
        return Table(document.pop("rows"), kinds=times, document=document)

    def advise(self, **options: Option) -> Table:
        """Suggestions what to change, with the evidence, the largest gain first."""
        document = json.loads(self._run("advise", self.path, format="json",
                                        **options))
        return Table(document.pop("advice"), document=document)

    # --------------------------------------------------------------------------
    # Facts
    # --------------------------------------------------------------------------

    @property
    def coverage(self) -> typing.Optional[Coverage]:
        """How much of the time has an op; None without a module."""
        coverage = self.report(top=1).document["coverage"]
        return coverage and Coverage(**coverage)

    @property
    def losses(self) -> Table:
        """Data that could not be kept or placed: `name`, `count`, `time_ps`."""
        return Table(self.report(top=1).document["losses"])

    @property
    def runs(self) -> Table:
        """The recordings that mlir-prof made: iterations, their median and mean
        time, and samples; empty for those of other producers."""
        return Table(self.report(top=1).document.get("runs", []))

    # --------------------------------------------------------------------------
    # Files
    # --------------------------------------------------------------------------

    def annotate(self, path: typing.Optional[Path] = None, *,
                 level: typing.Optional[str] = None,
                 **options: Option) -> str:
        """The module with the times on its ops, as text, or the path of the file
        if `path` is given. `carrier="location"` survives lowering.

        `level` chooses the stage of the IR of recordings that mlir-prof made;
        others need the option `model`."""
        target = "-" if path is None else path
        own = dict(self._options)
        model = options.pop("model", own.pop("model", None))
        if model is None:
            text = run("annotate", self.path, "-o", target,
                       **{**own, "level": level or "input", **options})
        else:
            text = run("annotate", model, "-o", target,
                       **{**own, "profile": self.path, "level": level, **options})
        return text if path is None else os.fspath(path)

    def export(self, path: Path, format: str, **options: Option) -> pathlib.Path:
        """Writes another tool's format: "perfetto", "chrome-json", "pprof",
        "speedscope", "folded" and others (`mlir-prof info`)."""
        self._run("export", self.path, "-o", path, format=format, **options)
        return pathlib.Path(path)

    def save(self, path: Path) -> pathlib.Path:
        """Copies the file; `mlir_prof.open` reads it."""
        with _files.replacing(path) as new:
            shutil.copyfile(self.path, new)
        return pathlib.Path(path)


def open(path: Path, **options: Option) -> Profile:
    """Opens a profile (*.mlprof) or a recording of JAX, TensorFlow, PyTorch, ONNX
    Runtime, perf and others; the format is found from the content. `options` are
    those for reading: `model="model.mlir"`, `allow_unmatched=True` and so on."""
    return Profile(path, **options)
