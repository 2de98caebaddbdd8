# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a model and writes the MLIR to which its profile belongs.

One function per framework: `jax`, `tensorflow`, `torch`, `onnx`. Each writes a
folder, completely or not at all, and returns a `CaptureResult` with the paths. Only
the framework in use is imported.
"""

from ._result import CaptureResult, CaptureError, MissingPackage

__all__ = ["CaptureResult", "CaptureError", "MissingPackage", "jax", "onnx",
           "tensorflow", "torch"]


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
