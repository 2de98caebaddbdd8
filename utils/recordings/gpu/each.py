# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recorders of a GPU share the loop over names and the file of versions."""

import json
import os
import time
import traceback


def record_each(names, out, trace, record):
    """Calls record(NAME, OUT/NAME) for each name, all even after one failed, and
    prints the size of the file `trace` that it wrote. Returns the exit code."""
    failed = 0
    for name in names:
        begin = time.time()
        folder = f"{out}/{name}"
        os.makedirs(folder, exist_ok=True)
        try:
            record(name, folder)
            size = os.path.getsize(f"{folder}/{trace}")
            print(f"{name}: {size} bytes, {time.time() - begin:.1f} s",
                  flush=True)
        except Exception:
            failed += 1
            print(f"{name}: failed after {time.time() - begin:.1f} s\n"
                  f"{traceback.format_exc()}", flush=True)
    return 1 if failed else 0


def write_info(folder, info):
    """Writes versions and settings of a recording."""
    with open(f"{folder}/info.json", "w") as file:
        json.dump(info, file, indent=1)
        file.write("\n")
