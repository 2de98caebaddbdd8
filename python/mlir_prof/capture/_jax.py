# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX: its profiler's XPlane file, and StableHLO."""

import glob
import io
import tempfile

from ._mlir import add_linalg_of, generic_text, plain_text
from ._result import (CaptureError, check_counts, choose_levels, draft,
                      require)


def lower(jitted, arguments):
    """The function as lowered by JAX; raises if a step would donate its
    arguments."""
    import jax
    lowered = jitted.lower(*arguments)
    if any(info.donated for info in jax.tree.leaves(lowered.args_info)):
        raise CaptureError("the function donates arguments, which the next step "
                           "needs; hint: give it without donate_argnums")
    return lowered


def make_options(levels):
    """Arguments of JAX's profiler."""
    if not levels:
        return {}
    import jax
    if not hasattr(jax.profiler, "ProfileOptions"):
        raise CaptureError(f"jax {jax.__version__} does not take tracer levels; "
                           "hint: pip install --upgrade jax")
    options = jax.profiler.ProfileOptions()
    for name, level in levels.items():
        if not hasattr(options, name):
            raise CaptureError(f"the profiler of jax {jax.__version__} does not "
                               f"take {name}; hint: leave it out")
        setattr(options, name, level)
    return dict(profiler_options=options)


def record(jitted, arguments, log, steps, warmup, levels):
    """Runs the steps; the trace is below `log`."""
    import jax
    options = make_options(levels)
    for _ in range(warmup):
        jax.block_until_ready(jitted(*arguments))
    with jax.profiler.trace(log, **options):
        for step in range(steps):
            with jax.profiler.StepTraceAnnotation("step", step_num=step):
                jax.block_until_ready(jitted(*arguments))


def lower_to_linalg(lowered):
    """The module in linalg."""
    from ..frontends import _stablehlo
    code = io.BytesIO()
    lowered.compiler_ir("stablehlo").operation.write_bytecode(code)
    module = _stablehlo.parse(code.getvalue())
    _stablehlo.to_linalg(module)
    return plain_text(module.operation)


def add_modules(made, lowered):
    module = lowered.compiler_ir("stablehlo").operation
    made.mlir = made.write("model.mlir", generic_text(module))
    add_linalg_of(made, lambda: lower_to_linalg(lowered))


def capture(function, arguments, folder, steps, warmup, overwrite, levels):
    check_counts(steps, warmup)
    levels = choose_levels(levels)
    jax = require("jax")
    with draft(folder, overwrite) as made, \
            tempfile.TemporaryDirectory() as log:
        jitted = function if hasattr(function, "lower") else jax.jit(function)
        lowered = lower(jitted, arguments)
        record(jitted, arguments, log, steps, warmup, levels)
        traces = sorted(glob.glob(f"{log}/**/*.xplane.pb", recursive=True))
        for index, trace in enumerate(traces):
            made.add_profile(trace, f"profile.{index}.xplane.pb" if index
                             else "profile.xplane.pb")
        add_modules(made, lowered)
        made.info = dict(framework="jax", jax=jax.__version__, steps=steps,
                         platform=jax.default_backend(), **levels)
    return made.result
