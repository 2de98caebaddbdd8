# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""image_graphs.py TOOL FOLDER [COUNT [FIRST]]: random graphs of ops on images,
with their channels first as PyTorch and ONNX write them. The default pipeline
must compute what plain loops do."""

import ast
import pathlib
import random
import struct
import subprocess
import sys

#: Of the largest element. Winograd's algorithm has most of it.
TOLERANCE = 2e-5
ALL = "affine_map<(n, c, h, w) -> (n, c, h, w)>"


def tensor(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


class Graph:
    """A function that is written op by op. Values are (name, shape)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.count = 0

    def emit(self, shape, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        return name, shape

    def constant(self, shape, low=-1.0, high=1.0):
        count = 1
        for size in shape:
            count *= size
        data = struct.pack(f"<{count}f", *(self.random.uniform(low, high)
                                           for _ in range(count)))
        return self.emit(shape, f'arith.constant dense<"0x{data.hex()}"> : '
                                f"{tensor(shape)}")

    def empty(self, shape):
        return self.emit(shape, f"tensor.empty() : {tensor(shape)}")

    def fill(self, shape, value="%zero"):
        empty, _ = self.empty(shape)
        return self.emit(shape, f"linalg.fill ins({value} : f32) "
                                f"outs({empty} : {tensor(shape)}) -> {tensor(shape)}")

    def generic(self, shape, inputs, maps, body):
        """An elementwise op; `body` yields %y from %x0, %x1 and so on."""
        empty, _ = self.empty(shape)
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(tensor(size) for _, size in inputs)
        arguments = "".join(f"%x{i}: f32, " for i in range(len(inputs)))
        iterators = ", ".join(['"parallel"'] * len(shape))
        return self.emit(shape, f"""linalg.generic {{indexing_maps = [{', '.join(maps)}],
    iterator_types = [{iterators}]}} ins({names} : {types})
    outs({empty} : {tensor(shape)}) {{
  ^bb0({arguments}%o: f32):
    {body}
    linalg.yield %y : f32
  }} -> {tensor(shape)}""")

    def pad(self, value, low, high, by="%zero"):
        name, (n, c, h, w) = value
        shape = (n, c, h + low + high, w + low + high)
        return self.emit(shape, f"""tensor.pad {name} low[0, 0, {low}, {low}] high[0, 0, {high}, {high}] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield {by} : f32
  }} : {tensor(value[1])} to {tensor(shape)}""")

    def window(self, op, image, operand, start, stride):
        return self.emit(start[1], f"""linalg.{op} {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}}
    ins({image[0]}, {operand[0]} : {tensor(image[1])}, {tensor(operand[1])})
    outs({start[0]} : {tensor(start[1])}) -> {tensor(start[1])}""")

    def convolution(self, value):
        taps = self.random.choice([1, 3, 3, 3, 5])
        stride = self.random.choice([1, 1, 2])
        if taps > 1 and self.random.random() < 0.8:
            value = self.pad(value, taps // 2, taps // 2)
        n, c, h, w = value[1]
        if min(h, w) < taps:
            return value
        h, w = (h - taps) // stride + 1, (w - taps) // stride + 1
        is_depthwise = self.random.random() < 0.2
        f = c if is_depthwise else self.random.choice([3, 8, 16, 20, 32])
        scale = (taps * taps * (1 if is_depthwise else c)) ** -0.5
        if self.random.random() < 0.5:
            bias = self.constant((f,))
            empty, shape = self.empty((n, f, h, w))
            start = self.emit(shape, f"linalg.broadcast ins({bias[0]} : {tensor((f,))}) "
                                     f"outs({empty} : {tensor(shape)}) dimensions = [0, 2, 3]")
        else:
            start = self.fill((n, f, h, w))
        if is_depthwise:
            weights = self.constant((c, taps, taps), -scale, scale)
            return self.window("depthwise_conv_2d_nchw_chw", value, weights, start, stride)
        weights = self.constant((f, c, taps, taps), -scale, scale)
        return self.window("conv_2d_nchw_fchw", value, weights, start, stride)

    def group(self, value):
        """A convolution of groups of channels, as PyTorch writes it."""
        n, c, h, w = value[1]
        counts = [g for g in (2, 3, 4, 6, 8) if c % g == 0 and c > g]
        if not counts:
            return value
        groups = self.random.choice(counts)
        taps = self.random.choice([1, 3, 3])
        stride, dilation = self.random.choice([(1, 1), (1, 1), (2, 1), (1, 2)])
        reach = (taps - 1) * dilation
        value = self.pad(value, reach // 2, reach // 2)
        f = self.random.choice([c // groups, c // groups, 2, 4, 8, 12, 20])
        if f == 1:
            return value
        h, w = ((size + reach // 2 * 2 - reach - 1) // stride + 1 for size in (h, w))
        if min(h, w) < 1:
            return value

        def split(value, each):
            shape = (n, groups, each, *value[1][2:])
            return self.emit(shape, f"tensor.expand_shape {value[0]} [[0], [1, 2], [3], [4]] "
                                    f"output_shape {list(shape)} : {tensor(value[1])} "
                                    f"into {tensor(shape)}")
        scale = (taps * taps * c / groups) ** -0.5
        weights = self.constant((groups, f, c // groups, taps, taps), -scale, scale)
        image = split(value, c // groups)
        bias = self.constant((groups * f,))
        empty, shape = self.empty((n, groups * f, h, w))
        start = split(self.emit(shape, f"linalg.broadcast ins({bias[0]} : {tensor(bias[1])}) "
                                       f"outs({empty} : {tensor(shape)}) dimensions = [0, 2, 3]"), f)
        parts = self.emit(start[1], f"""linalg.conv_2d_ngchw_gfchw {{dilations = dense<{dilation}> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}}
    ins({image[0]}, {weights[0]} : {tensor(image[1])}, {tensor(weights[1])})
    outs({start[0]} : {tensor(start[1])}) -> {tensor(start[1])}""")
        return self.emit(shape, f"tensor.collapse_shape {parts[0]} [[0], [1, 2], [3], [4]] : "
                                f"{tensor(parts[1])} into {tensor(shape)}")

    def normalize(self, value):
        """A batch normalization, in two ops."""
        c = value[1][1]
        channel = "affine_map<(n, c, h, w) -> (c, 0, 0)>"
        mean, scale = self.constant((c, 1, 1)), self.constant((c, 1, 1), 0.5, 2)
        value = self.generic(value[1], [value, mean], [ALL, channel, ALL],
                             "%y = arith.subf %x0, %x1 : f32")
        return self.generic(value[1], [value, scale], [ALL, channel, ALL],
                            "%y = arith.mulf %x0, %x1 : f32")

    def activate(self, value):
        return self.generic(value[1], [value], [ALL, ALL],
                            "%y = arith.maximumf %x0, %zero : f32")

    def pool(self, value):
        kind, start = self.random.choice([("max", "%least"), ("sum", "%zero")])
        if self.random.random() < 0.5:
            value = self.pad(value, 1, 1, start)
        n, c, h, w = value[1]
        if min(h, w) < 3:
            return value
        shape = (n, c, (h - 3) // 2 + 1, (w - 3) // 2 + 1)
        return self.window(f"pooling_nchw_{kind}", value, self.empty((3, 3)),
                           self.fill(shape, start), 2)

    def join(self, value, other):
        n, c, h, w = value[1]
        shape = (n, c + other[1][1], h, w)
        return self.emit(shape, f"tensor.concat dim(1) {value[0]}, {other[0]} : "
                                f"({tensor(value[1])}, {tensor(other[1])}) -> {tensor(shape)}")

    def add(self, value, other):
        return self.generic(value[1], [value, other], [ALL] * 3,
                            "%y = arith.addf %x0, %x1 : f32")

    def crop(self, value):
        n, c, h, w = value[1]
        shape = (n, c, h - 1, w - 1)
        if min(shape) < 1:
            return value
        return self.emit(shape, f"tensor.extract_slice {value[0]}[0, 0, 1, 0] "
                                f"[{n}, {c}, {h - 1}, {w - 1}] [1, 1, 1, 1] : "
                                f"{tensor(value[1])} to {tensor(shape)}")

    def average(self, value):
        n, c, h, w = value[1]
        shape = (n, c, 1, 1)
        start = self.fill(shape)
        return self.emit(shape, f"""linalg.generic {{indexing_maps = [{ALL}, affine_map<(n, c, h, w) -> (n, c, 0, 0)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}}
    ins({value[0]} : {tensor(value[1])}) outs({start[0]} : {tensor(shape)}) {{
  ^bb0(%x0: f32, %o: f32):
    %s = arith.addf %x0, %o : f32
    linalg.yield %s : f32
  }} -> {tensor(shape)}""")

    def excite(self, value):
        """Scales channels by a function of their mean."""
        n, c, h, w = value[1]
        mean = self.average(value)
        weights = self.constant((c, c, 1, 1), -1 / (c * h * w), 1 / (c * h * w))
        scale = self.window("conv_2d_nchw_fchw", mean, weights,
                            self.fill((n, c, 1, 1)), 1)
        return self.generic(value[1], [value, scale],
                            [ALL, "affine_map<(n, c, h, w) -> (n, c, 0, 0)>", ALL],
                            "%y = arith.mulf %x0, %x1 : f32")

    def regroup(self, value):
        """Splits the channels, scales the groups, and joins them."""
        n, c, h, w = value[1]
        if c % 2:
            return value
        split = (n, 2, c // 2, h, w)
        groups = "[[0], [1, 2], [3], [4]]"
        parts = self.emit(split, f"tensor.expand_shape {value[0]} {groups} output_shape "
                                 f"{list(split)} : {tensor(value[1])} into {tensor(split)}")
        scale = self.constant((2,), 0.5, 2)
        whole = "affine_map<(n, g, c, h, w) -> (n, g, c, h, w)>"
        parts = self.generic(split, [parts, scale],
                             [whole, "affine_map<(n, g, c, h, w) -> (g)>", whole],
                             "%y = arith.mulf %x0, %x1 : f32")
        return self.emit(value[1], f"tensor.collapse_shape {parts[0]} {groups} : "
                                   f"{tensor(split)} into {tensor(value[1])}")

    def flatten(self, value):
        """The pixels of an image as rows of its channels."""
        n, c, h, w = value[1]
        rows = self.emit((n, c, h * w), f"tensor.collapse_shape {value[0]} [[0], [1], [2, 3]] : "
                                        f"{tensor(value[1])} into {tensor((n, c, h * w))}")
        empty, shape = self.empty((n, h * w, c))
        return self.emit(shape, f"linalg.transpose ins({rows[0]} : {tensor(rows[1])}) "
                                f"outs({empty} : {tensor(shape)}) permutation = [0, 2, 1]")

    def build(self):
        size = self.random.choice([12, 14, 16, 21])
        argument = ("%x", (self.random.choice([1, 1, 2]),
                           self.random.choice([3, 16, 24]), size, size))
        values = [self.convolution(argument)]
        for _ in range(self.random.randint(4, 9)):
            value = self.random.choice(values[-3:])
            same = [other for other in values if other[1] == value[1]]
            image = [other for other in values if other[1][2:] == value[1][2:]]
            step = self.random.choice([
                self.convolution, self.convolution, self.group, self.normalize,
                self.activate, self.activate, self.pool, self.crop,
                self.excite, self.regroup,
                lambda value: self.add(value, self.random.choice(same)),
                lambda value: self.join(value, self.random.choice(image))])
            values.append(step(value))
        results = [values[-1], self.random.choice(values)]
        results.append(self.flatten(self.random.choice(values)))
        names = ", ".join(name for name, _ in results)
        types = ", ".join(tensor(shape) for _, shape in results)
        body = "\n".join(self.lines)
        return argument, results, f"""func.func @main(%x: {tensor(argument[1])}) -> ({types}) {{
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1000.0 : f32
{body}
  return {names} : {types}
}}
"""


def read(path):
    data = path.read_bytes()
    begin, size = (10, "<H") if data[6] == 1 else (12, "<I")
    end = begin + struct.unpack(size, data[8:begin])[0]
    header = ast.literal_eval(data[begin:end].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    return struct.unpack(f"<{(len(data) - end) // 4}f", data[end:])


def compare(expected, found):
    """The largest difference, relative to the largest element."""
    if len(expected) != len(found) or any(x != x for x in found):
        return float("inf")
    largest = max(map(abs, expected), default=0) or 1
    return max(map(lambda a, b: abs(a - b), expected, found), default=0) / largest


def check(tool, folder, seed):
    _, results, text = Graph(seed).build()
    model = folder / f"{seed}.mlir"
    model.write_text(text)
    for pipeline in ("naive", "default"):
        subprocess.run(
            [tool, "record", model, "--mode=time", "--iterations=1", "--warm-up=0",
             f"--pipeline={pipeline}", "--input=x=random:1:-1:1",
             f"--threads={1 + seed % 2}",
             f"--save-results={folder / pipeline}", "-o", folder / "run.mlprof"],
            check=True, capture_output=True)
    return max(compare(read(folder / "naive" / f"result{i}.npy"),
                       read(folder / "default" / f"result{i}.npy"))
               for i in range(len(results)))


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for seed in range(first, first + count):
        try:
            error = check(tool, folder, seed)
        except subprocess.CalledProcessError as failure:
            print(seed, failure.stderr.decode()[-2000:])
            error = float("inf")
        if not error <= TOLERANCE:
            print(seed, error)
            wrong += 1
    print(f"{count} graphs, {wrong} wrong")


if __name__ == "__main__":
    main()
