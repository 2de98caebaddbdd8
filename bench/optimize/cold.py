#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Costs and savings of compiling only the hot ops of a large model for speed.

  python bench/optimize/cold.py [--tool build/bin/mlir-prof] [--ops=2000]

Builds the model of large.py twice: all ops for speed, and all but the large
products for size. Bytes of code, seconds to compile (each build once per
round), and seconds to run: objects are loaded into one process and take turns,
and the first one takes part twice, from another file, as the control. Limits:
at least 30 % less code, within 1 % of the speed, and a quarter of the compile
time.
"""

import argparse
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]

import harness
import large


def build(tool, source, object_file):
    """Seconds of the compilation, as reported by the tool."""
    result = subprocess.run(
        [tool, "record", source, "--mode=time", "--iterations=1", "--warm-up=1",
         "--no-values", f"--save-object={object_file}"],
        capture_output=True, encoding="utf-8")
    if result.returncode:
        sys.exit(result.stderr)
    return float(re.search(r" in ([0-9.]+) s:", result.stderr).group(1))


def code_bytes(object_file):
    """Bytes of the sections that contain code."""
    out = subprocess.run(["llvm-size", "-A", object_file], check=True,
                         capture_output=True, encoding="utf-8").stdout
    return sum(int(line.split()[1]) for line in out.splitlines()
               if line.startswith(".text"))


class Descriptor:
    """A memref: two addresses, an offset, sizes and strides."""

    def __init__(self, shape, array=None):
        self.shape, self.array = shape, array
        self.words = np.zeros(3 + 2 * len(shape), np.int64)
        if array is not None:
            strides = [stride // array.itemsize for stride in array.strides]
            self.words[:] = [array.ctypes.data] * 2 + [0, *shape, *strides]

    @property
    def address(self):
        return self.words.ctypes.data

    def copy(self):
        """The function's result; assumes that rows are contiguous."""
        count = int(np.prod(self.shape))
        source = (ctypes.c_float * count).from_address(int(self.words[1]))
        return np.array(source).reshape(self.shape)


class Model:
    """An object file in this process."""

    free = ctypes.CDLL(None).free

    def __init__(self, object_file, arguments, result_shapes):
        library = object_file + ".so"
        # Code calls the process's math library.
        subprocess.run(["ld.lld", "-shared", object_file, "-o", library,
                        "--allow-shlib-undefined"], check=True)
        ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)
        self.entry = ctypes.CDLL(library).mlirprof_entry
        self.results = [Descriptor(shape) for shape in result_shapes]
        self.arguments = [Descriptor(array.shape, array) for array in arguments]
        every = self.arguments + self.results
        self.addresses = (ctypes.c_void_p * len(every))(
            *(each.address for each in every))

    def run(self):
        """Seconds of one call."""
        begin = time.perf_counter()
        self.entry(self.addresses)
        seconds = time.perf_counter() - begin
        return seconds

    def release(self):
        for result in self.results:
            self.free(ctypes.c_void_p(int(result.words[0])))

    def __call__(self):
        seconds = self.run()
        self.release()
        return seconds

    def values(self):
        self.run()
        copies = [result.copy() for result in self.results]
        self.release()
        return copies


def inputs(text, seed=3):
    """Arrays for the arguments of the model, and the shapes of its results."""
    header = next(line for line in text.splitlines() if "func.func" in line)
    before, after = header.split("->")
    shapes = lambda part: [tuple(int(size) for size in found.split("x")[:-1])
                           for found in re.findall(r"tensor<([0-9x]*f32)>", part)]
    rng = np.random.default_rng(seed)
    arrays = [rng.standard_normal(shape).astype(np.float32)
              for shape in shapes(before)]
    return arrays, shapes(after)


def worst_error(values, reference):
    return max(float(np.abs(a - b).max() / np.abs(b).max())
               for a, b in zip(values, reference))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--ops", type=int, default=2000)
    parser.add_argument("--hot", type=int, default=40)
    parser.add_argument("--size", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--builds", type=int, default=1,
                        help="rounds of compiling")
    parser.add_argument("--objects", help="a folder to build in, and to take "
                        "objects from that are there already")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        measure(options, options.objects or temporary)


def measure(options, folder):
    os.makedirs(folder, exist_ok=True)
    compile_seconds, files, texts = {}, {}, {}
    for name, choose in (("speed", "none"), ("size", "cold")):
        texts[name] = large.write(options.ops, options.hot, options.size, 5,
                                  choose)
        source = os.path.join(folder, f"{name}.mlir")
        pathlib.Path(source).write_text(texts[name])
        files[name] = os.path.join(folder, f"{name}.o")
    if not all(map(os.path.exists, files.values())):
        for _ in range(options.builds):
            for name, file in files.items():
                compile_seconds.setdefault(name, []).append(
                    build(options.tool, file[:-1] + "mlir", file))
    arguments, shapes = inputs(texts["speed"])
    copy = os.path.join(folder, "again.o")
    pathlib.Path(copy).write_bytes(pathlib.Path(files["speed"]).read_bytes())
    models = {name: Model(file, arguments, shapes)
              for name, file in {**files, "speed, again": copy}.items()}
    error = worst_error(models["size"].values(), models["speed"].values())
    seconds = harness.alternate(models, options.rounds)
    rows = []
    for name, model in models.items():
        object_file = files.get(name, copy)
        compiled = compile_seconds.get(name)
        rows.append([
            name, code_bytes(object_file),
            f"{code_bytes(object_file) / code_bytes(files['speed']):.3f}",
            f"{min(compiled):.2f}" if compiled else "-",
            f"{min(compiled) / min(compile_seconds['speed']):.3f}"
            if compiled else "-",
            f"{1e3 * min(seconds[name]):.2f}",
            f"{min(seconds[name]) / min(seconds['speed']):.4f}",
            harness.format_spread(
                harness.ratios(seconds[name], seconds["speed"]), 4)])
    harness.print_table(["for", "code bytes", "ratio", "compile s", "ratio",
                         "run ms", "min/min", "ratio min/median/max"], rows)
    print(f"largest difference of results {error:.1e} of the largest element")


if __name__ == "__main__":
    main()
