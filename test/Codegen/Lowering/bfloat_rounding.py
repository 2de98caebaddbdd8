# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of f64, and what they are in bf16, by arithmetic without rounding.

usage: bfloat_rounding.py model FILE.mlir      a model that rounds them
       bfloat_rounding.py arguments FILE.npy   what it gets
       bfloat_rounding.py print FILE.mlir      a program that prints the bits
       bfloat_rounding.py check FILE           what either of them has made
"""

import ast
import math
import pathlib
import random
import struct
import sys
from fractions import Fraction

LARGEST = Fraction(255, 128) * 2**127


def make_numbers():
    generator = random.Random(3)
    numbers = [0.0, math.inf, math.nan, 1.7976931348623157e308, 5e-324, 3.4e38,
               float(LARGEST), float(LARGEST) * (1 + 2**-9),
               float(LARGEST) * (1 + 2**-9 - 2**-30), 2.0**-150, 2.0**-126]
    for exponent in (0, 100, -40, -125, 127, -127):
        for odd in (0, 1):
            middle = 1 + odd * 2**-7 + 2**-8
            # In f32 all of these are the middle itself.
            for step in (0, 2**-40, -(2**-40), 2**-52, -(2**-52), 2**-25):
                numbers.append(math.ldexp(middle + step, exponent))
    for _ in range(200):
        numbers.append(math.ldexp(generator.uniform(1, 2),
                                  generator.randint(-126, 127)))
    # Those below 2^-126 are left to processors, some of which make them 0.
    numbers = [x for x in numbers if math.isnan(x) or abs(x) >= 2**-126 or
               abs(x) < 2.0**-140]
    return numbers + [-x for x in numbers]


def get_bits(number):
    """Of the nearest number of bf16, the even one of two."""
    if math.isnan(number):
        return None
    sign = 0x8000 if math.copysign(1, number) < 0 else 0
    if math.isinf(number):
        return sign | 0x7F80
    exact = abs(Fraction(number))
    exponent = max(math.frexp(number)[1] - 1, -126) if number else -126
    unit = Fraction(2) ** (exponent - 7)
    # Python rounds fractions to even.
    rounded = round(exact / unit) * unit
    if rounded > LARGEST:
        return sign | 0x7F80
    return sign | struct.unpack("<I", struct.pack("<f", float(rounded)))[0] >> 16


def write_model(numbers):
    size = len(numbers)
    return f"""
#map = affine_map<(i) -> (i)>
func.func @main(%x: tensor<{size}xf64>) -> tensor<{size}xbf16> {{
  %e = tensor.empty() : tensor<{size}xbf16>
  %r = linalg.generic {{indexing_maps = [#map, #map],
                       iterator_types = ["parallel"]}}
      ins(%x : tensor<{size}xf64>) outs(%e : tensor<{size}xbf16>) {{
    ^bb0(%a: f64, %b: bf16):
      %c = arith.truncf %a : f64 to bf16
      linalg.yield %c : bf16
  }} -> tensor<{size}xbf16>
  return %r : tensor<{size}xbf16>
}}
"""


def write_program(numbers):
    lines = []
    for number in numbers:
        bits = struct.unpack("<Q", struct.pack("<d", number))[0]
        lines.append(f"""  %x{len(lines)} = arith.constant {bits:#x} : f64
  func.call @round(%x{len(lines)}) : (f64) -> ()
""")
    return """
func.func private @printI64(i64)
func.func private @printNewline()
func.func @round(%x: f64) attributes {no_inline} {
  %r = arith.truncf %x : f64 to bf16
  %b = arith.bitcast %r : bf16 to i16
  %i = arith.extui %b : i16 to i64
  func.call @printI64(%i) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
func.func @main() {
""" + "".join(lines) + "  return\n}\n"


def write_arguments(path, numbers):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    header = header.ljust(128 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                     header.encode() + struct.pack(f"<{len(numbers)}d", *numbers))


def read_bits(path):
    data = path.read_bytes()
    if not data.startswith(b"\x93NUMPY"):
        return [int(line) for line in data.split()]
    begin, size = (10, "<H") if data[6] == 1 else (12, "<I")
    end = begin + struct.unpack(size, data[8:begin])[0]
    header = ast.literal_eval(data[begin:end].decode())
    assert header["descr"][1:] == "V2", header
    return list(struct.unpack(f"<{len(data[end:]) // 2}H", data[end:]))


def check(path, numbers):
    found = read_bits(path)
    assert len(found) == len(numbers), (len(found), len(numbers))
    wrong = 0
    for number, bits in zip(numbers, found):
        expected = get_bits(number)
        is_right = (bits & 0x7F80 == 0x7F80 and bits & 0x7F
                    if expected is None else bits == expected)
        if not is_right:
            wrong += 1
            print(f"{number.hex()}: {bits:#06x} instead of {expected}")
    print(f"{len(numbers)} numbers, {wrong} wrong")


def main():
    numbers, path = make_numbers(), pathlib.Path(sys.argv[2])
    if sys.argv[1] == "model":
        path.write_text(write_model(numbers))
    elif sys.argv[1] == "print":
        path.write_text(write_program(numbers))
    elif sys.argv[1] == "arguments":
        write_arguments(path, numbers)
    else:
        check(path, numbers)


if __name__ == "__main__":
    main()
