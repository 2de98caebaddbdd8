# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a JAX model: its trace, its StableHLO and its HLO."""

import contextlib
import os
import sys

import jax
import jaxlib

from models_jax import MODELS, ODD_ANNOTATIONS

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "python"))
from mlir_prof.capture import _jax, _mlir


def record(name, out, log, steps):
    """Writes the recording to `out`, the raw trace to `log`."""
    model = name.split("/")[1].split("-")[0]
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
        file.write(_mlir.generic_text(module))
    with open(f"{out}/hlo.txt", "w") as file:
        file.write(compiled.as_text())
    linalg = _jax.lower_to_linalg(lowered)
    if not _mlir.find_foreign(linalg):
        with open(f"{out}/linalg.mlir", "w") as file:
            file.write(linalg)
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
