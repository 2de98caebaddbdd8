# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The answer to why an op has its time."""

from __future__ import annotations

import html
import typing


class Explanation:
    """Why an op has its time, or why it does not have any. `print` shows it;
    `document` is the same as data (mlir-prof.explain)."""

    def __init__(self, text: str, document: typing.Mapping[str, typing.Any]) -> None:
        self.text = text
        self.document = document

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"
