# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The file that says what a rank has recorded."""

import json
import os
import pathlib

from ._controller import ControlError

NAME = "capture.json"
SCHEMA = "mlir-prof.capture/1"


def write(folder, record):
    """Writes the file of a rank's folder: readers see the old or the new one."""
    path = pathlib.Path(folder) / NAME
    temporary = path.with_name(f".{NAME}.{os.getpid()}")
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"schema": SCHEMA, **record}, file, indent=1)
        file.write("\n")
        file.flush()
        # A rename may reach the disk before the content does.
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read(path):
    """The record of a rank. Raises ControlError if the file has another form."""
    try:
        record = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ControlError(f"{path} is not JSON: {error}") from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise ControlError(f"{path} is of another form than {SCHEMA}; hint: name "
                           "the folder that mlir_prof.Capture wrote")
    return record


def find_ranks(folder):
    """The files of the ranks of a job in `folder`: a rank's folder, a job's, or
    one of jobs, of which the newest one counts."""
    folder = pathlib.Path(folder)
    if (folder / NAME).is_file():
        return [folder / NAME]
    ranks = sorted(folder.glob(f"rank-*/{NAME}"),
                   key=lambda path: int(path.parent.name.partition("-")[2]))
    if ranks:
        return ranks
    jobs = {path.parents[1] for path in folder.glob(f"*/rank-*/{NAME}")}
    if not jobs:
        raise ControlError(f"{folder} does not have a recording; hint: name the "
                           "folder that mlir_prof.Capture wrote")
    return find_ranks(max(jobs, key=lambda job: max(
        path.stat().st_mtime_ns for path in job.glob(f"rank-*/{NAME}"))))
