# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of graphs."""

from __future__ import annotations

import os
import pathlib
import typing

from . import _files


class Picture:
    """A graph of ops, colored by time, as SVG. Notebooks show it; save() writes
    it."""

    def __init__(self, svg: str) -> None:
        #: The text of the SVG document.
        self.svg = svg

    def save(self, path: typing.Union[str, "os.PathLike[str]"]) -> pathlib.Path:
        """Writes the SVG to a file, which appears whole or not at all."""
        with _files.replacing(path) as new:
            new.write_text(self.svg, encoding="utf-8")
        return pathlib.Path(path)

    def __repr__(self) -> str:
        return f"<Picture: {len(self.svg)} characters of SVG; save(path) writes it>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # Graphs are tall and wide; names in an SVG are escaped by the tool.
        return (f'<div style="overflow:auto;max-height:80vh">{self.svg}</div>')
