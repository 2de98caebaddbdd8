# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX, by jax.profiler."""

import sys

from ._controller import Controller, ControlError


class Recorder(Controller):
    name = package = "jax"
    has_python = True
    files = ["**/*.xplane.pb"]

    def __init__(self, settings):
        super().__init__(settings)
        self._step = None

    @classmethod
    def is_substitute(cls):
        # Other packages import JAX without need, and its profiler starts the back
        # ends, which take the memory of devices.
        bridge = sys.modules.get("jax._src.xla_bridge")
        is_initialized = getattr(bridge, "backends_are_initialized", None)
        return is_initialized is not None and not is_initialized()

    def _make_options(self, jax):
        if not hasattr(jax.profiler, "ProfileOptions"):
            self.notes.append(f"jax {jax.__version__} does not take tracer levels; "
                              "its own are recorded")
            return {}
        options = jax.profiler.ProfileOptions()
        for name in ("host_tracer_level", "python_tracer_level",
                     "device_tracer_level"):
            # Not every version has each of them.
            if hasattr(options, name):
                setattr(options, name, getattr(self.settings, name))
        return dict(profiler_options=options)

    def start(self, folder):
        import jax
        try:
            jax.profiler.start_trace(str(folder), **self._make_options(jax))
        except RuntimeError as error:
            raise ControlError(f"jax: {error}; hint: stop the other recording of "
                               "this process first") from error

    def begin_step(self, number):
        import jax
        self._step = jax.profiler.StepTraceAnnotation("step", step_num=number)
        self._step.__enter__()

    def end_step(self):
        step, self._step = self._step, None
        if step is not None:
            step.__exit__(None, None, None)

    def stop(self, folder):
        import jax
        jax.profiler.stop_trace()

    def get_devices(self):
        import jax
        return [str(device) for device in jax.local_devices()]

    def get_rank(self):
        import jax
        # Asking for the index would start the back ends, after which a program
        # can no longer join a job.
        is_initialized = getattr(jax.distributed, "is_initialized", None)
        if is_initialized is None or not is_initialized():
            return None
        return jax.process_index(), jax.process_count()
