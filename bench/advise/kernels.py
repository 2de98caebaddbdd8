#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the gain of LiteRT's tuned kernels over its reference kernels, on whole models.

  kernels.py [--seconds 3] MODEL.tflite...

The reference kernels, the built-in ones and those of the default delegate (XNNPACK) run
in turns, on one thread; the medians tell the shares.
"""

import argparse
import statistics
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

KERNELS = {"reference": OpResolverType.BUILTIN_REF,
           "built in": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
           "delegate": OpResolverType.AUTO}


def make(model, resolver):
    interpreter = Interpreter(model_path=model, experimental_op_resolver_type=resolver,
                              num_threads=1)
    interpreter.allocate_tensors()
    numbers = np.random.default_rng(0)
    for detail in interpreter.get_input_details():
        shape, dtype = detail["shape"], detail["dtype"]
        value = numbers.uniform(-1, 1, shape) if dtype == np.float32 else numbers.integers(
            -128, 127, shape)
        interpreter.set_tensor(detail["index"], value.astype(dtype))
    interpreter.invoke()
    return interpreter


def measure(model, seconds):
    interpreters = {name: make(model, resolver) for name, resolver in KERNELS.items()}
    times = {name: [] for name in KERNELS}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times["reference"]) < 5:
        for name, interpreter in interpreters.items():
            begin = time.perf_counter()
            interpreter.invoke()
            times[name].append(time.perf_counter() - begin)
    medians = {name: statistics.median(values) for name, values in times.items()}
    gains = [f"{1 - medians[name] / medians['reference']:.1%}" for name in KERNELS]
    print(f"| {model} | {medians['reference'] * 1e3:.3f} ms | {gains[1]} | {gains[2]} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    for model in options.models:
        measure(model, options.seconds)


if __name__ == "__main__":
    main()
