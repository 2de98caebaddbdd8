# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow: its profiler's XPlane file, and the tf dialect."""

import glob
import pathlib
import tempfile

from ._mlir import add_linalg_of, plain_text
from ._result import check_counts, choose_levels, draft, require


def wait_for(tf, result):
    """A step ends when its results are available."""
    for tensor in tf.nest.flatten(result):
        if hasattr(tensor, "numpy"):
            tensor.numpy()


def record(tf, function, arguments, log, steps, warmup, levels, name="step"):
    """Runs the steps, annotated as `name`; the trace is below `log`."""
    options = (tf.profiler.experimental.ProfilerOptions(**levels) if levels
               else None)
    for _ in range(warmup):
        wait_for(tf, function(*arguments))
    tf.profiler.experimental.start(log, options)
    try:
        for step in range(steps):
            with tf.profiler.experimental.Trace(name, step_num=step, _r=1):
                wait_for(tf, function(*arguments))
    finally:
        tf.profiler.experimental.stop()


def is_compiled(concrete):
    """Whether XLA runs it (jit_compile=True)."""
    return concrete.function_def.attr["_XlaMustCompile"].b


def tf_dialect(tf, concrete):
    """The tf dialect, in the only form that both keeps locations and parses in
    stock mlir-opt: after the standard pipeline, without the executor form."""
    return tf.mlir.experimental.convert_function(
        concrete, pass_pipeline="tf-standard-pipeline", show_debug_info=True)


def lower_to_linalg(tf, function, concrete, arguments):
    """The function that XLA compiles, or would compile, in linalg; its locations are the
    graph's nodes."""
    from ..frontends import _stablehlo, _tensorflow
    module = _tensorflow.stablehlo_of(tf, function, concrete, arguments, {})
    _stablehlo.to_linalg(module, names_are_absolute=True)
    return plain_text(module.operation)


def add_modules(made, tf, function, concrete, arguments):
    made.mlir = made.write("model.mlir", tf_dialect(tf, concrete))
    add_linalg_of(made, lambda: lower_to_linalg(tf, function, concrete, arguments))


def check_levels(made, tf, levels, traces):
    """TensorFlow 2.21 warns about levels in its log, and ignores them."""
    if levels.get("python_tracer_level") and not any(
            b".py:" in pathlib.Path(trace).read_bytes() for trace in traces):
        made.notes.append(f"the profiler of TensorFlow {tf.__version__} did not "
                          "take python_tracer_level: calls of Python functions "
                          "are not recorded")


def capture(function, arguments, folder, steps, warmup, overwrite, levels):
    check_counts(steps, warmup)
    levels = choose_levels(levels)
    tf = require("tensorflow")
    with draft(folder, overwrite) as made, \
            tempfile.TemporaryDirectory() as log:
        if not hasattr(function, "get_concrete_function"):
            function = tf.function(function)
        concrete = function.get_concrete_function(*arguments)
        record(tf, function, arguments, log, steps, warmup, levels)
        traces = sorted(glob.glob(f"{log}/**/*.xplane.pb", recursive=True))
        check_levels(made, tf, levels, traces)
        for index, trace in enumerate(traces):
            made.add_profile(trace, f"profile.{index}.xplane.pb" if index
                             else "profile.xplane.pb")
        add_modules(made, tf, function, concrete, arguments)
        made.info = dict(framework="tensorflow", tensorflow=tf.__version__,
                         steps=steps, jit_compile=is_compiled(concrete),
                         **levels)
    return made.result
