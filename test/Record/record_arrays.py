#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays for the tests of record, computed without the tool.

usage: record_arrays.py make FOLDER      writes the arrays of record-block.mlir
       record_arrays.py print FILE.npy   prints shape, type and elements
"""

import ast
import math
import pathlib
import struct
import sys

ROWS = 3


def write(path, shape, values):
    """Writes float32 in numpy's format, version 1.0."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(128 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                     header.encode() + struct.pack(f"<{len(values)}f", *values))


def read(path):
    """Shape, type as numpy spells it, and elements."""
    data = pathlib.Path(path).read_bytes()
    assert data[:6] == b"\x93NUMPY" and data[7] == 0, data[:8]
    begin, size = (10, "<H") if data[6] == 1 else (12, "<I")
    end = begin + struct.unpack(size, data[8:begin])[0]
    header = ast.literal_eval(data[begin:end].decode())
    assert not header["fortran_order"]
    code = {"<f4": "f", "<f8": "d", "<i8": "q", "|b1": "?", "|V2": "H",
            "|i1": "b", "<i4": "i"}[header["descr"]]
    count = math.prod(header["shape"])
    return header["shape"], header["descr"], struct.unpack(
        f"<{count}{code}", data[end:])


def make(folder):
    # Small integers: every sum is exact, in any order.
    x = [[i - 2 * k for k in range(8)] for i in range(ROWS)]
    w = [[k - j for j in range(4)] for k in range(8)]
    b = [100 * j for j in range(4)]
    result = [max(0, sum(x[i][k] * w[k][j] for k in range(8)) + b[j])
              for i in range(ROWS) for j in range(4)]
    write(folder / "x.npy", (ROWS, 8), sum(x, []))
    write(folder / "b.npy", (4,), b)
    write(folder / "expected.npy", (ROWS, 4), result)
    write(folder / "zero.npy", (), [0])
    write(folder / "near.npy", (ROWS, 4), [v * 1.001 for v in result])
    write(folder / "nan.npy", (ROWS, 8), [math.nan] * 8 * ROWS)
    write(folder / "rows.npy", (ROWS, 7), [0] * 7 * ROWS)


def main():
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]))
    else:
        print(*read(sys.argv[2]))


if __name__ == "__main__":
    main()
