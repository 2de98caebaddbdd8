#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of JAX in a slow and a fast form:

  steps.py prepare|input|dispatch|compile|several|seldom|first|image
           slow|fast [FOLDER]

prepare and input wait 8 ms for each input, which the fast form does during the
previous step; input records that in the trace. dispatch runs small ops one by
one, or as one program. The others have other shapes in some steps, or pad them:
compile in each step, several of three programs that take very different times
to compile, seldom of a large one in three steps and of a small one in each,
first in four of twelve steps, image of a convolution. Prints seconds per step,
or writes the trace into FOLDER.
"""

import sys
import time
from contextlib import nullcontext

import jax
import jax.numpy as jnp
import numpy as np
from jax.profiler import StepTraceAnnotation, TraceAnnotation

WEIGHTS = jnp.asarray(np.random.default_rng(0).standard_normal((512, 512)), jnp.float32) / 22
INPUT = np.ones((512, 512), np.float32)


@jax.jit
def compute(x):
    for _ in range(6):
        x = jnp.tanh(x @ WEIGHTS)
    return x.sum()


def small(x):
    for _ in range(20):
        x = jnp.tanh(x @ WEIGHTS[:32, :32]) + x
    return x


def step(number):
    return StepTraceAnnotation("train", step_num=number)


def read(case):
    with TraceAnnotation("DataLoader.next") if case == "input" else nullcontext():
        time.sleep(0.008)
    return INPUT


def run_reading(case, form):
    steps = 30
    x = read(case)
    for number in range(steps):
        with step(number):
            if form == "slow":
                compute(read(case)).block_until_ready()
            else:
                y = compute(x)
                x = read(case)
                y.block_until_ready()
    return steps


def run_dispatch(_, form):
    steps, run = 40, small if form == "slow" else jax.jit(small)
    x = jnp.ones((4, 32))
    run(x).block_until_ready()
    begin = time.perf_counter()
    for number in range(steps):
        with step(number):
            run(x).block_until_ready()
    return steps, time.perf_counter() - begin


def product(x):
    return jnp.tanh(x @ WEIGHTS[:64]).sum()


def deep(x):
    for factor in range(60):
        x = jnp.tanh(x @ WEIGHTS[:64, :64]) * factor + jnp.sin(x)
    return x.sum()


def middle(x):
    for _ in range(8):
        x = jnp.tanh(x @ WEIGHTS[:64, :64])
    return x.sum()


def twice(x):
    return (x * 2).sum()


def image(x):
    y = jax.lax.conv_general_dilated(
        x.reshape(1, -1, 64, 1), jnp.ones((3, 3, 1, 8)), (1, 1), "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.lax.scan(lambda sum, row: (sum * 0.9 + row.sum(), None), 0., y[0])[0]


EACH = range(8, 104, 8)
# Functions, and the rows that each has in the twelve steps.
COMPILED = {
    "compile": [(product, EACH)],
    "several": [(deep, EACH), (middle, EACH), (twice, EACH)],
    "seldom": [(deep, [8] * 4 + [16] * 4 + [24] * 4), (twice, EACH)],
    "first": [(middle, [8, 16, 24, 32] * 3)],
    "image": [(image, EACH)],
}


def run_compile(case, form):
    functions = [(jax.jit(function), rows) for function, rows in COMPILED[case]]
    for number in range(len(EACH)):
        with step(number):
            for function, rows in functions:
                here = rows[number]
                x = np.zeros((here if form == "slow" else max(rows), 64), np.float32)
                x[:here] = 1
                function(x).block_until_ready()
    return len(EACH)


def main():
    case, form, *folder = sys.argv[1:]
    run = run_dispatch if case == "dispatch" else run_reading
    run = run_compile if case in COMPILED else run
    compute(INPUT).block_until_ready()
    small(jnp.ones((4, 32))).block_until_ready()
    if folder:
        jax.profiler.start_trace(folder[0])
    begin = time.perf_counter()
    steps = run(case, form)
    seconds = time.perf_counter() - begin
    if isinstance(steps, tuple):
        steps, seconds = steps
    if folder:
        jax.profiler.stop_trace()
    else:
        print(seconds / steps)


if __name__ == "__main__":
    main()
