#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of torch.compile that compile again, or for other values do not:

  torch_steps.py guards|shapes|several|dynamic slow|fast [FOLDER]

guards has another integer in each step, shapes other rows, several other rows
for two functions of which one takes much longer to compile; dynamic has other
rows, which torch.compile makes dynamic by itself. Prints seconds a step, or
writes FOLDER/trace.json.
"""

import os
import sys
import time
from contextlib import nullcontext

os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
import torch
from torch.profiler import ProfilerActivity, profile, record_function

STEPS = 8
torch.set_num_threads(1)
torch._dynamo.config.recompile_limit = 64
WEIGHTS = torch.randn(64, 64) / 8


def choose(x, number):
    return torch.tanh(x @ WEIGHTS) * number


def layers(x):
    for factor in range(3):
        x = torch.tanh(x @ WEIGHTS) * factor + torch.sin(x)
    return x.sum()


def twice(x):
    return (x * 2).sum()


def rows(number):
    return (torch.ones(8 * (number + 2), 64),)


# Functions, whether they are dynamic, and what they get in a step.
CASES = {
    "guards": ([choose], False, lambda number: (torch.ones(64, 64), number + 2)),
    "shapes": ([twice], False, rows),
    "several": ([layers, twice], False, rows),
    "dynamic": ([layers], None, rows),
}


def main():
    case, form, *folder = sys.argv[1:]
    functions, dynamic, arguments = CASES[case]
    functions = [torch.compile(function, dynamic=dynamic) for function in functions]
    torch.compile(lambda x: x + 1)(torch.ones(3))
    with profile(activities=[ProfilerActivity.CPU]) if folder else nullcontext() as recorded:
        begin = time.perf_counter()
        for number in range(STEPS):
            with record_function(f"ProfilerStep#{number}"):
                for function in functions:
                    function(*arguments(number if form == "slow" else STEPS - 1))
        seconds = time.perf_counter() - begin
    if folder:
        recorded.export_chrome_trace(os.path.join(folder[0], "trace.json"))
    else:
        print(seconds / STEPS)


if __name__ == "__main__":
    main()
