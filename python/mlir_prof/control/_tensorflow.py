# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow, by tf.profiler.experimental."""

from ._controller import Controller, ControlError


class Recorder(Controller):
    name = package = "tensorflow"
    has_python = True
    files = ["**/*.xplane.pb"]

    def __init__(self, settings):
        super().__init__(settings)
        self._step = None

    def start(self, folder):
        import tensorflow as tf
        profiler = tf.profiler.experimental
        options = profiler.ProfilerOptions(
            host_tracer_level=self.settings.host_tracer_level,
            python_tracer_level=self.settings.python_tracer_level,
            device_tracer_level=self.settings.device_tracer_level)
        try:
            profiler.start(str(folder), options)
        except tf.errors.AlreadyExistsError as error:
            raise ControlError(f"tensorflow: {error.message}; hint: stop the other "
                               "recording of this process first") from error

    def begin_step(self, number):
        import tensorflow as tf
        self._step = tf.profiler.experimental.Trace("step", step_num=number, _r=1)
        self._step.__enter__()

    def end_step(self):
        step, self._step = self._step, None
        if step is not None:
            step.__exit__(None, None, None)

    def stop(self, folder):
        import tensorflow as tf
        tf.profiler.experimental.stop()

    def get_devices(self):
        import tensorflow as tf
        return [device.name for device in tf.config.list_logical_devices()]
