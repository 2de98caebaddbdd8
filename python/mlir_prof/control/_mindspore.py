# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MindSpore, by mindspore.Profiler."""

import sys

from ._controller import Controller


class Recorder(Controller):
    name = package = "mindspore"
    takes_numbers = False
    #: Its own tables, and not the raw data of devices.
    files = ["**/ASCEND_PROFILER_OUTPUT", "**/kernel_details.csv",
             "**/op_statistic.csv", "**/aicore_intermediate_*_detail.csv",
             "**/aicpu_intermediate_*.csv", "**/trace_view.json",
             "**/ascend_timeline_display_*.json"]

    def __init__(self, settings):
        super().__init__(settings)
        self._profiler = None

    def _make_level(self, mindspore):
        """MindSpore's levels 0 to 2, where the version has them."""
        levels = getattr(getattr(mindspore, "profiler", None), "ProfilerLevel",
                         None)
        number = min(self.settings.device_tracer_level, 2)
        level = getattr(levels, f"Level{number}", None)
        return {} if level is None else dict(profiler_level=level)

    def start(self, folder):
        import mindspore
        self._profiler = mindspore.Profiler(
            output_path=str(folder), start_profile=False,
            **self._make_level(mindspore))
        self._profiler.start()
        note = "MindSpore does not mark steps on a CPU: there is no step trace"
        if mindspore.get_context("device_target") == "CPU" and (
                note not in self.notes):
            self.notes.append(note)

    def stop(self, folder):
        profiler, self._profiler = self._profiler, None
        profiler.stop()
        # Makes the tables of what the device wrote.
        profiler.analyse()

    def get_devices(self):
        import mindspore
        target = mindspore.get_context("device_target")
        return [f"{target}:{mindspore.get_context('device_id')}"]

    def get_rank(self):
        communication = sys.modules.get("mindspore.communication")
        if communication is None:
            return None
        try:
            return communication.get_rank(), communication.get_group_size()
        except RuntimeError:  # The communication was not initialized.
            return None

    @classmethod
    def find_files(cls, folder):
        found = super().find_files(folder)
        # A folder is read as a whole.
        return [path for path in found
                if not any(other in path.parents for other in found)]
