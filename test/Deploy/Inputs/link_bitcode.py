#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links a program with a library of bitcode, with and without optimization by the linker.

usage: link_bitcode.py LLVM_TOOLS FOLDER

FOLDER has the packages `with` and `without` bitcode, and what make_models.py wrote in
`models`. Prints how many kernels a program has as functions, and whether its result is
that of NumPy.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

PROGRAM = """
#include "model.h"
#include <stdio.h>
static int8_t input[MODEL_ARGUMENT0_BYTES], result[MODEL_RESULT0_BYTES];
static _Alignas(64) unsigned char arena[MODEL_ARENA_BYTES];
int main(void) {
  if (fread(input, 1, sizeof input, stdin) != sizeof input) return 1;
  if (model_run(input, result, arena, sizeof arena) != MODEL_OK) return 2;
  return fwrite(result, 1, sizeof result, stdout) != sizeof result;
}
"""


def read_sizes(folder):
    return json.loads((folder / "sizes.json").read_text(encoding="utf-8"))


def main():
    """See the top of this file."""
    tools, folder = map(pathlib.Path, sys.argv[1:])
    package = folder / "with"
    (folder / "main.c").write_text(PROGRAM, encoding="utf-8")
    sizes = read_sizes(package)
    kernels = {part["name"] for part in sizes["objects"]}
    image = np.load(folder / "models" / "int8-in.npy")[0].tobytes()
    expected = np.load(folder / "models" / "int8-out.npy")[0].tobytes()
    for words, flags in (("without", []),
                         ("with", ["-flto", "-O2", "-Wl,--fat-lto-objects"])):
        program = folder / f"program-{words}"
        subprocess.run([tools / "clang", "-fuse-ld=lld", "-Wl,--gc-sections", *flags,
                        f"-I{package}", folder / "main.c", package / "model.a", "-o", program],
                       check=True)
        names = subprocess.run([tools / "llvm-nm", "--format=just-symbols", program],
                               check=True, capture_output=True, text=True).stdout.split()
        done = subprocess.run([program], input=image, check=True, capture_output=True)
        print(f"{words} link-time optimization: {len(kernels & set(names))} kernels, "
              f"{'right' if done.stdout == expected else 'wrong'}")
    keys = ["code_bytes", "constant_bytes"]
    if [sizes[key] for key in keys] == [read_sizes(folder / "without")[key] for key in keys]:
        print("the same code and constants beside the bitcode")


if __name__ == "__main__":
    main()
