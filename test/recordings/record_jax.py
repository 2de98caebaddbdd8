# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a JAX model: its trace, its StableHLO and its HLO."""

import contextlib
import os
import shutil
import subprocess
import sys

import jax
import jaxlib

from models_jax import MODELS, ODD_ANNOTATIONS


def lower_to_linalg(source, target):
    """Lowers StableHLO by torch-mlir-opt where that is installed.

    Its wheel is the only packaged program that has the pass. What keeps ops
    that stock mlir-opt cannot parse is not kept.
    """
    tool = os.environ.get("TORCH_MLIR_OPT") or shutil.which("torch-mlir-opt")
    if not tool:
        return
    result = subprocess.run(
        [tool, source, "--stablehlo-legalize-to-linalg",
         "--mlir-print-debuginfo"], capture_output=True, text=True)
    foreign = ("stablehlo.", "chlo.", "sdy.")
    if result.returncode or any(name in result.stdout for name in foreign):
        return
    with open(target, "w") as file:
        file.write(result.stdout)


def record(name, out, log, steps):
    """Writes the recording to `out`, the raw trace to `log`."""
    model = name.split("-")[1]
    function, arguments = MODELS[model]()
    lowered = jax.jit(function).lower(*arguments)
    compiled = lowered.compile()
    for _ in range(5):
        jax.block_until_ready(compiled(*arguments))
    odd = ODD_ANNOTATIONS if model == "names" else []
    with jax.profiler.trace(log):
        for i in range(steps):
            with contextlib.ExitStack() as stack:
                for annotation in odd:
                    stack.enter_context(
                        jax.profiler.TraceAnnotation(annotation))
                stack.enter_context(
                    jax.profiler.StepTraceAnnotation("train", step_num=i))
                jax.block_until_ready(compiled(*arguments))

    with open(f"{out}/model.mlir", "w") as file:
        file.write(lowered.as_text(debug_info=True))
    module = lowered.compiler_ir("stablehlo").operation
    with open(f"{out}/model.generic.mlir", "w") as file:
        file.write(module.get_asm(enable_debug_info=True,
                                  print_generic_op_form=True))
    with open(f"{out}/hlo.txt", "w") as file:
        file.write(compiled.as_text())
    lower_to_linalg(f"{out}/model.mlir", f"{out}/linalg.mlir")
    return dict(jax=jax.__version__, jaxlib=jaxlib.__version__)


def make_generic(source, target):
    """Reprints pretty StableHLO in the form that stock mlir-opt parses."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    with open(source) as file:
        module = ir.Module.parse(file.read(), mlir.make_ir_context())
    with open(target, "w") as file:
        file.write(module.operation.get_asm(enable_debug_info=True,
                                            print_generic_op_form=True))


if __name__ == "__main__":
    # TensorFlow and JAX do not share a process: record_tf.py calls this.
    make_generic(*sys.argv[1:])
