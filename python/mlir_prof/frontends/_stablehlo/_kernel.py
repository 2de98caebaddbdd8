# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written as MLIR text."""

from jaxlib.mlir import ir


def tensor(sizes, element):
    """The text of a tensor type; None is a size that a call chooses."""
    return "tensor<" + "".join(f"{'?' if size is None else size}x"
                               for size in sizes) + f"{element}>"


def sizes_of(value):
    """The sizes of a tensor's dimensions; None for those that a call chooses."""
    type_ = ir.RankedTensorType(value.type)
    return [None if type_.is_dynamic_dim(place) else type_.get_dim_size(place)
            for place in range(type_.rank)]


def element_of(value):
    return ir.RankedTensorType(value.type).element_type


def commas(*parts):
    return ", ".join(str(part) for part in parts)


def square(parts):
    return f"[{commas(*parts)}]"


class Kernel:
    """The text of a function @kernel, written line by line."""

    def __init__(self, operands, results):
        """`operands` have types, `results` are the text of types."""
        self.lines, self.declared = [], []
        self.operands = [f"%operand{place}" for place in range(len(operands))]
        self.types = [str(value.type) for value in operands]
        self.results = list(results)
        self.count = 0

    def add(self, line):
        self.lines.append(line)

    def value(self, line):
        """Adds an op with one result; returns that."""
        self.count += 1
        name = f"%v{self.count}"
        self.add(f"{name} = {line}")
        return name

    def index(self, number):
        return self.value(f"arith.constant {number} : index")

    def size(self, value, type_, sizes, place):
        """The size of a dimension, as an index."""
        if sizes[place] is not None:
            return self.index(sizes[place])
        return self.value(f"tensor.dim {value}, {self.index(place)} : {type_}")

    def declare(self, region, arguments, results):
        """Declares @region0 and so on, which stand for regions of the op."""
        self.declared.append(f"func.func private @region{region}"
                             f"({commas(*arguments)}) -> ({commas(*results)})")

    def call(self, region, values, arguments, results):
        """Calls a region; returns the names of the results."""
        self.count += 1
        name = f"%v{self.count}"
        several = f":{len(results)}" if len(results) > 1 else ""
        self.add(f"{name}{several} = func.call @region{region}({commas(*values)}) : "
                 f"({commas(*arguments)}) -> ({commas(*results)})")
        return ([f"{name}#{place}" for place in range(len(results))]
                if several else [name])

    def loop(self, lower, upper, step, state, types, body):
        """scf.for: `body(number, values)` writes a step and returns the new values;
        returns those after the loop."""
        self.count += 1
        name = f"%v{self.count}"
        inner = [f"%s{self.count}_{place}" for place in range(len(state))]
        carried = commas(*(f"{mine} = {value}" for mine, value in zip(inner, state)))
        self.add(f"{name}:{len(state)} = scf.for %i{self.count} = {lower} to {upper} "
                 f"step {step} iter_args({carried}) -> ({commas(*types)}) {{")
        values = body(f"%i{self.count}", inner)
        self.add(f"scf.yield {commas(*values)} : {commas(*types)}")
        self.add("}")
        return [f"{name}#{place}" for place in range(len(state))]

    def nest(self, sizes, state, types, body):
        """Loops over all places of a space; `body(places, values)` is a step."""
        def descend(places, values):
            if len(places) == len(sizes):
                return body(places, values)
            return self.loop(self.index(0), sizes[len(places)], self.index(1), values,
                             types, lambda place, inner: descend([*places, place],
                                                                 inner))
        return descend([], state)

    def choose(self, condition, types, yes, no):
        """scf.if of two functions that write a branch and return its values."""
        self.count += 1
        name = f"%v{self.count}"
        self.add(f"{name}:{len(types)} = scf.if {condition} -> ({commas(*types)}) {{")
        self.add(f"scf.yield {commas(*yes())} : {commas(*types)}")
        self.add("} else {")
        self.add(f"scf.yield {commas(*no())} : {commas(*types)}")
        self.add("}")
        return [f"{name}#{place}" for place in range(len(types))]

    def text(self, values):
        """The function that returns `values`, with its declarations."""
        arguments = commas(*(f"{name}: {type_}" for name, type_ in
                             zip(self.operands, self.types)))
        results = commas(*self.results)
        return "\n".join([*self.declared,
                          f"func.func @kernel({arguments}) -> ({results}) {{",
                          *self.lines, f"return {commas(*values)} : {results}", "}"])
