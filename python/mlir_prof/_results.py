# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports on recorded scopes."""

from __future__ import annotations

import os
import pathlib
import typing

from ._files import PathLike
from ._options import Option
from ._profile import Profile
from ._types import Event, Row, ScopeTable, Thread
from .tool import run

#: The loss whose count is a ratio.
_SAMPLED = "one event of so many scopes"


class Results:
    """Scopes that were recorded, or are being recorded.

    Subclasses have `sessions`, recordings of the extension, and `recording`, all
    of them in one."""

    sessions: typing.List[typing.Any]
    recording: typing.Any

    @property
    def total_ps(self) -> int:
        """The time that was recorded."""
        return sum(session.elapsed_ps for session in self.sessions)

    @property
    def total(self) -> float:
        """The same in seconds."""
        return self.total_ps / 1e12

    @property
    def losses(self) -> typing.Dict[str, int]:
        """Counts of what could not be kept, by name."""
        counts: typing.Dict[str, int] = {}
        for name, count in self.recording.losses():
            # One of seven in two recordings is still one of seven.
            counts[name] = (max(counts.get(name, 0), count)
                            if name == _SAMPLED else counts.get(name, 0) + count)
        return counts

    def events(self) -> typing.List[Event]:
        """A list of Event, by thread in the order of ends."""
        return [Event(*event) for event in self.recording.events()]

    def threads(self) -> typing.List[Thread]:
        """A list of Thread."""
        return [Thread(*thread) for thread in self.recording.threads()]

    def rows(self, by: str = "name", merge_threads: bool = True,
             separator: str = "") -> typing.List[Row]:
        """A list of Row by "name" or "path"; a parent comes before its children.
        `separator`, such as "/", splits names to a tree."""
        if by not in ("name", "path"):
            raise ValueError(f"rows are by name or by path, not by {by!r}")
        return [Row(*row[:-1], *row[-1]) for row in self.recording.rows(
            by_path=by == "path", merges_threads=merge_threads,
            separator=separator)]

    def get_ns(self) -> typing.Dict[str, int]:
        """Nanoseconds by name: totals of all scopes, those inside included."""
        sums: typing.Dict[str, int] = {}
        for row in self.rows():
            if row.calls:
                sums[row.name] = sums.get(row.name, 0) + row.total_ps
        return {name: round(ps / 1000) for name, ps in sums.items()}

    def get(self) -> typing.Dict[str, float]:
        """Seconds by name."""
        return {name: ns / 1e9 for name, ns in self.get_ns().items()}

    # --------------------------------------------------------------------------
    # Texts
    # --------------------------------------------------------------------------

    def table(self, style: str = "tree", *, sort: typing.Optional[str] = "",
              unit: typing.Optional[str] = "", views: typing.Any = None,
              separates_threads: typing.Optional[bool] = None,
              **options: typing.Any) -> ScopeTable:
        """A table as text: style "tree" (with self time and percentiles), "tvm",
        "paddle-report" or "paddle-summary", with the choices of
        `mlir-prof report --by=scope`. Its `notes` are sentences about it."""
        text, notes = self.recording.table(
            style, sort=sort or "", unit=unit or "", views=views,
            separates_threads=separates_threads, **options)
        if style == "tree":
            text += "".join(f"note: {note}\n" for note in notes)
        return ScopeTable(text, notes)

    def tree(self, separator: str = "", **options: typing.Any) -> ScopeTable:
        """The table of style "tree"; `separator`, such as "/", splits names to a
        tree."""
        return self.table("tree", separator=separator, **options)

    def summary(self, **options: typing.Any) -> ScopeTable:
        """The table of style "paddle-summary"."""
        return self.table("paddle-summary", **options)

    # --------------------------------------------------------------------------
    # Files and the tool
    # --------------------------------------------------------------------------

    @property
    def streams(self) -> typing.List[bytes]:
        """The recordings as bytes, in the order of `recording`: those of this
        process, then those of others."""
        return [session.copy() for session in self.sessions]

    def write(self, folder: PathLike) -> typing.List[pathlib.Path]:
        """Writes `streams`, which `mlir-prof import` reads, as files into a
        folder, which is made if it is missing; returns their paths."""
        os.makedirs(folder, exist_ok=True)
        paths = []
        for index, stream in enumerate(self.streams):
            path = pathlib.Path(folder) / f"{index}.scopes"
            path.write_bytes(stream)
            paths.append(path)
        return paths

    def profile(self, **options: Option) -> Profile:
        """A Profile, made by `mlir-prof import` with `options`; its file is removed
        with the object."""
        def write(path: pathlib.Path) -> None:
            run("import", *self.write(path.parent), "-o", path, keep_events=True,
                **options)
        return Profile.make(write)

    def export(self, path: PathLike, format: str = "chrome-json") -> None:
        """Writes the recording in a format of `mlir-prof export`."""
        with self.profile() as profile:
            profile.export(path, format)

