# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records JAX on a GPU: for each NAME = MODEL[-VARIANT] a folder OUT/NAME with the
XPlane, its trace events, StableHLO and HLO.

  level0   ProfileOptions.device_tracer_level = 0: no events of the device
  level1   the same with 1, which is the default
  kernels  XLA without command buffers: a launch for each kernel
  copies   arguments from the host and results to it in each step

Usage: record_jax.py OUT STEPS NAME...
"""

import glob
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."),
                os.path.join(HERE, "..", "..", "..", "python")]

import jax
import jaxlib
import jax.numpy as jnp
import numpy as np

import models_jax
from each import record_each, write_info
from mlir_prof.capture import _mlir


def make(model):
    if model != "bf16":
        return models_jax.MODELS[model]()
    function, (params, x) = models_jax.enc()
    cast = lambda value: value.astype(jnp.bfloat16)
    return function, (jax.tree.map(cast, params), cast(x))


def get_options(variant):
    if variant not in ("level0", "level1"):
        return {}
    options = jax.profiler.ProfileOptions()
    options.device_tracer_level = int(variant[-1])
    return dict(profiler_options=options)


def record(name, out, steps):
    model, _, variant = name.partition("-")
    function, arguments = make(model)
    options = {}
    if variant == "kernels":
        options["xla_gpu_enable_command_buffer"] = ""
    lowered = jax.jit(function).lower(*arguments)
    compiled = lowered.compile(compiler_options=options)
    host = jax.tree.map(np.asarray, arguments)

    def step():
        if variant != "copies":
            jax.block_until_ready(compiled(*arguments))
            return
        moved = jax.tree.map(jax.device_put, host)
        jax.tree.map(np.asarray, compiled(*moved))

    for _ in range(5):
        step()
    log = tempfile.mkdtemp()
    with jax.profiler.trace(log, **get_options(variant)):
        for i in range(steps):
            with jax.profiler.StepTraceAnnotation("train", step_num=i):
                step()
    for pattern, target in (("xplane.pb", "xplane.pb"),
                            ("trace.json.gz", "trace.json.gz")):
        for path in glob.glob(f"{log}/**/*.{pattern}", recursive=True):
            shutil.copy(path, f"{out}/{target}")
    with open(f"{out}/model.mlir", "w") as file:
        file.write(lowered.as_text(debug_info=True))
    with open(f"{out}/model.generic.mlir", "w") as file:
        file.write(_mlir.generic_text(
            lowered.compiler_ir("stablehlo").operation))
    with open(f"{out}/hlo.txt", "w") as file:
        file.write(compiled.as_text())
    device = jax.devices()[0]
    info = dict(name=f"gpu/{name}", steps=steps, jax=jax.__version__,
                jaxlib=jaxlib.__version__, gpu=device.device_kind,
                compiler_options=options)
    write_info(out, info)


def main():
    out, steps, *names = sys.argv[1:]
    return record_each(names, out, "xplane.pb",
                       lambda name, folder: record(name, folder, int(steps)))


if __name__ == "__main__":
    sys.exit(main())
