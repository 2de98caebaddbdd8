# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Paddle, by paddle.profiler."""

import sys

from ._controller import Controller


class Recorder(Controller):
    name = package = "paddle"
    files = ["paddle.json"]

    def __init__(self, settings):
        super().__init__(settings)
        self._profiler = None
        self._is_started = False

    def _list_targets(self, profiler):
        """Only those that this build has: Paddle warns about others."""
        wanted = [profiler.ProfilerTarget.CPU] if (
            self.settings.host_tracer_level) else []
        if self.settings.device_tracer_level:
            wanted += [target for target in profiler.ProfilerTarget
                       if target != profiler.ProfilerTarget.CPU]
        supported = profiler.profiler._get_supported_targets()
        return [target for target in wanted if target in supported]

    def start(self, folder):
        import paddle
        self._profiler = paddle.profiler.Profiler(
            targets=self._list_targets(paddle.profiler),
            record_shapes=self.settings.host_tracer_level > 1,
            # Its own handler would make a folder at once.
            on_trace_ready=lambda profiler: None)
        self._is_started = False

    def begin_step(self, number):
        # Paddle marks steps itself, from the start on.
        if self._is_started:
            self._profiler.step()
            return
        self._profiler.step_num = number
        self._profiler.start()
        self._is_started = True

    def stop(self, folder):
        # A second Profiler must not meet the first one.
        profiler, self._profiler = self._profiler, None
        if not self._is_started:
            return
        profiler.stop()
        temporary = folder / ".paddle.json"
        profiler.export(str(temporary), format="json")
        temporary.rename(folder / self.files[0])

    def get_devices(self):
        import paddle
        return [str(name) for name in paddle.device.get_available_device()]

    def get_rank(self):
        distributed = sys.modules.get("paddle.distributed")
        if distributed is None or not distributed.is_initialized():
            return None
        return distributed.get_rank(), distributed.get_world_size()
