# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function of tensors as MLIR text."""

import math
import re


class Type:
    """A ranked tensor type: "tensor<4x?xf32>"."""

    def __init__(self, text):
        self.text = text
        *sizes, self.element = re.fullmatch(r"tensor<(.*)>", text)[1].split("x")
        if "complex" in text:
            raise ValueError("kernels take no complex numbers")
        self.shape = [None if size == "?" else int(size) for size in sizes]

    def with_shape(self, shape):
        sizes = "".join(f"{'?' if size is None else size}x" for size in shape)
        return Type(f"tensor<{sizes}{self.element}>")

    def with_element(self, element):
        return Type(f"tensor<{'x'.join([*self.text[7:-1].split('x')[:-1], element])}>")

    @property
    def rank(self):
        return len(self.shape)

    @property
    def is_float(self):
        return not self.element.startswith("i")

    def __str__(self):
        return self.text


def place(offsets, sizes):
    """Where a slice lies, with steps of 1."""
    return "".join("[" + ", ".join(map(str, numbers)) + "]"
                   for numbers in (offsets, sizes, [1] * len(sizes)))


#: Infinity, by element type; the sign is the highest bit.
INFINITIES = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF << 52}


def write_float(number, element):
    """A number as MLIR reads it: with a point, also before an exponent; infinities as
    bits."""
    if math.isinf(number):
        sign = 1 << int(element.strip("bf")) - 1 if number < 0 else 0
        return f"0x{sign | INFINITIES[element]:X}"
    text = repr(float(number))
    return text if "." in text else text.replace("e", ".0e")


class Writer:
    """Appends operations to the body of a function."""

    def __init__(self, operands, results):
        self.operands = [Type(text) for text in operands]
        self.results = [Type(text) for text in results]
        self.arguments = [f"%arg{place}" for place in range(len(operands))]
        self.lines = []
        self.count = 0

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def do(self, text):
        self.lines.append(text)

    def let(self, text):
        """Names the result of an operation."""
        name = self.fresh()
        self.do(f"{name} = {text}")
        return name

    def index(self, number):
        return self.let(f"arith.constant {number} : index")

    def constant(self, number, element):
        if not element.startswith("i"):
            number = write_float(number, element)
        elif element == "i1":
            return self.let(f"arith.constant {'true' if number else 'false'}")
        return self.let(f"arith.constant {number} : {element}")

    def size(self, value, kind, axis):
        """A dimension of a tensor."""
        if kind.shape[axis] is not None:
            return self.index(kind.shape[axis])
        return self.let(f"tensor.dim {value}, {self.index(axis)} : {kind}")

    def dims(self, value, kind):
        """The dimensions as slices state them: numbers where they are known."""
        return [size if size is not None else self.size(value, kind, axis)
                for axis, size in enumerate(kind.shape)]

    def slice(self, value, kind, offsets, sizes, result):
        """A part of a tensor; leading dimensions of size 1 may be dropped."""
        return self.let(f"tensor.extract_slice {value}{place(offsets, sizes)} : "
                        f"{kind} to {result}")

    def put(self, part, part_kind, value, kind, offsets, sizes):
        """The tensor with another part."""
        return self.let(f"tensor.insert_slice {part} into {value}"
                        f"{place(offsets, sizes)} : {part_kind} into {kind}")

    def broadcast(self, value, kind, result, sizes):
        """A row for each row of a matrix."""
        return self.let(f"linalg.broadcast ins({value} : {kind}) "
                        f"outs({self.empty(result, sizes)} : {result}) "
                        "dimensions = [0]")

    def empty(self, kind, sizes):
        """A tensor without values; `sizes` are values for all dimensions."""
        dynamic = ", ".join(size for size, known in zip(sizes, kind.shape)
                            if known is None)
        return self.let(f"tensor.empty({dynamic}) : {kind}")

    def fill(self, kind, sizes, number):
        value = self.constant(number, kind.element)
        return self.let(f"linalg.fill ins({value} : {kind.element}) "
                        f"outs({self.empty(kind, sizes)} : {kind}) -> {kind}")

    def map(self, value, source, kind, sizes, body):
        """`body(number)` of each number."""
        axes = ", ".join(f"d{axis}" for axis in range(kind.rank))
        loops = ", ".join(['"parallel"'] * kind.rank)
        out = self.empty(kind, sizes)
        name, number = self.fresh(), self.fresh()
        maps = ", ".join([f"affine_map<({axes}) -> ({axes})>"] * 2)
        self.do(f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = "
                f"[{loops}]}} ins({value} : {source}) outs({out} : {kind}) {{")
        self.do(f"^bb0({number}: {source.element}, {self.fresh()}: {kind.element}):")
        self.do(f"linalg.yield {body(number)} : {kind.element}")
        self.do(f"}} -> {kind}")
        return name

    def load(self, value, kind, indices):
        return self.let(f"tensor.extract {value}[{', '.join(indices)}] : {kind}")

    def store(self, scalar, value, kind, indices):
        return self.let(f"tensor.insert {scalar} into {value}[{', '.join(indices)}] "
                        f": {kind}")

    def loop(self, low, high, values, kinds, body):
        """A loop that carries values; `body(index, values)` returns the next ones.
        """
        index, step = self.fresh(), self.index(1)
        inner = [self.fresh() for _ in values]
        name = self.fresh()
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(inner, values))
        types = ", ".join(map(str, kinds))
        self.do(f"{name}:{len(values)} = scf.for {index} = {low} to {high} step {step} "
                f"iter_args({pairs}) -> ({types}) {{")
        self.do(f"scf.yield {', '.join(body(index, inner))} : {types}")
        self.do("}")
        return [f"{name}#{place}" for place in range(len(values))]

    def choose(self, condition, kinds, then, otherwise):
        """The results of one of two functions."""
        name = self.fresh()
        types = ", ".join(map(str, kinds))
        self.do(f"{name}:{len(kinds)} = scf.if {condition} -> ({types}) {{")
        self.do(f"scf.yield {', '.join(then())} : {types}")
        self.do("} else {")
        self.do(f"scf.yield {', '.join(otherwise())} : {types}")
        self.do("}")
        return [f"{name}#{place}" for place in range(len(kinds))]

    def repeat(self, values, kinds, condition, body):
        """Carries values while `condition(values)` holds; `body(values)` returns the
        next ones."""
        name = self.fresh()
        types = ", ".join(map(str, kinds))
        before = [self.fresh() for _ in values]
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(before, values))
        self.do(f"{name}:{len(values)} = scf.while ({pairs}) : ({types}) -> ({types}) "
                "{")
        self.do(f"scf.condition({condition(before)}) {', '.join(before)} : {types}")
        self.do("} do {")
        after = [self.fresh() for _ in values]
        arguments = ", ".join(f"{a}: {kind}" for a, kind in zip(after, kinds))
        self.do(f"^bb0({arguments}):")
        self.do(f"scf.yield {', '.join(body(after))} : {types}")
        self.do("}")
        return [f"{name}#{place}" for place in range(len(values))]

    def nest(self, bounds, values, kinds, body):
        """Nested loops from 0; `body(indices, values)` is the innermost."""
        def enter(indices, values):
            if len(indices) == len(bounds):
                return body(indices, values)
            return self.loop(self.index(0), bounds[len(indices)], values, kinds,
                             lambda i, inner: enter([*indices, i], inner))
        return enter([], values)

    def text(self, *returned):
        arguments = ", ".join(f"{name}: {kind}" for name, kind in
                              zip(self.arguments, self.operands))
        types = ", ".join(map(str, self.results))
        body = "\n".join(self.lines)
        return (f"func.func private @kernel({arguments}) -> ({types}) {{\n{body}\n"
                f"return {', '.join(returned)} : {types}\n}}\n")
