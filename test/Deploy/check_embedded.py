#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the files of embedded.sh by LLVM's tools, and damages them.

usage: check_embedded.py LLVM_TOOLS FOLDER

A file does not have memory that is both written and executed, nor relocations of code,
and only few bytes besides code and constants are copied when it stays in place. A file of
this machine is loaded with each of its bytes changed, by a program that would notice an
access outside.
"""

import pathlib
import platform
import re
import subprocess
import sys

RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime"
MOST_STATE = 1000


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_file(tools, path):
    """Of segments and relocations."""
    text = run(tools / "llvm-readelf", "-lW", path)
    loads = re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+) (0x\w+) ([RWE ]{3})", text)
    assert loads, text
    written = 0
    for _, _, stored, _, flags in loads:
        assert not ("W" in flags and "E" in flags), text
        written += int(stored, 16) if "W" in flags else 0
    assert written <= MOST_STATE, f"{path}: {written} bytes are written"


def damage(tools, folder, path):
    """Loads the file with changes, with checks of all accesses."""
    program = folder / "damage"
    run(tools / "clang", "-std=c11", "-g", "-O1", "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined", f"-I{RUNTIME}/include",
        pathlib.Path(__file__).parent / "Inputs" / "damage.c", RUNTIME / "src" / "Loader.c",
        "-o", program)
    text = run(program, path)
    loaded, refused = map(int, re.match(r"(\d+) loaded, (\d+) refused", text).groups())
    assert loaded > 0 and refused > 100, text


def main():
    """See the top of this file."""
    tools, folder = map(pathlib.Path, sys.argv[1:])
    files = sorted(folder.glob("*/*/model.mpm"))
    for path in files:
        check_file(tools, path)
    machine = {"x86_64": "x86-64", "aarch64": "aarch64"}[platform.machine()]
    for control in ("compiled", "bytecode"):
        damage(tools, folder, folder / machine / control / "model.mpm")
    print(f"{len(files)} files are as they should be")


if __name__ == "__main__":
    main()
