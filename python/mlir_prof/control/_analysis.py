# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a profile of what the ranks of a job recorded."""

import functools
import pathlib

from . import _record
from ._controller import CONTROLLERS, ControlError, load
from .._profile import Profile
from ..tool import ToolError, run

#: The profile in the folder of the job.
PROFILE = "capture.mlprof"


class Analysis(Profile):
    """The profile of a job, with tables that are made when they are first read."""

    def __init__(self, path, ranks, notes):
        super().__init__(path)
        #: The content of capture.json of each rank.
        self.ranks = ranks
        #: Sentences about what is missing.
        self.notes = notes

    @functools.cached_property
    def op_type(self):
        """Time and calls of each type of op."""
        return self.report("op-type")

    @functools.cached_property
    def op_detail(self):
        """Time and calls of each op, with its type, place and statistics."""
        return self.report("op-detail")

    @functools.cached_property
    def step_trace(self):
        """The phases of each step: interval, forward, backward and tail. A step
        that stop() cut off is left out."""
        last = _find_last_step(self.ranks)
        return self.report("step-trace",
                           filter=None if last is None else f"step<={last}")

    @functools.cached_property
    def advice(self):
        """Changes that may save time, the largest first."""
        return self.advise()


def _find_last_step(ranks):
    """The last step that a call of step() ended, or None if the program does not
    mark steps, or a framework numbers them by itself."""
    names = {framework["name"] for record in ranks
             for framework in record["frameworks"]}
    if not all(name in CONTROLLERS and load(name).takes_numbers
               for name in names):
        return None
    return max((step for record in ranks for window in record["windows"]
                for step in window["steps"]), default=None)


def _list_left(folder, window):
    """The files of a window that was recorded when the process was killed."""
    place = folder / f"window-{window['index']}"
    for name in window["frameworks"]:
        # Controllers of the program's own are not known here.
        kind = load(name) if name in CONTROLLERS else None
        if kind is not None:
            yield from kind.find_files(place / name)


def _is_readable(path):
    """Whether the tool reads a file, which was perhaps not finished."""
    import tempfile
    with tempfile.TemporaryDirectory() as scratch:
        try:
            run("import", path, "-o", pathlib.Path(scratch) / "try.mlprof")
        except ToolError:
            return False
    return True


def _list_files(path, record, notes):
    """The files of a rank; says in `notes` what was lost."""
    folder = path.parent
    for window in record["windows"]:
        files = [folder / file["path"] for file in window["files"]]
        if window["state"] != "recording":
            yield from files
            continue
        left = [file for file in _list_left(folder, window)
                if _is_readable(file)]
        lost = set(window["frameworks"]) - {
            file.relative_to(folder).parts[1] for file in left}
        if lost:
            notes.append(
                f"rank {record['rank']}: the process ended while it recorded: the "
                f"last steps of {', '.join(sorted(lost))} are lost, from step "
                f"{_get_last(record) + 1} on")
        yield from left


def _get_last(record):
    """The last step that is in files."""
    return max((step for window in record["windows"]
                if window["state"] != "recording" for step in window["steps"]),
               default=-1)


def _check_ranks(ranks, notes):
    """Every rank of the job should be there."""
    size = max(record["world_size"] for record in ranks)
    missing = sorted(set(range(size)) - {record["rank"] for record in ranks})
    if missing:
        notes.append(f"{len(missing)} of {size} ranks are missing: "
                     + ", ".join(map(str, missing)))
    for record in ranks:
        notes += [f"rank {record['rank']}: {note}" for note in record["notes"]]
        if record.get("error"):
            notes.append(f"rank {record['rank']}: the process ended with "
                         f"{record['error']}")


def analyze(folder, *, output=None, model=None, options=()):
    """Makes one profile of all ranks of the job in `folder`, which is the folder of
    the job, of one rank of it, or of several jobs, of which the newest one counts.

    output: the profile, by default capture.mlprof in the folder.
    model: the MLIR module that ran, for which ops are then matched.
    options: further options of `mlir-prof import`.

    Returns an Analysis. Raises ControlError if there is nothing to read, and
    ToolError with the tool's message if it cannot read it."""
    paths = _record.find_ranks(folder)
    ranks = [_record.read(path) for path in paths]
    notes = []
    _check_ranks(ranks, notes)
    files = [file for path, record in zip(paths, ranks)
             for file in _list_files(path, record, notes)]
    if not files:
        raise ControlError(
            f"{pathlib.Path(folder)}: nothing was recorded"
            + "".join(f"; {note}" for note in notes)
            + "; hint: call stop() or choose fewer rotate_steps")
    place = paths[0].parent if len(paths) == 1 and pathlib.Path(
        folder) == paths[0].parent else paths[0].parents[1]
    output = pathlib.Path(output or place / PROFILE)
    arguments = ["--keep-events", *options]
    if model is not None:
        arguments.append(f"--model={model}")
    if len({record["host"] for record in ranks}) > 1:
        arguments.append("--mix-machines")
    run("import", *files, *arguments, "-o", output)
    return Analysis(output, ranks, notes)
