# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a TensorFlow model: its trace, its tf dialect, its graphs or HLO."""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.eager import context

from models_tf import MODELS

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "python"))
from mlir_prof.capture import _tensorflow


def run_for_graphs(function, arguments):
    """The graphs before grappler and as executed. TensorFlow gives them away
    only when the function is instantiated, in its first call."""
    context.enable_run_metadata()
    function(*arguments)
    metadata = context.export_run_metadata()
    context.disable_run_metadata()
    return metadata


def write_graphs(metadata, out):
    for index, graphs in enumerate(metadata.function_graphs):
        named = {"pre": graphs.pre_optimization_graph}
        for part, graph in enumerate(graphs.partition_graphs):
            named[f"part{part}"] = graph
        for stage, graph in named.items():
            text = text_format.MessageToString(graph).encode()
            with open(f"{out}/graph.{index}.{stage}.pbtxt.gz", "wb") as file:
                file.write(gzip.compress(text, 9, mtime=0))


def write_tf_dialect(concrete, out):
    with open(f"{out}/model.tf.mlir", "w") as file:
        file.write(_tensorflow.tf_dialect(tf, concrete))
    # The text of the executor form has syntax that only TensorFlow parses, its
    # bytecode has not.
    text = tf.mlir.experimental.convert_function(
        concrete, pass_pipeline="", show_debug_info=True)
    mlir_opt = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if not mlir_opt:
        sys.exit("no mlir-opt of LLVM 22 in PATH")
    with tempfile.NamedTemporaryFile(suffix=".mlirbc") as bytecode:
        tf.mlir.experimental.write_bytecode(bytecode.name, text)
        subprocess.run(
            [mlir_opt, "--allow-unregistered-dialect",
             "--mlir-print-op-generic", "--mlir-print-debuginfo",
             bytecode.name, "-o", f"{out}/model.generic.mlir"], check=True)


def write_xla(function, arguments, out):
    compiler_ir = function.experimental_get_compiler_ir(*arguments)
    with open(f"{out}/hlo.txt", "w") as file:
        file.write(compiler_ir(stage="optimized_hlo"))
    pretty = f"{out}/model.stablehlo.mlir"
    with open(pretty, "w") as file:
        file.write(compiler_ir(stage="stablehlo"))
    subprocess.run([sys.executable, f"{HERE}/record_jax.py", pretty,
                    f"{out}/model.stablehlo.generic.mlir"], check=True)


def record(name, out, log, steps):
    """Writes the recording to `out`, the raw trace to `log`."""
    model = name.split("/")[1].split("-")[0]
    is_xla = name.endswith("-xla")
    options = dict(jit_compile=True) if is_xla else {}
    function, arguments = MODELS[model](options)
    concrete = function.get_concrete_function(*arguments)
    if not is_xla:
        write_graphs(run_for_graphs(function, arguments), out)
    _tensorflow.record(tf, function, arguments, log, steps, warmup=5,
                       name="train")
    write_tf_dialect(concrete, out)
    if is_xla:
        write_xla(function, arguments, out)
    return dict(tensorflow=tf.__version__)
