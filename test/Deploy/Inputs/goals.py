#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the code of the goals of --optimize, and deploys within budgets.

usage: goals.py FOLDER [--budgets COMMAND...]

FOLDER has a package for each goal. COMMAND deploys the same model; its last argument is
the folder of the package. With it, prints what each budget leads to.
"""

import json
import pathlib
import subprocess
import sys

GOALS = ["speed", "balanced", "size"]


def read_sizes(package):
    """sizes.json of a package."""
    return json.loads((package / "sizes.json").read_text(encoding="utf-8"))


def get_flash_bytes(sizes):
    """All that lies in flash memory."""
    return sizes["code_bytes"] + sizes["constant_bytes"] + sizes["variable_bytes"]


def deploy(command, option):
    """The goal of the code that fits, or the first line of the error."""
    done = subprocess.run([*command, option], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.splitlines()[0].removeprefix("mlir-prof: ")
    return read_sizes(pathlib.Path(command[-1]))["optimize"]


def main():
    """See the top of this file."""
    folder = pathlib.Path(sys.argv[1])
    packages = {goal: read_sizes(folder / goal) for goal in GOALS}
    if len(sys.argv) == 2:
        print(" > ".join(sorted(GOALS, key=lambda goal: -packages[goal]["code_bytes"])))
        return
    command = sys.argv[3:]
    for goal, sizes in packages.items():
        size = get_flash_bytes(sizes)
        print(f"--max-flash as {goal} needs:", deploy(command, f"--max-flash={size}"))
        print("one byte less:", deploy(command, f"--max-flash={size - 1}"))
    size = packages["speed"]["arena_bytes"]
    print("--max-ram as the arena needs:", deploy(command, f"--max-ram={size}"))
    print("one byte less:", deploy(command, f"--max-ram={size - 1}"))


if __name__ == "__main__":
    main()
