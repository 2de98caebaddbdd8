# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a model and writes the MLIR to which its profile belongs.

The module itself is a function that chooses the framework, and there is one function
per framework: `jax`, `tensorflow`, `torch`, `onnx`, and `servers` for programs that
have a profiler server. Each writes a folder, completely or not at all, and returns a
`CaptureResult` with the paths. Only the framework in use is imported.
"""

import functools
import logging
import sys
import types

from ._result import CaptureResult, CaptureError, MissingPackage

__all__ = ["CaptureResult", "CaptureError", "MissingPackage", "jax", "onnx",
           "servers", "tensorflow", "torch"]


def _read(capture):
    """The Profile of `capture(folder=)`, of which nothing else is kept."""
    from .. import _files
    from .._profile import Profile
    with _files.scratch() as scratch:
        result = capture(folder=scratch / "capture")
        for note in result.notes:
            logging.getLogger("mlir_prof").warning(note)
        return Profile.make(result.import_profile)


class _Callable(types.ModuleType):
    def __call__(self, model, *arguments, folder=None, **options):
        """Records `model(*arguments)` in its framework, which the model tells: a
        torch.nn.Module, a function of JAX, a tf.function or a model of Keras, an
        ONNX model or its path. `options` are those of the framework's function.

        Addresses "grpc://HOST:PORT" are profiler servers, see `servers`.

        The result is a `CaptureResult`, or without `folder` the `Profile` of the
        recording; then notes are logged.

        Raises TypeError if it is not a model, and CaptureError if it cannot be
        recorded."""
        capture = self._choose(model, arguments, options)
        return _read(capture) if folder is None else capture(folder=folder)

    def _choose(self, model, arguments, options):
        """The framework's function with all arguments but the folder."""
        from ._choice import choose, name_inputs
        name = choose(model, arguments)
        if name == "servers":
            addresses = [model] if isinstance(model, str) else list(model)
            return functools.partial(servers, *addresses, *arguments, **options)
        if name == "onnx":
            return functools.partial(onnx, model, name_inputs(model, arguments),
                                     **options)
        return functools.partial(getattr(self, name), model, *arguments, **options)


sys.modules[__name__].__class__ = _Callable


def jax(function, *arguments, folder, steps=10, warmup=3, overwrite=False,
        host_tracer_level=None, python_tracer_level=None,
        device_tracer_level=None):
    """Records `steps` calls of `function(*arguments)` by JAX's profiler.

    `function` is anything that `jax.jit` accepts, or is already jitted; it
    must not donate its arguments. The tracer levels are those of JAX's profiler,
    by default its own. The MLIR is StableHLO.
    """
    from ._jax import capture
    return capture(function, arguments, folder, steps, warmup, overwrite,
                   dict(host_tracer_level=host_tracer_level,
                        python_tracer_level=python_tracer_level,
                        device_tracer_level=device_tracer_level))


def tensorflow(function, *arguments, folder, steps=10, warmup=3,
               overwrite=False, host_tracer_level=None, python_tracer_level=None,
               device_tracer_level=None):
    """Records `steps` calls of `function(*arguments)` by TensorFlow's profiler.

    `function` is a `tf.function` (with `jit_compile=True` or without), a Keras
    model, or a Python function, which is converted to a `tf.function`. The
    tracer levels are those of TensorFlow's profiler, by default its own. The
    MLIR is the tf dialect.
    """
    from ._tensorflow import capture
    return capture(function, arguments, folder, steps, warmup, overwrite,
                   dict(host_tracer_level=host_tracer_level,
                        python_tracer_level=python_tracer_level,
                        device_tracer_level=device_tracer_level))


def torch(module, *arguments, folder, mode="eager", training=False, weights=True,
          steps=10, warmup=3, overwrite=False):
    """Records `steps` calls of `module(*arguments)` by PyTorch's profiler.

    `mode` selects what runs: the unchanged module ("eager"), the module
    compiled by `torch.compile` ("compile"), or its exported graph node by node
    under annotations ("fx"), which is slower and matches exactly. With
    `training` (not in mode "fx") the module's result is a loss, and each step
    has the backward pass too. `weights` selects whether linalg.mlir contains
    them. The MLIR is the torch dialect, one op per call.
    """
    from ._torch import capture
    return capture(module, arguments, folder, mode, training, weights, steps,
                   warmup, overwrite)


def onnx(model, inputs, folder, optimization="all", threads=0, providers=None,
         weights=True, steps=10, warmup=3, overwrite=False):
    """Records `steps` runs of an ONNX model by ONNX Runtime's profiler.

    `model` is a path or an `onnx.ModelProto`, `inputs` a dictionary of arrays.
    `optimization` is ONNX Runtime's level: "disable", "basic", "extended" or
    "all"; `threads` is the number of threads within an op, 0 for all
    processors; `providers` defaults to the CPU. `weights` selects whether
    linalg.mlir contains them. The MLIR is the torch dialect's form of ONNX,
    one op per node of the given model.
    """
    from ._onnx import capture
    return capture(model, inputs, folder, optimization, threads, providers,
                   weights, steps, warmup, overwrite)


def servers(*addresses, folder, duration=1.0, overwrite=False,
            host_tracer_level=None, python_tracer_level=None,
            device_tracer_level=None):
    """Records programs by their profiler servers, at the same time: those of
    `jax.profiler.start_server` and `tf.profiler.experimental.server.start`.

    `addresses` are of the form "grpc://HOST:PORT"; each is a recording of the
    result. `duration` is in seconds. The result does not have MLIR. Needs grpcio, but
    not a framework.
    """
    from ._servers import capture
    return capture(addresses, folder, duration, overwrite,
                   dict(host_tracer_level=host_tracer_level,
                        python_tracer_level=python_tracer_level,
                        device_tracer_level=device_tracer_level))
