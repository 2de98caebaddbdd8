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
    call_all(tool, model, folder, arguments,
             [((len(expected), columns), flat(expected))])


def call_all(tool, model, folder, arguments, results):
    options = []
    for name, (kind, shape, values) in arguments.items():
        path = os.path.join(folder, f"{name}.npy")
        write(path, kind, shape, values)
        options.append(f"--input={name}={path}")
    for number, (shape, values) in enumerate(results):
        path = os.path.join(folder, f"expected{number}.npy")
        write(path, "<f4", shape, values)
        options.append(f"--compare={path}")
    subprocess.run([tool, "record", model, "--iterations=2", "--mode=time",
                    *options], check=True, stdout=subprocess.DEVNULL)


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


def lengthen(values, count):
    return [values[i % len(values)] for i in range(len(values) + count)]


def draw_calls(rng):
    for size in (4, 3):
        for count in (2, 1):
            x = [rng.randrange(-8, 9) / 8 for _ in range(size)]
            yield x, count, dict(a=("<f4", (size,), x), n=("<i8", (), [count]))


def grows(tool, model, folder, rng):
    calls = list(draw_calls(rng))
    for x, count, arguments in calls:
        longer = x
        for _ in range(3):
            longer = lengthen(longer, count)
        results = (x * 8, longer, [4 * value for value in x])
        call_all(tool, model, folder, arguments,
                 [((len(values),), values) for values in results])
    return len(calls)


def grows_while(tool, model, folder, rng):
    calls = list(draw_calls(rng))
    for x, count, arguments in calls:
        while len(x) < 20:
            x = lengthen(x, count)
        call_all(tool, model, folder, arguments, [((len(x),), x)])
    return len(calls)


def main():
    tool, inputs, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for run in (decides, layers, grows, grows_while):
        name = run.__name__.replace("_", "-")
        count = run(tool, os.path.join(inputs, f"{name}.mlir"), folder,
                    random.Random(name))
        print(f"{name}: {count} calls are right")


if __name__ == "__main__":
    main()
