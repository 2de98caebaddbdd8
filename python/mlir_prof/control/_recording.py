# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The windows of a capture, and the file that lists them."""

import os
import socket
import sys
import time

from . import _ranks, _record
from ._controller import ControlError


class Recording:
    """Starts and stops controllers, and keeps capture.json."""

    def __init__(self, output, settings):
        self.output = output
        #: The folder of the job, and that of this rank in it, once they are made.
        self.job_folder = self.folder = None
        self.controllers = []
        #: The content of capture.json.
        self.record = {"settings": vars(settings), "frameworks": [], "windows": [],
                       "notes": []}
        #: The entry of the window that is open, or None.
        self.window = None
        #: The folders of the controllers that record.
        self._folders = {}

    def make_folder(self, job, rank, world_size):
        """Makes the folder of this rank, unless it exists already; None is found
        out."""
        if self.folder is not None:
            return
        found = _ranks.find_rank(self.controllers)
        rank = found[0] if rank is None else rank
        size = max(found[1], rank + 1) if world_size is None else world_size
        job = job or _ranks.find_job()
        if job is None and size > 1:
            raise ControlError(
                f"this is rank {rank} of {size}, and the job does not have a name "
                "that all of them know; hint: pass job=, or set MLIR_PROF_JOB")
        self.job_folder = self.output / (job or _ranks.make_job())
        folder = self.job_folder / f"rank-{rank}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise ControlError(
                f"{folder} exists already; hint: pass another job=, or another "
                "output=") from None
        self.folder = folder
        self.record.update(
            job=self.job_folder.name, rank=rank, world_size=size,
            host=socket.gethostname(), pid=os.getpid(),
            program=os.path.basename(sys.argv[0] if sys.argv else ""),
            begin_ns=time.time_ns())

    def write(self, state):
        """Writes capture.json."""
        self.record["state"] = state
        self.record["end_ns"] = time.time_ns()
        _record.write(self.folder, self.record)

    def begin_step(self, number):
        for controller in self.controllers:
            controller.begin_step(number)

    def end_step(self, number=None):
        """Ends the step in all recordings. Without `number` it is not whole."""
        for controller in self.controllers:
            controller.end_step()
        if number is not None:
            self.window["steps"].append(number)

    # --------------------------------------------------------------------------
    # Windows
    # --------------------------------------------------------------------------

    def open_window(self):
        """Starts all controllers. If one cannot start, none runs."""
        windows = self.record["windows"]
        window = {"index": len(windows), "state": "recording",
                  "begin_ns": time.time_ns(), "end_ns": None, "steps": [],
                  "frameworks": [controller.name for controller in
                                 self.controllers], "files": []}
        try:
            for controller in self.controllers:
                if controller not in self._folders:
                    self._start(controller, window)
        except BaseException:
            self._stop(self.controllers, window)
            raise
        windows.append(window)
        self.window = window

    def _start(self, controller, window):
        folder = self.folder / f"window-{window['index']}" / controller.name
        folder.mkdir(parents=True, exist_ok=True)
        controller.start(folder)
        self._folders[controller] = folder

    def _stop(self, controllers, window):
        """Stops controllers that record; returns what went wrong."""
        errors = []
        for controller in reversed(controllers):
            folder = self._folders.pop(controller, None)
            if folder is None:
                continue
            try:
                controller.stop(folder)
            except Exception as error:  # the others' data must not be lost
                errors.append(f"{controller.name}: {error}")
            window["files"] += [
                {"framework": controller.name,
                 "path": str(path.relative_to(self.folder))}
                for path in controller.find_files(folder)]
        return errors

    def close_window(self, is_last):
        """Stops the controllers, or if it is not the last window those that can
        write several. Raises ControlError if one cannot be stopped."""
        window, self.window = self.window, None
        errors = self._stop(
            [controller for controller in self.controllers
             if is_last or controller.has_windows], window)
        window["end_ns"] = time.time_ns()
        window["state"] = "failed" if errors else "complete"
        self.record["notes"] += errors
        self._describe()
        if errors:
            raise ControlError("a recorder cannot be stopped: " +
                               "; ".join(errors))

    def _describe(self):
        """Versions, devices and notes of the controllers."""
        frameworks = {framework["name"]: framework for framework in
                      self.record["frameworks"]}
        for controller in self.controllers:
            frameworks[controller.name] = {
                "name": controller.name, "version": controller.get_version(),
                "devices": controller.get_devices()}
            while controller.notes:
                note = controller.notes.pop(0)
                if note not in self.record["notes"]:
                    self.record["notes"].append(note)
        self.record["frameworks"] = list(frameworks.values())
