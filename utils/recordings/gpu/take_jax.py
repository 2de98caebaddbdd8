#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes recordings that record_jax.py made on a GPU into the test data: copies what
tests read, replaces the paths of the machine that recorded, and lowers the module to
linalg where no StableHLO is left after it.

Usage: take_jax.py FROM TO REPOSITORY NAME...

REPOSITORY is where this repository was on the machine that recorded.
"""

import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."),
                os.path.join(HERE, "..", "..", "..", "python")]

from mlir_prof.capture import _mlir
from mlir_prof.frontends import _stablehlo
from scrub import MODELS, scrub

KEPT = ("xplane.pb", "model.mlir", "model.generic.mlir", "hlo.txt", "info.json")


def add_linalg(folder):
    """Writes linalg.mlir; nothing if a part of the module is not lowered."""
    try:
        with open(f"{folder}/model.generic.mlir", "rb") as file:
            module = _stablehlo.parse(file.read())
        _stablehlo.to_linalg(module)
    except Exception as error:
        print(f"{folder}: no linalg.mlir: {str(error).splitlines()[0]}")
        return
    text = _mlir.plain_text(module.operation)
    if foreign := _mlir.find_foreign(text):
        print(f"{folder}: no linalg.mlir: {foreign} is left")
        return
    with open(f"{folder}/linalg.mlir", "w") as file:
        file.write(text)


def main():
    source, target, repository, *names = sys.argv[1:]
    recordings = f"{repository}/utils/recordings"
    # As record_jax.py finds models_jax.py, and its own path.
    places = (f"{recordings}/gpu/..", recordings)
    for name in names:
        folder = f"{target}/{name}"
        os.makedirs(folder, exist_ok=True)
        for file in KEPT:
            shutil.copyfile(f"{source}/{name}/{file}", f"{folder}/{file}")
        add_linalg(folder)
        scrub(folder, [(place, MODELS) for place in places])


if __name__ == "__main__":
    main()
