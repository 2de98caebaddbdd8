# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""values_in_groups.py TOOL FOLDER: products of bytes and of bf16 of which no
factor is a constant, compared with sums of integers, to the last digit."""

import ast
import pathlib
import random
import struct
import subprocess
import sys

# Rows, columns and terms: of whole groups and vectors, and of neither.
SHAPES = [(32, 64, 64), (9, 36, 10), (5, 17, 3), (33, 100, 77), (64, 20, 6)]
# Extensions of either factor. Bytes without a sign have the same type.
SIGNS = ["extsi", "extui"]
PRODUCT = """
#a = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#r = affine_map<(i, j, k) -> (i, j)>
func.func @main(%a: tensor<{m}x{k}x{type}>, %w: tensor<{k}x{n}x{type}>,
                %c: tensor<{m}x{n}x{sum}>) -> tensor<{m}x{n}x{sum}> {{
  %p = linalg.generic {{indexing_maps = [#a, #w, #r],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %w : tensor<{m}x{k}x{type}>, tensor<{k}x{n}x{type}>)
      outs(%c : tensor<{m}x{n}x{sum}>) {{
    ^bb0(%x: {type}, %y: {type}, %z: {sum}):
      %s = arith.{left} %x : {type} to {sum}
      %t = arith.{right} %y : {type} to {sum}
      %u = arith.mul{kind} %s, %t : {sum}
      %v = arith.add{kind} %z, %u : {sum}
      linalg.yield %v : {sum}
  }} -> tensor<{m}x{n}x{sum}>
  return %p : tensor<{m}x{n}x{sum}>
}}
"""


def write(path, descr, code, shape, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(128 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                     header.encode() + struct.pack(f"<{len(values)}{code}", *values))


def read(path, code):
    data = path.read_bytes()
    begin, size = (10, "<H") if data[6] == 1 else (12, "<I")
    end = begin + struct.unpack(size, data[8:begin])[0]
    shape = ast.literal_eval(data[begin:end].decode())["shape"]
    return list(struct.unpack(f"<{shape[0] * shape[1]}{code}", data[end:]))


def to_bfloat(value):
    """The bits of a small integer, which has few enough."""
    return struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def multiply(m, n, k, a, w, c):
    return [c[i * n + j] + sum(a[i * k + l] * w[l * n + j] for l in range(k))
            for i in range(m) for j in range(n)]


def run(tool, folder, text, arrays, code, options):
    model = folder / "model.mlir"
    model.write_text(text)
    for name, array in arrays.items():
        write(folder / f"{name}.npy", *array)
    subprocess.run(
        [tool, "record", model, "--mode=time", "--iterations=1", *options,
         *[f"--input={name}={folder / name}.npy" for name in arrays],
         f"--save-results={folder}"], check=True, capture_output=True)
    return read(folder / "result0.npy", code)


def make_bytes(generator, extension, count):
    """Extreme ones, too, as sums of two products may not fit into 16 bits."""
    low, high = (-128, 127) if extension == "extsi" else (0, 255)
    return [generator.choice([low, high, generator.randint(low, high)])
            for _ in range(count)]


def check_bytes(tool, folder, shape, left, right, options):
    m, n, k = shape
    generator = random.Random(m * n * k)
    a = make_bytes(generator, left, m * k)
    w = make_bytes(generator, right, k * n)
    c = [generator.randint(-2**31, 2**31 - 1) for _ in range(m * n)]
    arrays = {name: ("|i1", "b", rows, [(x + 128) % 256 - 128 for x in values])
              for name, rows, values in (("a", (m, k), a), ("w", (k, n), w))}
    arrays["c"] = ("<i4", "i", (m, n), c)
    text = PRODUCT.format(m=m, n=n, k=k, type="i8", sum="i32", left=left,
                          right=right, kind="i")
    # Sums wrap around.
    expected = [(x + 2**31) % 2**32 - 2**31 for x in multiply(m, n, k, a, w, c)]
    return run(tool, folder, text, arrays, "i", options) == expected


def check_bfloats(tool, folder, shape, options):
    m, n, k = shape
    generator = random.Random(m * n * k)
    # All sums are whole numbers below 2^24.
    a, w = ([generator.randint(-128, 128) for _ in range(size)]
            for size in (m * k, k * n))
    c = [generator.randint(-1000, 1000) for _ in range(m * n)]
    arrays = {"a": ("|V2", "H", (m, k), list(map(to_bfloat, a))),
              "w": ("|V2", "H", (k, n), list(map(to_bfloat, w))),
              "c": ("<f4", "f", (m, n), c)}
    text = PRODUCT.format(m=m, n=n, k=k, type="bf16", sum="f32", left="extf",
                          right="extf", kind="f")
    return run(tool, folder, text, arrays, "f", options) == multiply(
        m, n, k, a, w, c)


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = []
    count = 0
    for shape in SHAPES:
        options = ["--threads=2"] if shape == SHAPES[0] else []
        for left in SIGNS:
            for right in SIGNS:
                count += 1
                if not check_bytes(tool, folder, shape, left, right, options):
                    wrong.append((shape, left, right))
        count += 1
        if not check_bfloats(tool, folder, shape, options):
            wrong.append((shape, "bf16"))
    print(f"{count} products, {len(wrong)} wrong")
    for case in wrong:
        print(*case)


if __name__ == "__main__":
    main()
