#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls packages of shapes.mlir with 1 to 5 rows, and compares results with NumPy.

usage: check_shapes.py MLIR_PROF FOLDER

Results are also those of packages for one size. Prints one line for each package.
"""

import pathlib
import platform
import subprocess
import sys

import numpy as np

INPUTS = pathlib.Path(__file__).parent / "Inputs"
RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime"
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-parentheses",
         "-D_GNU_SOURCE", f"-I{RUNTIME}/include"]
MOST = 5
WEIGHTS = np.array([[1, -1, 0.5, 0.25], [2, 3, -1, 1], [0, 1, 1, -2], [1.5, 0.5, 0.25, 4],
                    [-3, 1, 2, 0.125], [1, 1, -1, 1]])
ERRORS = ["a size is not in the range that the model takes"] * 2 + [
    "the address of an argument, a result or the arena is null"]
COMPILERS = {"x86-64": ("/usr/lib/llvm-22/bin/clang", []),
             "aarch64": ("aarch64-linux-gnu-gcc", ["qemu-aarch64"])}


def deploy(tool, target, container, shape, package):
    """The folder of a package for `shape`."""
    subprocess.run([tool, "deploy", INPUTS / "shapes.mlir", f"--shape=x={shape}",
                    f"--shape=y={shape}", f"--target={target}", f"--container={container}",
                    "-o", package], check=True, stdout=subprocess.DEVNULL)
    return package


def build(package, target, container):
    """The command of a program with a package."""
    compiler, emulator = COMPILERS[target]
    program = package / "program"
    parts = {"static": ["-static", package / "model.a"],
             "dynamic": ["-L", package, "-lmodel", "-Wl,-rpath,$ORIGIN"],
             "embedded": ["-static", "-DLOADED", RUNTIME / "src" / "Loader.c"]}[container]
    subprocess.run([compiler, *FLAGS, f"-I{package}", INPUTS / "shapes.c", *parts, "-lm", "-o",
                    program], check=True)
    return [*emulator, program] + [package / "model.mpm"] * (container == "embedded")


def check(command, calls):
    """Whether a program has the results of NumPy, then the errors."""
    text = "".join(f"{len(x)} {' '.join(map(str, [*x.ravel(), *y.ravel()]))}\n" for x, y in calls)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    for (x, y), line in zip(calls, lines):
        expected = np.concatenate([((x + y) @ WEIGHTS).ravel(), (x + y).mean(axis=0)])
        result = np.array([float.fromhex(word) for word in line.split()])
        assert np.abs(result - expected).max() <= 1e-6 * np.abs(expected).max(), line
    assert lines[len(calls):] == ERRORS, lines
    return len(calls)


def main():
    """See the top of this file."""
    tool, folder = map(pathlib.Path, sys.argv[1:])
    random = np.random.default_rng(5)
    calls = [tuple(random.integers(-64, 65, (2, rows, 6)) / 16)
             for rows in (3, 1, MOST, 2, 4, 1)]
    own = {"x86_64": "x86-64", "aarch64": "aarch64"}[platform.machine()]
    for target, container in [(own, "static"), (own, "dynamic"), (own, "embedded"),
                              ("aarch64", "static")]:
        package = deploy(tool, target, container, f"1..{MOST}x6",
                         folder / f"{target}-{container}")
        count = check(build(package, target, container), calls)
        print(f"{target}, {container}: {count} calls are right")


if __name__ == "__main__":
    main()
