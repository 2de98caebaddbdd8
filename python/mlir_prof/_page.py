# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of profiles: everything about one in a single file of HTML."""

from __future__ import annotations

import os
import pathlib
import typing

from . import _files

_HEIGHT = 640


class Page:
    """All reports, the timeline and the modules of a profile as one file of HTML,
    which asks no network for anything. Notebooks show it in a frame; save() writes
    it for a browser."""

    def __init__(self, html: str) -> None:
        #: The text of the file.
        self.html = html

    def save(self, path: typing.Union[str, "os.PathLike[str]"]) -> pathlib.Path:
        """Writes the HTML to a file, which appears whole or not at all."""
        with _files.replacing(path) as new:
            new.write_text(self.html, encoding="utf-8")
        return pathlib.Path(path)

    def __repr__(self) -> str:
        return f"<Page: {len(self.html)} characters of HTML; save(path) writes it>"

    def _repr_html_(self) -> str:
        # The frame runs the page's own script, and reaches neither the notebook nor its
        # server. JSON is full of double quotes, so that the attribute has single ones.
        text = self.html.replace("&", "&amp;").replace("'", "&#39;")
        return ("<iframe title='mlir-prof' sandbox='allow-scripts' "
                f"style='width:100%;height:{_HEIGHT}px;border:0' srcdoc='{text}'></iframe>")
