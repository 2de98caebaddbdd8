# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""add_weights.py MODEL: prints the model with numbers, eighths from -1 to 1, for
each dense_resource of f32 in it."""

import re
import struct
import sys

text = open(sys.argv[1]).read()
sizes = {}
for name, shape in re.findall(r"dense_resource<(\w+)> : tensor<([\dx]+)xf32>",
                              text):
    sizes[name] = 1
    for size in shape.split("x"):
        sizes[name] *= int(size)
print(text)
print("{-#\n  dialect_resources: {\n    builtin: {")
for last, (name, size) in enumerate(sizes.items(), start=1 - len(sizes)):
    values = [(7 * i % 17 - 8) / 8 for i in range(size)]
    data = struct.pack(f"<{size}f", *values).hex()
    print(f'      {name}: "0x04000000{data}"' + ("" if last == 0 else ","))
print("    }\n  }\n#-}")
