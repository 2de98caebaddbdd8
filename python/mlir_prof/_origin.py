# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module and the options from which a model was compiled."""

from __future__ import annotations

import pathlib
import typing

from ._files import HeldFile


class Origin(typing.NamedTuple):
    """All that the tool needs to compile a model again."""

    source: HeldFile
    #: Options of the tool: the entry, threads, the pipeline and so on.
    options: typing.Sequence[str]
    #: A decisions file of `mlir-prof optimize`, or None.
    decisions: typing.Optional[HeldFile] = None

    def name(self, folder: pathlib.Path) -> typing.List[str]:
        """Arguments for a verb of the tool, with names in a temporary folder."""
        names = folder / "origin"
        names.mkdir()
        arguments = [str(self.source.link(names / "model.mlir")), *self.options]
        if self.decisions:
            path = self.decisions.link(names / "decisions.json")
            arguments.append(f"--decisions={path}")
        return arguments

    def read_key(self) -> typing.List[str]:
        """The options as texts that say all that code depends on."""
        if not self.decisions:
            return list(self.options)
        with open(self.decisions.path, encoding="utf-8") as file:
            return [*self.options, file.read()]
