#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the gain of polynomials over libm with the estimate of fallback-kernels.

  functions.py [--tool build/bin/mlir-prof] [--rounds 5] [OP...]

The first twelve ops are single functions, which determined the figures in
lib/Advise/Rules/FallbackKernels.cpp; the others did not. Both forms run in turns, each
in a new process; the gain is computed from the medians of rounds.
"""

import argparse
import json
import os
import random
import re
import statistics
import struct
import subprocess
import tempfile

ONE = """%one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %zero = arith.constant 0.0 : f32
    %cubic = arith.constant 0.044715 : f32
    %root = arith.constant 0.797884561 : f32
    %part = arith.constant 0.707106781 : f32"""


def single(name, low, high, size=65536):
    return f"%y = math.{name} %in : f32", size, low, high


# Body, elements, range of the arguments.
OPS = {
    "exp": single("exp", -10, 10), "expm1": single("expm1", -5, 5),
    "log": single("log", 0.01, 100), "log2": single("log2", 0.01, 100),
    "log1p": single("log1p", -0.9, 50), "tanh": single("tanh", -4, 4),
    "erf": single("erf", -3, 3), "erfc": single("erfc", -3, 3),
    "asin": single("asin", -1, 1), "acos": single("acos", -1, 1),
    "atan": single("atan", -5, 5),
    "atan2": ("%y = math.atan2 %in, %one : f32", 65536, -5, 5),
    "sigmoid": ("""%n = arith.negf %in : f32
    %a = math.exp %n : f32
    %b = arith.addf %a, %one : f32
    %y = arith.divf %one, %b : f32""", 20000, -6, 6),
    "softplus": ("""%a = math.exp %in : f32
    %y = math.log1p %a : f32""", 3000, -6, 6),
    "gelu": ("""%a = arith.mulf %in, %part : f32
    %b = math.erf %a : f32
    %c = arith.addf %b, %one : f32
    %d = arith.mulf %c, %in : f32
    %y = arith.mulf %d, %half : f32""", 50000, -4, 4),
    "gelu-tanh": ("""%a = arith.mulf %in, %in : f32
    %b = arith.mulf %a, %in : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %in, %c : f32
    %e = arith.mulf %d, %root : f32
    %f = math.tanh %e : f32
    %g = arith.addf %f, %one : f32
    %h = arith.mulf %g, %in : f32
    %y = arith.mulf %h, %half : f32""", 8192, -4, 4),
    "elu": ("""%a = math.expm1 %in : f32
    %p = arith.cmpf ogt, %in, %zero : f32
    %y = arith.select %p, %in, %a : f32""", 30000, -4, 4),
    "asin-acos": ("""%a = math.asin %in : f32
    %y = math.acos %a : f32""", 10000, -0.8, 0.8),
    "log-atan-exp": ("""%a = math.log %in : f32
    %b = math.atan %a : f32
    %y = math.exp %b : f32""", 10000, 0.1, 5),
    "exp-large": single("exp", -3, 3, 4000000),
    "exp-small": single("exp", -80, 80, 512),
    "log-large": single("log", 0.5, 2, 2000000),
    "log1p-small": single("log1p", 0, 0.01, 1000),
    "expm1-small": single("expm1", -0.1, 0.1, 1000),
}

MODULE = """#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
    {one}
  %empty = tensor.empty() : tensor<{size}xf32>
  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%x : tensor<{size}xf32>) outs(%empty : tensor<{size}xf32>) {{
  ^bb0(%in: f32, %out: f32):
    {body}
    linalg.yield %y : f32
  }} -> tensor<{size}xf32> loc("op")
  return %r : tensor<{size}xf32>
}}
"""


def write_input(path, size, low, high):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({size},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    numbers = random.Random(size)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{size}f", *(numbers.uniform(low, high) for _ in range(size))))


def record(context, form, path):
    text = subprocess.run(
        [context.tool, "record", context.module, f"--input=x={context.input}",
         f"--math={form}", "--seconds=0.3", "-o", path],
        check=True, capture_output=True, text=True).stderr
    value, unit = re.search(r"median ([0-9.]+) (\w+)", text).groups()
    return float(value) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def get_promise(context, path):
    text = subprocess.run([context.tool, "advise", path, "--rule=fallback-kernels",
                           "--format=json"], check=True, capture_output=True, text=True).stdout
    return sum(advice["gain_ps"] / advice["basis_ps"] for advice in json.loads(text)["advice"])


def check(context, name):
    body, size, low, high = OPS[name]
    context.module = os.path.join(context.folder, "op.mlir")
    context.input = os.path.join(context.folder, "x.npy")
    with open(context.module, "w") as file:
        file.write(MODULE.format(size=size, one=ONE, body=body))
    write_input(context.input, size, low, high)
    promises, times = [], {"libm": [], "polynomial": []}
    for _ in range(context.rounds):
        for form in times:
            path = os.path.join(context.folder, f"{form}.mlprof")
            times[form].append(record(context, form, path))
        promises.append(get_promise(context, os.path.join(context.folder, "libm.mlprof")))
    slow, fast = (statistics.median(times[form]) for form in ("libm", "polynomial"))
    promised, gained = statistics.median(promises), 1 - fast / slow
    share = f"{gained / promised:.0%}" if promised else "-"
    print(f"| `{name}` | {slow:.2f} to {fast:.2f} µs | {promised:.1%} | {gained:.1%} "
          f"| {share} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("ops", nargs="*", choices=[[], *OPS])
    context = parser.parse_args()
    with tempfile.TemporaryDirectory() as context.folder:
        for name in context.ops or OPS:
            check(context, name)


if __name__ == "__main__":
    main()
