# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small C++ programs used as baselines of imports."""

import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def build(compiler, name, library, folder):
    """Compiles NAME.cpp in this folder; returns the path of the program."""
    program = f"{folder}/{name}"
    subprocess.run([compiler, "-O3", "-std=c++17", f"{HERE}/{name}.cpp", "-o",
                    program, f"-l{library}"], check=True)
    return program


def measure(program, path):
    """The seconds that the program prints for the file at `path`."""
    out = subprocess.run([program, path], check=True, capture_output=True)
    return json.loads(out.stdout)["seconds"]
