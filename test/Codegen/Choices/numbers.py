# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numbers.py TOOL FOLDER: runs models with choices on their ops, sensible and
hostile ones, and compares the results with those of the naive pipeline without
any."""

import os
import random
import struct
import subprocess
import sys

# What techniques choose.
SENSIBLE = [
    '{algorithm = {name = "direct"}}',
    '{algorithm = {name = "product"}}',
    '{algorithm = {name = "winograd2"}}',
    '{algorithm = {name = "winograd4"}}',
    '{threads = {count = "1"}}',
    '{threads = {count = "2"}}',
    '{fusion = {with = "none"}}',
    '{fusion = {with = "all"}}',
    '{tiles = {rows = "1", vectors = "1"}}',
    '{tiles = {rows = "7", vectors = "3"}}',
    '{tiles = {rows = "24", vectors = "1"}}',
    '{code = {for = "size"}}',
    '{algorithm = {name = "product"}, tiles = {rows = "5", vectors = "2"}, '
    'threads = {count = "2"}, fusion = {with = "none"}}',
    '{branches = {taken = "3", "not-taken" = "1"}}',
    '{branches = {trips = "5", always = "true"}}',
]
# What files may hold.
HOSTILE = [
    "{}",
    "3 : i64",
    '"winograd4"',
    '["algorithm"]',
    '{algorithm = "product"}',
    '{algorithm = {name = 4 : i64}}',
    '{algorithm = {name = ""}, threads = {}, fusion = {with = ""}}',
    '{algorithm = {name = ["product"]}, tiles = {rows = {}}}',
    '{" " = {" " = ""}, unknown = {x = "1"}}',
    '{threads = {count = "0"}}',
    '{threads = {count = "65536"}}',
    '{threads = {count = "65537"}}',
    '{threads = {count = "-9223372036854775808"}}',
    '{threads = {count = "99999999999999999999999999"}}',
    '{tiles = {rows = "32", vectors = "16"}}',
    '{tiles = {rows = "33", vectors = "0"}}',
    '{tiles = {rows = "0x10", vectors = " 2"}}',
    '{tiles = {rows = "1e3", vectors = "+4"}, threads = {count = "2 "}}',
    '{tiles = {rows = "32"}, code = {for = "size"}, fusion = {with = "all"}}',
    '{code = {for = "speed"}, branches = {taken = "-1", trips = "x"}}',
    '{branches = {taken = "18446744073709551615", "not-taken" = "0", '
    'trips = "18446744073709551615", always = "true"}}',
    '{branches = {trips = "0", always = "true"}}',
    '{branches = {trips = "1", always = "maybe"}, versions = {"1" = "x"}}',
    '{versions = {"1" = "arg9.dim9=1", " " = "", "2" = "arg0=99999999999999999999"'
    '}}',
]


def resources(sizes):
    lines = []
    for name, size in sizes.items():
        values = [(7 * i % 17 - 8) / 8 for i in range(size)]
        data = struct.pack(f"<{size}f", *values).hex()
        lines.append(f'      {name}: "0x04000000{data}"')
    return ("\n{-#\n  dialect_resources: {\n    builtin: {\n" +
            ",\n".join(lines) + "\n    }\n  }\n#-}\n")


class Writer:
    """A function of ops that all carry one choice."""

    def __init__(self, choice):
        self.choice = f"mlirprof.choice = {choice}" if choice else ""
        self.arguments, self.body, self.results = [], [], []
        self.weights = {}

    def argument(self, shape):
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: {shape}")
        return name

    def name(self):
        return f"%v{len(self.body)}"

    def weight(self, shape):
        size = 1
        for dim in shape.split("x"):
            size *= int(dim)
        key = f"w{len(self.weights)}"
        self.weights[key] = size
        name = self.name()
        self.body.append(f"{name} = arith.constant dense_resource<{key}> : "
                         f"tensor<{shape}xf32>")
        return name

    def zeros(self, type):
        empty = self.name()
        self.body.append(f"{empty} = tensor.empty() : {type}")
        name = self.name()
        self.body.append(f"{name} = linalg.fill ins(%zero : f32) outs({empty} : "
                         f"{type}) -> {type}")
        return name

    def op(self, kind, inputs, types, result, attributes=""):
        init = self.zeros(result)
        name = self.name()
        attributes = ", ".join(filter(None, [attributes, self.choice]))
        braces = f" {{{attributes}}}" if attributes else ""
        self.body.append(
            f"{name} = linalg.{kind}{braces} ins({', '.join(inputs)} : "
            f"{', '.join(types)}) outs({init} : {result}) -> {result}")
        return name

    def keep(self, name, type):
        self.results.append((name, type))

    def finish(self, on_function=""):
        names = ", ".join(name for name, _ in self.results)
        types = ", ".join(type for _, type in self.results)
        attributes = f" attributes {{{on_function}}}" if on_function else ""
        lines = "\n  ".join(self.body)
        return (f"func.func @main({', '.join(self.arguments)}) -> ({types})"
                f"{attributes} {{\n  %zero = arith.constant 0.0 : f32\n  {lines}"
                f"\n  return {names} : {types}\n}}\n" + resources(self.weights))


def convolutions(choice):
    writer = Writer(choice)
    # Channels last and first, of 3, 20 and 24, strided, dilated and in groups;
    # with an op behind that may be fused.
    for height, width, channels, filters, stride, dilation in (
            (13, 11, 3, 20, 1, 1), (14, 9, 20, 24, 1, 1), (9, 15, 24, 16, 2, 1),
            (11, 12, 4, 5, 1, 2)):
        rows = (height - 2 * dilation - 1) // stride + 1
        columns = (width - 2 * dilation - 1) // stride + 1
        how = (f"dilations = dense<{dilation}> : tensor<2xi64>, "
               f"strides = dense<{stride}> : tensor<2xi64>")
        for layout in ("nhwc_hwcf", "nchw_fchw"):
            if layout == "nhwc_hwcf":
                image = f"tensor<2x{height}x{width}x{channels}xf32>"
                filter = f"3x3x{channels}x{filters}"
                result = f"tensor<2x{rows}x{columns}x{filters}xf32>"
            else:
                image = f"tensor<2x{channels}x{height}x{width}xf32>"
                filter = f"{filters}x{channels}x3x3"
                result = f"tensor<2x{filters}x{rows}x{columns}xf32>"
            sums = writer.op(f"conv_2d_{layout}",
                             [writer.argument(image), writer.weight(filter)],
                             [image, f"tensor<{filter}xf32>"], result, how)
            writer.keep(writer.op("abs", [sums], [result], result), result)
    image, result = "tensor<1x3x4x8x9xf32>", "tensor<1x3x5x6x7xf32>"
    how = ("dilations = dense<1> : tensor<2xi64>, "
           "strides = dense<1> : tensor<2xi64>")
    writer.keep(writer.op("conv_2d_ngchw_gfchw",
                          [writer.argument(image), writer.weight("3x5x4x3x3")],
                          [image, "tensor<3x5x4x3x3xf32>"], result, how), result)
    image, result = "tensor<1x9x10x24xf32>", "tensor<1x7x8x24xf32>"
    writer.keep(writer.op("depthwise_conv_2d_nhwc_hwc",
                          [writer.argument(image), writer.weight("3x3x24")],
                          [image, "tensor<3x3x24xf32>"], result, how), result)
    return writer.finish()


def products(choice):
    writer = Writer(choice)
    for rows, inner, columns in ((77, 100, 197), (1, 24, 3), (20, 197, 16)):
        left = f"tensor<{rows}x{inner}xf32>"
        result = f"tensor<{rows}x{columns}xf32>"
        x = writer.argument(left)
        product = writer.op("matmul", [x, writer.weight(f"{inner}x{columns}")],
                            [left, f"tensor<{inner}x{columns}xf32>"], result)
        # Two readers of one op, of which one has its result again.
        magnitude = writer.op("abs", [product], [result], result)
        minus = writer.op("negf", [magnitude], [result], result)
        both = writer.op("add", [magnitude, minus], [result] * 2, result)
        twice = writer.op("add", [both, magnitude], [result] * 2, result)
        writer.keep(twice, result)
        writer.keep(minus, result)
        sums = f"tensor<{rows}xf32>"
        init = writer.zeros(sums)
        name = writer.name()
        choice_text = f" {{{writer.choice}}}" if writer.choice else ""
        writer.body.append(
            f"{name} = linalg.reduce {{ arith.addf }} ins({twice} : {result}) "
            f"outs({init} : {sums}) dimensions = [1]{choice_text}")
        writer.keep(name, sums)
    batch = "tensor<3x24x20xf32>"
    writer.keep(writer.op("batch_matmul", [writer.argument(batch),
                                           writer.argument("tensor<3x20x77xf32>")],
                          [batch, "tensor<3x20x77xf32>"], "tensor<3x24x77xf32>"),
                "tensor<3x24x77xf32>")
    return writer.finish()


def functions(choice):
    """Choices on a function, a loop and a branch."""
    on = f"mlirprof.choice = {choice}" if choice else ""
    braces = f" {{{on}}}" if on else ""
    attributes = f" attributes {braces}" if on else ""
    return f"""
func.func @main(%x: tensor<5x24xf32>, %n: i32) -> tensor<5x24xf32>{attributes} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %odd = arith.andi %n, %one : i32
  %isOdd = arith.cmpi eq, %odd, %one : i32
  %e = tensor.empty() : tensor<5x24xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<5x24xf32> {{
    %b = scf.if %isOdd -> tensor<5x24xf32> {{
      %s = linalg.add ins(%t, %x : tensor<5x24xf32>, tensor<5x24xf32>)
        outs(%e : tensor<5x24xf32>) -> tensor<5x24xf32>
      scf.yield %s : tensor<5x24xf32>
    }} else {{
      %s = linalg.negf ins(%t : tensor<5x24xf32>)
        outs(%e : tensor<5x24xf32>) -> tensor<5x24xf32>
      scf.yield %s : tensor<5x24xf32>
    }}{braces}
    scf.yield %b : tensor<5x24xf32>
  }}{braces}
  return %r : tensor<5x24xf32>
}}
"""


def run(tool, text, path, options):
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run([tool, "record", path, "--mode=time", "--iterations=1",
                           *options], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path} {options} ends with {done.returncode}:\n"
                 f"{done.stderr}")


def check(tool, folder, make, choices):
    place = os.path.join(folder, make.__name__)
    results = place + ".results"
    run(tool, make(""), place + ".mlir",
        ["--pipeline=naive", f"--save-results={results}"])
    compared = [f"--compare={name[:-4]}={os.path.join(results, name)}"
                for name in sorted(os.listdir(results))]
    for index, choice in enumerate(choices):
        path = f"{place}.{index}.mlir"
        run(tool, make(choice), path,
            [f"--threads={1 + index % 2}", *compared])
    print(f"{make.__name__}: {len(choices)} choices are right")


def main():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    # Some of the hostile ones for each model, the same ones always.
    rng = random.Random("choices")
    check(tool, folder, convolutions, SENSIBLE[:5] + SENSIBLE[8:13] +
          rng.sample(HOSTILE, 6))
    check(tool, folder, products, SENSIBLE[4:13] + rng.sample(HOSTILE, 10))
    check(tool, folder, functions, SENSIBLE[13:] + HOSTILE)


if __name__ == "__main__":
    main()
