# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program's own scopes, and calls of models that mlir-prof compiled."""

import functools
import importlib.util
import sys

from ._controller import Controller


def wrap_models():
    """Makes each call of a compiled model a scope; returns a function that undoes
    it."""
    compiled = sys.modules.get("mlir_prof._compiled")
    if compiled is None:
        return lambda: None
    import mlir_prof
    original = compiled.Model.__call__

    @functools.wraps(original)
    def call(model, *arguments, **keywords):
        with mlir_prof.scope(repr(model)):
            return original(model, *arguments, **keywords)

    def restore():
        # Another one may have been put around it meanwhile.
        if compiled.Model.__call__ is call:
            compiled.Model.__call__ = original

    compiled.Model.__call__ = call
    return restore


class Recorder(Controller):
    name = "scopes"
    package = "mlir_prof._scopes"
    has_python = True
    files = ["program.scopes"]

    def __init__(self, settings):
        super().__init__(settings)
        self._profiler = self._step = None
        self._restore = lambda: None

    @classmethod
    def is_used(cls):
        return importlib.util.find_spec(cls.package) is not None

    @classmethod
    def is_substitute(cls):
        # Only calls of compiled models are in no other recording.
        return "mlir_prof._model" not in sys.modules

    def start(self, folder):
        import mlir_prof
        # The file is written meanwhile, and survives the process.
        self._profiler = mlir_prof.Profiler(
            host_tracer_level=min(self.settings.host_tracer_level, 255),
            python_tracer_level=min(self.settings.python_tracer_level, 1),
            device_tracer_level=min(self.settings.device_tracer_level, 1),
            path=str(folder / self.files[0]))
        self._profiler.start()
        self._restore = wrap_models()

    def begin_step(self, number):
        import mlir_prof
        self._step = mlir_prof.scope(f"ProfileStep#{number}",
                                     mlir_prof.Type.ProfileStep)
        self._step.begin()

    def end_step(self):
        step, self._step = self._step, None
        if step is not None:
            step.end()

    def stop(self, folder):
        self._restore()
        profiler, self._profiler = self._profiler, None
        profiler.stop()

    def get_version(self):
        from importlib import metadata
        try:
            return metadata.version("mlir-prof")
        except metadata.PackageNotFoundError:  # It runs from a build folder.
            return ""
