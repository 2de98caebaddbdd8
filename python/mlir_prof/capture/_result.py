# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result of a capture, and the creation of its folder."""

import contextlib
import dataclasses
import importlib
import json
import os
import pathlib
import shutil
import tempfile
import typing

#: The file that marks a folder written by a capture.
RECORD = "capture.json"


class CaptureError(RuntimeError):
    """The capture cannot be made; nothing was written."""


class MissingPackage(CaptureError, ImportError):
    """A package that the capture needs is not installed."""


@dataclasses.dataclass(frozen=True)
class CaptureResult:
    """The files that one call wrote into `folder`."""

    folder: pathlib.Path
    #: The recordings; several if several processes or devices write separate
    #: ones.
    profiles: typing.List[pathlib.Path]
    #: The module in a form that stock mlir-opt 22 parses, with
    #: --allow-unregistered-dialect; None if a program was recorded and no model.
    mlir: typing.Optional[pathlib.Path]
    #: The same in linalg, or None; then a note states the reason.
    linalg: typing.Optional[pathlib.Path]
    #: Changes made for the recording, and data missing in it.
    notes: typing.List[str]
    #: Options of mlir-prof that the recording needs besides --model.
    options: typing.List[str]

    def import_profile(self, output):
        """Converts it to the profile `output` (*.mlprof) by mlir-prof."""
        from ..tool import run
        model = [f"--model={self.mlir}"] if self.mlir else []
        run("import", *self.profiles, *model, *self.options, "-o", output)
        return pathlib.Path(output)


def require(name, package=None, call=None):
    """Imports a module, or reports what to install."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] != name.split(".")[0]:
            raise
        package = package or name
        needs = f"mlir_prof.capture.{call or name}"
        raise MissingPackage(
            f"{needs} needs the package {package}, which is not installed; "
            f"hint: pip install {package}") from error


def check_counts(steps, warmup):
    """Steps are measured; the first execution also compiles or loads."""
    if steps < 1:
        raise ValueError(f"steps is {steps}; at least one is needed")
    if warmup < 1:
        raise ValueError(f"warmup is {warmup}; at least one is needed, or else "
                         "compilation is part of what is measured")


def choose_levels(levels):
    """The tracer levels that are chosen, by name."""
    chosen = {name: level for name, level in levels.items() if level is not None}
    for name, level in chosen.items():
        if not isinstance(level, int) or level < 0:
            raise ValueError(f"{name} is {level!r}; it is a number from 0")
    return chosen


class Draft:
    """A folder under construction."""

    def __init__(self, folder):
        self.folder = folder
        self.profiles, self.notes, self.options = [], [], []
        self.mlir = self.linalg = None
        self.info = {}

    def path(self, name):
        return self.folder / name

    def write(self, name, text):
        """Writes a text file; returns its name."""
        self.path(name).write_text(text, encoding="utf-8")
        return name

    def add_profile(self, source, name):
        shutil.move(source, self.path(name))
        self.profiles.append(name)

    def add_option(self, option, name):
        """An option of mlir-prof that names a file of the folder."""
        self.options.append((option, name))

    def finish(self, final):
        """The result, as if the folder already were `final`; and the record."""
        if not self.profiles:
            raise CaptureError("the framework's profiler wrote no file; hint: is "
                               "another profiler running in this process?")
        record = dict(self.info, profiles=self.profiles, mlir=self.mlir,
                      linalg=self.linalg, notes=self.notes,
                      options=[f"{option}={name}"
                               for option, name in self.options])
        self.write(RECORD, json.dumps(record, indent=1) + "\n")
        return CaptureResult(final, [final / name for name in self.profiles],
                             final / self.mlir if self.mlir else None,
                             final / self.linalg if self.linalg else None,
                             list(self.notes),
                             [f"{option}={final / name}"
                              for option, name in self.options])


def check_folder(folder, overwrite):
    """Checks that `folder` may be written, before anything runs."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise CaptureError(f"{folder} is a file; hint: name a new folder")
    if not any(folder.iterdir()):
        return
    if not (folder / RECORD).exists():
        raise CaptureError(f"{folder} holds something else than a capture; hint: "
                           "name a new folder")
    if not overwrite:
        raise CaptureError(f"{folder} holds a capture already; hint: "
                           "overwrite=True, or name a new folder")


@contextlib.contextmanager
def draft(folder, overwrite):
    """Yields a Draft whose `result` the body sets; then, only if nothing was
    raised, the complete draft replaces `folder`."""
    final = pathlib.Path(folder).absolute()
    check_folder(final, overwrite)
    final.parent.mkdir(parents=True, exist_ok=True)
    # Next to the final place, so that a rename suffices.
    hidden = pathlib.Path(tempfile.mkdtemp(prefix=f".{final.name}.",
                                           dir=final.parent))
    try:
        new = hidden / "new"
        new.mkdir()
        made = Draft(new)
        yield made
        made.result = made.finish(final)
        if final.exists():
            final.rename(hidden / "old")
        try:
            new.rename(final)
        except OSError:
            if (hidden / "old").exists():
                (hidden / "old").rename(final)
            raise
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
