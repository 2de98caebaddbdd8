# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch, by torch.profiler."""

import sys

from ._controller import Controller, ControlError


def list_devices(torch):
    """The modules of accelerators that are there, by name: torch.cuda and such."""
    names = ["cuda", "xpu", "mtia", torch._C._get_privateuse1_backend_name()]
    found = {}
    for name in names:
        module = getattr(torch, name, None)
        if module is not None and module.is_available():
            found[name] = module
    return found


class Recorder(Controller):
    name = package = "torch"
    has_python = True
    files = ["torch.json.gz"]

    def __init__(self, settings):
        super().__init__(settings)
        self._profile = self._step = None

    def _list_activities(self, torch):
        activities = torch.profiler.ProfilerActivity
        chosen = [activities.CPU] if self.settings.host_tracer_level else []
        if self.settings.device_tracer_level:
            names = {"cuda": "CUDA", "xpu": "XPU", "mtia": "MTIA"}
            chosen += [getattr(activities, names.get(name, "PrivateUse1"))
                       for name in list_devices(torch)]
        if not chosen:
            raise ControlError("torch has nothing to record: there is no device, "
                               "and host_tracer_level is 0")
        return chosen

    def _make_config(self, torch):
        """Other threads than this one are recorded too, where PyTorch can."""
        try:
            return torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
        except (AttributeError, TypeError):
            self.notes.append("torch: threads that PyTorch does not know are not "
                              "recorded: this version cannot")
            return None

    def start(self, folder):
        import torch
        has_frames = self.settings.python_tracer_level > 0
        self._profile = torch.profiler.profile(
            activities=self._list_activities(torch),
            record_shapes=self.settings.host_tracer_level > 1,
            with_stack=has_frames, with_modules=has_frames,
            experimental_config=self._make_config(torch))
        self._profile.start()

    def begin_step(self, number):
        import torch
        # The name by which PyTorch's own tools know steps.
        self._step = torch.profiler.record_function(f"ProfilerStep#{number}")
        self._step.__enter__()

    def end_step(self):
        step, self._step = self._step, None
        if step is not None:
            step.__exit__(None, None, None)

    def stop(self, folder):
        profile, self._profile = self._profile, None
        profile.stop()
        # Compressed by the ending, and under the final name once it is whole.
        temporary = folder / ".torch.json.gz"
        profile.export_chrome_trace(str(temporary))
        temporary.rename(folder / self.files[0])

    def get_devices(self):
        import torch
        return [f"{name}:{index} {module.get_device_name(index)}"
                for name, module in list_devices(torch).items()
                for index in range(module.device_count())]

    def get_rank(self):
        distributed = sys.modules.get("torch.distributed")
        if (distributed is None or not distributed.is_available() or
                not distributed.is_initialized()):
            return None
        return distributed.get_rank(), distributed.get_world_size()
