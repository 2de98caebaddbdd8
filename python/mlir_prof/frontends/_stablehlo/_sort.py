# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting: a stable merge sort of each row, from runs of one element up."""

from jaxlib.mlir import ir

from ._inline import expand_text
from ._kernel import Kernel, element_of, sizes_of, square, tensor
from ._rewriter import rewrites


class Rows:
    """Rows along one dimension, which a kernel treats alike."""

    def __init__(self, operands, dimension):
        self.dimension = dimension
        self.sizes = sizes_of(operands[0])
        self.elements = [str(element_of(value)) for value in operands]
        self.types = [str(value.type) for value in operands]

    def row_types(self, size):
        return [tensor([size], element) for element in self.elements]

    def slice_of(self, places, size):
        """Offsets, sizes and strides of the row at the places of the others."""
        offsets = [*places[:self.dimension], 0, *places[self.dimension:]]
        sizes = [1] * len(self.sizes)
        sizes[self.dimension] = size
        return f"{square(offsets)} {square(sizes)} {square([1] * len(sizes))}"


def count_passes(kernel, size, length):
    """How often two passes must double the length of sorted runs twice."""
    if size is not None:
        return kernel.index((max(size - 1, 0).bit_length() + 1) // 2)
    one = kernel.index(1)
    last = kernel.value(f"arith.subi {length}, {one} : index")
    last = kernel.value(f"arith.index_cast {last} : index to i64")
    unused = kernel.value(f"math.ctlz {last} : i64")
    unused = kernel.value(f"arith.index_cast {unused} : i64 to index")
    used = kernel.value(f"arith.subi {kernel.index(65)}, {unused} : index")
    return kernel.value(f"arith.divui {used}, {kernel.index(2)} : index")


class MergeSort:
    """Writes the sort of one row; `less(first, second)` writes a comparison of lists
    of scalars."""

    def __init__(self, kernel, types, elements, length, less):
        self.kernel, self.types, self.elements = kernel, types, elements
        self.length, self.less = length, less
        self.zero, self.one = kernel.index(0), kernel.index(1)
        self.last = self.add("subi", length, self.one)

    def add(self, name, *operands):
        return self.kernel.value(f"arith.{name} {', '.join(operands)} : index")

    def read(self, row, place):
        place = self.add("minsi", place, self.last)
        return [self.kernel.value(f"tensor.extract {values}[{place}] : {type_}")
                for values, type_ in zip(row, self.types)]

    def take(self, source, target, out, left, right, ends):
        """Puts the next element of two runs at `out`; returns the new state."""
        make = self.kernel.value
        first, second = self.read(source, left), self.read(source, right)
        has_left, has_right = (make(f"arith.cmpi slt, {place}, {end} : index")
                               for place, end in zip((left, right), ends))
        none_left = make(f"arith.xori {has_left}, {make('arith.constant true')} : i1")
        smaller = make(f"arith.ori {none_left}, {self.less(second, first)} : i1")
        right_one = make(f"arith.andi {has_right}, {smaller} : i1")
        step = make(f"arith.index_castui {right_one} : i1 to index")
        new = []
        for one, two, values, element, type_ in zip(first, second, target,
                                                    self.elements, self.types):
            chosen = make(f"arith.select {right_one}, {two}, {one} : {element}")
            new.append(make(f"tensor.insert {chosen} into {values}[{out}] : {type_}"))
        other = self.add("subi", self.one, step)
        return [self.add("addi", left, other), self.add("addi", right, step), *new]

    def merge(self, source, target, width):
        """Merges neighboring runs of `width` elements."""
        def pair(low, values):
            middle = self.add("minsi", self.add("addi", low, width), self.length)
            high = self.add("minsi", self.add("addi", middle, width), self.length)
            return self.kernel.loop(
                low, high, self.one, [low, middle, *values],
                ["index", "index", *self.types],
                lambda out, state: self.take(source, state[2:], out, *state[:2],
                                             (middle, high)))[2:]
        both = self.add("addi", width, width)
        return self.kernel.loop(self.zero, self.length, both, target, self.types, pair)

    def sort(self, row, passes):
        """The sorted row. Each step merges into a second buffer and back. That
        begins as a copy: `tensor.empty` of alike types would become one buffer."""
        def step(number, state):
            count = len(self.types)
            twice = self.add("addi", number, number)
            width = self.add("shli", self.one, twice)
            there = self.merge(state[:count], state[count:], width)
            back = self.merge(there, state[:count], self.add("addi", width, width))
            return [*back, *there]

        return self.kernel.loop(self.zero, passes, self.one, [*row, *row],
                                [*self.types, *self.types], step)[:len(self.types)]


def sort_rows(kernel, rows, less):
    """Sorts the kernel's operands; returns the results."""
    sizes, dimension = rows.sizes, rows.dimension
    lengths = [kernel.size(kernel.operands[0], rows.types[0], sizes, place)
               for place in range(len(sizes))]
    length = lengths.pop(dimension)
    passes = count_passes(kernel, sizes[dimension], length)
    types = rows.row_types(sizes[dimension])
    size = length if sizes[dimension] is None else sizes[dimension]

    def sort_row(places, values):
        where = rows.slice_of(places, size)
        row = [kernel.value(f"tensor.extract_slice {value}{where} : {whole} to {part}")
               for value, whole, part in zip(values, rows.types, types)]
        done = MergeSort(kernel, types, rows.elements, length, less).sort(row, passes)
        return [kernel.value(f"tensor.insert_slice {part} into {value}{where} : "
                             f"{of} into {whole}")
                for part, value, of, whole in zip(done, values, types, rows.types)]

    return kernel.nest(lengths, kernel.operands, rows.types, sort_row)


@rewrites("stablehlo.sort")
def lower_sort(op):
    operands = list(op.operands)
    rows = Rows(operands, ir.IntegerAttr(op.attributes["dimension"]).value
                % len(sizes_of(operands[0])))
    kernel = Kernel(operands, rows.types)
    arguments = [tensor([], element) for element in rows.elements for _ in range(2)]
    kernel.declare(0, arguments, ["tensor<i1>"])

    def less(first, second):
        pairs = [kernel.value(f"tensor.from_elements {value} : tensor<{element}>")
                 for one, two, element in zip(first, second, rows.elements)
                 for value in (one, two)]
        found, = kernel.call(0, pairs, arguments, ["tensor<i1>"])
        return kernel.value(f"tensor.extract {found}[] : tensor<i1>")

    return expand_text(op, kernel.text(sort_rows(kernel, rows, less)), operands)
