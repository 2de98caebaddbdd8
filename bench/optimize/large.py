#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of many ops, few of which take nearly all of the time.

  python bench/optimize/large.py FILE.mlir [--ops=2000] [--hot=40] [--size=800]
      [--choose=none|cold]

Consecutive large matrix products, with chains of small ops of many shapes
between them: products, row sums, softmax, transpositions, elementwise ops.
Each chain ends in one number of the second result. --choose=cold adds the
choice to compile for size to each small op. The same arguments give the same
file.
"""

import argparse
import random

COLD = 'mlirprof.choice = {code = {for = "size"}}'


def tensor(*shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f32>"


def identity(rank, kept=None):
    names = [f"d{i}" for i in range(rank)]
    kept = range(rank) if kept is None else kept
    return (f"affine_map<({', '.join(names)}) -> "
            f"({', '.join(names[i] for i in kept)})>")


class Writer:
    """Lines of MLIR. A value is its name and its shape."""

    def __init__(self, seed, choose):
        self.random = random.Random(seed)
        self.lines, self.constants, self.count, self.ops = [], {}, 0, 0
        self.choose, self.attributes = choose, ""

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def begin(self, is_cold):
        """Starts ops of another kind."""
        is_chosen = is_cold and self.choose == "cold"
        self.attributes = COLD if is_chosen else ""

    def constant(self, value):
        return self.constants.setdefault(value, f"%c{len(self.constants)}")

    def filled(self, shape, value=0.0):
        empty, fill, type = self.fresh(), self.fresh(), tensor(*shape)
        self.lines += [
            f"{empty} = tensor.empty() : {type}",
            f"{fill} = linalg.fill {self.braces()}ins({self.constant(value)} : f32) "
            f"outs({empty} : {type}) -> {type}"]
        return fill

    def braces(self):
        return f"{{{self.attributes}}} " if self.attributes else ""

    def op(self, text, shape):
        self.ops += 1
        result = self.fresh()
        self.lines.append(f"{result} = {text} -> {tensor(*shape)}")
        return result, shape

    def product(self, a, b):
        shape = a[1][0], b[1][1]
        return self.op(
            f"linalg.matmul {self.braces()}ins({a[0]}, {b[0]} : "
            f"{tensor(*a[1])}, {tensor(*b[1])}) "
            f"outs({self.filled(shape)} : {tensor(*shape)})", shape)

    def generic(self, inputs, maps, shape, kinds, start, body):
        """`body`: lines that compute %r from %0, %1 ... and the result's %o.
        """
        out, type = self.fresh(), tensor(*shape)
        if start is None:
            self.lines.append(f"{out} = tensor.empty() : {type}")
        else:
            out = self.filled(shape, start)
        types = ", ".join(tensor(*value[1]) for value in inputs)
        names = [f"%a{i}: f32" for i in range(len(inputs))] + ["%o: f32"]
        attributes = f" attrs = {{{self.attributes}}}" if self.attributes else ""
        return self.op(
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{', '.join(kinds)}]}} "
            f"ins({', '.join(v[0] for v in inputs)} : {types}) "
            f"outs({out} : {type}){attributes} {{\n"
            f"  ^bb0({', '.join(names)}):\n    {body}\n"
            f"    linalg.yield %r : f32\n  }}", shape)

    def pointwise(self, inputs, body):
        """Inputs with the shape of the first one; smaller ones are broadcast.
        """
        shape = inputs[0][1]
        rank = len(shape)
        maps = [identity(rank, range(len(value[1]))) for value in inputs]
        return self.generic(inputs, maps + [identity(rank)], shape,
                            ['"parallel"'] * rank, None, body)

    def row_sums(self, x):
        return self.generic([x], [identity(2), identity(2, [0])], x[1][:1],
                            ['"parallel"', '"reduction"'], 0.0,
                            "%r = arith.addf %a0, %o : f32")

    def transpose(self, x):
        shape = x[1][::-1]
        return self.generic([x], [identity(2, [1, 0]), identity(2)], shape,
                            ['"parallel"'] * 2, None,
                            "%r = arith.addf %a0, %a0 : f32")

    def softmax(self, x):
        self.ops += 1
        out, result, type = self.fresh(), self.fresh(), tensor(*x[1])
        self.lines += [
            f"{out} = tensor.empty() : {type}",
            f"{result} = linalg.softmax {self.braces()}dimension(1) "
            f"ins({x[0]} : {type}) outs({out} : {type}) -> {type}"]
        return result, x[1]

    def sum(self, x):
        return self.generic([x], [identity(1), identity(1, [])], (),
                            ['"reduction"'], 0.0,
                            "%r = arith.addf %a0, %o : f32")


#: Bodies of elementwise ops of one input.
UNARY = [
    "%r = math.tanh %a0 : f32",
    "%n = arith.negf %a0 : f32\n    %e = math.exp %n : f32\n"
    "    %one = arith.constant 1.0 : f32\n    %s = arith.addf %e, %one : f32\n"
    "    %r = arith.divf %one, %s : f32",
    "%z = arith.constant 0.0 : f32\n    %r = arith.maximumf %a0, %z : f32",
    "%h = arith.constant 0.5 : f32\n    %r = arith.mulf %a0, %h : f32",
]
SUBTRACT = "%r = arith.subf %a0, %a1 : f32"


def write_chain(writer, x, length):
    """Up to `length` small ops, one of which ends in a number."""
    random = writer.random
    begin = writer.ops
    while writer.ops - begin < length - 2:
        kind = random.choice(["product", "unary", "unary", "center", "transpose",
                              "softmax"])
        rows, columns = x[1]
        if kind == "product":
            # x times itself, which does not need weights; then scaled.
            y = writer.product(x, writer.transpose(x))
            scale = f"{1.0 / columns:e}"
            x = writer.pointwise(
                [y], f"%k = arith.constant {scale} : f32\n"
                "    %r = arith.mulf %a0, %k : f32")
        elif kind == "unary":
            x = writer.pointwise([x], random.choice(UNARY))
        elif kind == "center":
            sums = writer.row_sums(x)
            x = writer.pointwise([x, sums], SUBTRACT)
            x = writer.pointwise([x], UNARY[0])
        elif kind == "transpose":
            x = writer.transpose(x)
        else:
            x = writer.softmax(x)
    return writer.sum(writer.row_sums(x))


def write(ops, hot, size, seed, choose):
    """The model as text."""
    writer = Writer(seed, choose)
    random = writer.random
    # Squares share one weight.
    hot_chain = ("%x", (size, size))
    chains = max(1, hot)
    each = max(8, (ops - 2 * hot) // chains)
    numbers, arguments = [], [f"%x: {tensor(size, size)}",
                              f"%w: {tensor(size, size)}"]
    for index in range(chains):
        if index < hot:
            writer.begin(is_cold=False)
            y = writer.product(hot_chain, ("%w", (size, size)))
            hot_chain = writer.pointwise(
                [y], f"%k = arith.constant {size ** -0.5:e} : f32\n"
                "    %r = arith.mulf %a0, %k : f32")
        writer.begin(is_cold=True)
        shape = random.randint(3, 40), random.randint(3, 40)
        arguments.append(f"%s{index}: {tensor(*shape)}")
        numbers.append(write_chain(writer, (f"%s{index}", shape), each)[0])
    values = []
    for number in numbers:
        values.append(writer.fresh())
        writer.lines.append(
            f"{values[-1]} = tensor.extract {number}[] : tensor<f32>")
    result = writer.fresh()
    type = tensor(len(values))
    writer.lines.append(
        f"{result} = tensor.from_elements {', '.join(values)} : {type}")
    hot_type = tensor(size, size)
    constants = [f"{name} = arith.constant {value} : f32"
                 for value, name in writer.constants.items()]
    body = "\n".join(f"  {line}" for line in constants + writer.lines)
    return (f"// {writer.ops} ops.\n"
            f"func.func @large({', '.join(arguments)}) -> ({hot_type}, {type}) "
            f"{{\n{body}\n  return {hot_chain[0]}, {result} : "
            f"{hot_type}, {type}\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--ops", type=int, default=2000)
    parser.add_argument("--hot", type=int, default=40)
    parser.add_argument("--size", type=int, default=800)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--choose", choices=["none", "cold"], default="none")
    options = parser.parse_args()
    with open(options.file, "w") as file:
        file.write(write(options.ops, options.hot, options.size, options.seed,
                         options.choose))


if __name__ == "__main__":
    main()
