# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a function with many dispatches of one kernel on buffers."""

import sys

print("func.func private @add(memref<4xf32>) attributes {dispatch.kernel}")
print("func.func @main(%x: memref<4xf32>) {")
for number in range(int(sys.argv[1])):
    print("  dispatch.run @add outs(%x : memref<4xf32>) updates [0]"
          f" {{instance = {number} : i32}}")
print("  return\n}")
