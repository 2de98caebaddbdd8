#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of JAX in a slow and a fast form:

  steps.py prepare|input|dispatch|compile slow|fast [FOLDER]

prepare and input wait 8 ms for each input, which the fast form does during the
previous step; input records that in the trace. dispatch runs small ops one by
one, or as one program. compile has another shape in each step, or pads it.
Prints seconds per step, or writes the trace into FOLDER.
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


def run_compile(_, form):
    sizes = range(8, 104, 8)
    run = jax.jit(lambda x: jnp.tanh(x @ WEIGHTS[:64]).sum())
    for number, rows in enumerate(sizes):
        with step(number):
            x = np.zeros((rows if form == "slow" else sizes[-1], 64), np.float32)
            x[:rows] = 1
            run(x).block_until_ready()
    return len(sizes)


def main():
    case, form, *folder = sys.argv[1:]
    run = {"dispatch": run_dispatch, "compile": run_compile}.get(case, run_reading)
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
