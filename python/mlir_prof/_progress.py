# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress bars for work that takes longer than a second."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
import typing

#: False for none, True for tqdm's if it is installed and the bar would be seen, or a
#: class with tqdm's protocol: `bar = make(total=, desc=, unit=)`, `bar.update(n)`,
#: `bar.set_postfix_str(text)` and `bar.close()`.
Progress = typing.Union[bool, typing.Callable[..., typing.Any]]

_DELAY = 1.0


def _is_seen() -> bool:
    """Whether there is a terminal or a notebook; in a file each step of a bar is text
    of its own."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and
                                          sys.stderr.isatty())


def _find_maker(progress: Progress) -> typing.Optional[typing.Callable[..., typing.Any]]:
    if callable(progress):
        return progress
    if not progress or not _is_seen():
        return None
    try:
        module = importlib.import_module("tqdm.auto")
    except ImportError:
        return None
    return module.tqdm  # type: ignore[no-any-return]


class Bar:
    """A bar of `total` seconds, or without an end, that appears after a second."""

    def __init__(self, progress: Progress, description: str,
                 total: typing.Optional[float] = None) -> None:
        self._progress = progress
        self._description = description
        self._total = total
        self._begin = time.monotonic()
        self._bar: typing.Any = None
        self._shown = 0.0
        self._text = ""

    def tick(self, used: typing.Optional[float] = None) -> None:
        """Shows `used` seconds, by default all that have passed."""
        passed = time.monotonic() - self._begin
        if self._bar is None:
            if passed < _DELAY or not self._progress:
                return
            make = _find_maker(self._progress)
            if make is None:
                self._progress = False
                return
            self._bar = make(total=self._total, desc=self._description, unit="s",
                             bar_format="{desc}: {elapsed}{postfix}"
                             if self._total is None else
                             "{desc}: {percentage:3.0f}%|{bar}| {n:.0f}/{total:.0f} s"
                             "{postfix}")
            self._bar.set_postfix_str(self._text)
        used = passed if used is None else used
        if self._total is not None:
            used = min(used, self._total)
        if used > self._shown:
            self._bar.update(used - self._shown)
            self._shown = used

    def note(self, text: str) -> None:
        """Shows a few words next to the bar."""
        self._text = text
        if self._bar is not None:
            self._bar.set_postfix_str(text)

    def close(self) -> None:
        """Removes or finishes the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextlib.contextmanager
def show(progress: Progress, description: str,
         total: typing.Optional[float] = None) -> typing.Iterator[Bar]:
    """A bar while the body runs."""
    bar = Bar(progress, description, total)
    try:
        yield bar
    finally:
        bar.close()
