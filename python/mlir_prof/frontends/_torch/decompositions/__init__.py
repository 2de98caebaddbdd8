# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decompositions of mlir-prof. To add one, add a file that registers it, and the file's
name here."""

import importlib

FILES = ["attention", "bags", "corrections", "counts", "distances", "factors", "fourier",
         "linalg", "masks", "memory", "nans", "order", "places", "pools", "ranked",
         "ranks", "recurrent", "resizing", "special",
         "uniques"]

for name in FILES:
    importlib.import_module(f".{name}", __name__)
