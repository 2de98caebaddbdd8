# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py TOOL INPUTS FOLDER: runs models with versions for calls that each
version is for, and others, and computes what they are to give on its own."""

import array
import os
import random
import struct
import subprocess
import sys


def write(path, kind, shape, values):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape!r}}}"
    header = header.ljust(117) + "\n"
    code = {"<f4": "f", "<i4": "i", "<i8": "q"}[kind]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + array.array(code, values).tobytes())


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)]
            for row in a]


def flat(rows):
    return [value for row in rows for value in row]


def draw(rng, rows, columns):
    """Eighths: products of these are exact in any order."""
    return [[rng.randrange(-8, 9) / 8 for _ in range(columns)]
            for _ in range(rows)]


def call(tool, model, folder, arguments, expected, columns):
    options = []
    for name, (kind, shape, values) in arguments.items():
        path = os.path.join(folder, f"{name}.npy")
        write(path, kind, shape, values)
        options.append(f"--input={name}={path}")
    wanted = os.path.join(folder, "expected.npy")
    write(wanted, "<f4", (len(expected), columns), flat(expected))
    subprocess.run([tool, "record", model, "--iterations=2", "--mode=time",
                    f"--compare={wanted}", *options], check=True,
                   stdout=subprocess.DEVNULL)


def decides(tool, model, folder, rng):
    count = 0
    weights = draw(rng, 16, 16)
    for rows in (8, 5, 1):
        for mode in (1, 2):
            for trips in (3, 2):
                x = draw(rng, rows, 16)
                result = x
                for _ in range(trips):
                    result = product(result, weights)
                if mode == 1:
                    result = [[a + b for a, b in zip(*pair)]
                              for pair in zip(result, x)]
                else:
                    result = [[a * a for a in row] for row in result]
                call(tool, model, folder,
                     dict(x=("<f4", (rows, 16), flat(x)),
                          mode=("<i8", (), [mode]), n=("<i4", (), [trips]),
                          w=("<f4", (16, 16), flat(weights))), result, 16)
                count += 1
    return count


def layers(tool, model, folder, rng):
    first = [[((3 * r + 2 * c) % 11 - 5) / 8 for c in range(16)]
             for r in range(12)]
    second = [[0.5, -1, 0.25, 2, 1], [1.5, 1, -0.25, 0, 3]] * 8
    sizes = (1, 8, 7, 9, 64)
    for rows in sizes:
        x = draw(rng, rows, 12)
        call(tool, model, folder, dict(x=("<f4", (rows, 12), flat(x))),
             product(product(x, first), second), 5)
    return len(sizes)


def main():
    tool, inputs, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for run in (decides, layers):
        name = run.__name__
        count = run(tool, os.path.join(inputs, f"{name}.mlir"), folder,
                    random.Random(name))
        print(f"{name}: {count} calls are right")


if __name__ == "__main__":
    main()
