#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles ten steps of a transformer block in JAX.

Writes the two files that mlir-prof needs, model.mlir and trace.xplane.pb, into
the folder given (default: the current one).
"""

import glob
import os
import shutil
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy

BATCH, LENGTH, WIDTH, HEADS, HIDDEN = 2, 64, 128, 4, 512

# Locations then say record.py:17, wherever this file is.
jax.config.update("jax_hlo_source_file_canonicalization_regex",
                  os.path.dirname(os.path.abspath(__file__)) + "/")


def layer_norm(x, scale):
    with jax.named_scope("layer_norm"):
        x = x - x.mean(-1, keepdims=True)
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale


def attention(params, x):
    def split(y):
        y = y.reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS)
        return y.transpose(0, 2, 1, 3)

    with jax.named_scope("attention"):
        query = split(x @ params["query"])
        key = split(x @ params["key"])
        value = split(x @ params["value"])
        scores = jnp.einsum("bhqd,bhkd->bhqk", query, key)
        weights = jax.nn.softmax(scores * (WIDTH // HEADS) ** -0.5)
        mixed = jnp.einsum("bhqk,bhkd->bhqd", weights, value)
        mixed = mixed.transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, WIDTH)
        return mixed @ params["output"]


def feed_forward(params, x):
    with jax.named_scope("feed_forward"):
        return jax.nn.gelu(x @ params["up"]) @ params["down"]


def block(params, x):
    x = x + attention(params, layer_norm(x, params["scale1"]))
    return x + feed_forward(params, layer_norm(x, params["scale2"]))


def make_arguments():
    shapes = dict(query=(WIDTH, WIDTH), key=(WIDTH, WIDTH),
                  value=(WIDTH, WIDTH), output=(WIDTH, WIDTH),
                  up=(WIDTH, HIDDEN), down=(HIDDEN, WIDTH),
                  scale1=(WIDTH,), scale2=(WIDTH,))
    # Created by numpy: arrays computed by JAX would appear in the profile.
    random = numpy.random.default_rng(0)

    def normal(shape):
        return random.standard_normal(shape).astype("float32")

    params = {name: 0.05 * normal(shape) for name, shape in shapes.items()}
    return jax.device_put((params, normal((BATCH, LENGTH, WIDTH))))


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "."
    arguments = make_arguments()
    lowered = jax.jit(block).lower(*arguments)

    # The module, in the form that every MLIR tool can read.
    module = lowered.compiler_ir("stablehlo").operation
    with open(f"{out}/model.mlir", "w") as file:
        file.write(module.get_asm(enable_debug_info=True,
                                  print_generic_op_form=True))

    # The profile, after some runs to warm up.
    compiled = lowered.compile()
    for _ in range(5):
        jax.block_until_ready(compiled(*arguments))
    with tempfile.TemporaryDirectory() as log:
        with jax.profiler.trace(log):
            for step in range(10):
                with jax.profiler.StepTraceAnnotation("train", step_num=step):
                    jax.block_until_ready(compiled(*arguments))
        trace, = glob.glob(f"{log}/**/*.xplane.pb", recursive=True)
        shutil.copy(trace, f"{out}/trace.xplane.pb")


if __name__ == "__main__":
    main()
