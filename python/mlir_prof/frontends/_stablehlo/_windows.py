# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of pooling: each window selects an element, which gets a value."""

import numpy
from jaxlib.mlir import ir

from ._inline import expand_text
from ._kernel import Kernel, element_of, sizes_of, square, tensor
from ._rewriter import rewrites


class SelectAndScatter:
    """Writes the kernel of one `stablehlo.select_and_scatter` of static shape."""

    def __init__(self, op):
        self.operand, self.source, _ = op.operands
        self.sizes = sizes_of(self.operand)
        rank = len(self.sizes)
        self.window = self.read(op, "window_dimensions", [1] * rank)
        self.strides = self.read(op, "window_strides", [1] * rank)
        self.low = [0] * rank
        if "padding" in op.attributes:
            padding = numpy.array(ir.DenseIntElementsAttr(op.attributes["padding"]))
            self.low = padding.reshape(rank, 2)[:, 0].tolist()
        self.type, self.element = str(self.operand.type), str(element_of(self.operand))
        self.scalar = tensor([], self.element)
        self.kernel = Kernel(list(op.operands), [self.type])
        self.kernel.declare(0, [self.scalar] * 2, ["tensor<i1>"])
        self.kernel.declare(1, [self.scalar] * 2, [self.scalar])

    @staticmethod
    def read(op, name, default):
        if name not in op.attributes:
            return default
        return list(ir.DenseI64ArrayAttr(op.attributes[name]))

    def call(self, region, values, result):
        """A region, of elements."""
        make = self.kernel.value
        values = [make(f"tensor.from_elements {value} : {self.scalar}")
                  for value in values]
        found, = self.kernel.call(region, values, [self.scalar] * 2, [result])
        return make(f"tensor.extract {found}[] : {result}")

    def find(self, places, offsets):
        """The place of an element of a window, and whether it is inside."""
        make, index = self.kernel.value, self.kernel.index
        inside, found = make("arith.constant true"), []
        for place, offset, stride, low, size in zip(places, offsets, self.strides,
                                                    self.low, self.sizes):
            start = make(f"arith.muli {place}, {index(stride)} : index")
            at = make(f"arith.addi {start}, {offset} : index")
            at = make(f"arith.subi {at}, {index(low)} : index")
            # As unsigned numbers, negative ones are large.
            test = make(f"arith.cmpi ult, {at}, {index(size)} : index")
            inside = make(f"arith.andi {inside}, {test} : i1")
            found.append(at)
        return inside, found

    def select(self, places, initial):
        """Whether a window has an element inside, and the place of the selected one."""
        make = self.kernel.value
        types = ["i1", self.element, *["index"] * len(self.sizes)]

        def step(offsets, state):
            inside, at = self.find(places, offsets)

            def compare():
                value = make(f"tensor.extract {self.kernel.operands[0]}{square(at)} : "
                             f"{self.type}")
                keeps = self.call(0, [state[1], value], "tensor<i1>")
                keeps = make(f"arith.andi {keeps}, {state[0]} : i1")
                return [make("arith.constant true"),
                        *(make(f"arith.select {keeps}, {old}, {new} : {type_}")
                          for old, new, type_ in zip(state[1:], [value, *at],
                                                     types[1:]))]

            return self.kernel.choose(inside, types, compare, lambda: state)

        zero = self.kernel.index(0)
        state = self.kernel.nest(
            list(map(self.kernel.index, self.window)),
            [make("arith.constant false"), initial, *[zero] * len(self.sizes)], types,
            step)
        return state[0], state[2:]

    def write(self):
        kernel, make = self.kernel, self.kernel.value
        initial = make(f"tensor.extract {kernel.operands[2]}[] : {self.scalar}")
        result = make(f"tensor.splat {initial} : {self.type}")

        def step(places, state):
            found, at = self.select(places, initial)

            def add():
                old = make(f"tensor.extract {state[0]}{square(at)} : {self.type}")
                value = make(f"tensor.extract {kernel.operands[1]}{square(places)} : "
                             f"{self.source.type}")
                new = self.call(1, [old, value], self.scalar)
                return [make(f"tensor.insert {new} into {state[0]}{square(at)} : "
                             f"{self.type}")]

            return kernel.choose(found, [self.type], add, lambda: state)

        sizes = list(map(kernel.index, sizes_of(self.source)))
        return kernel.text(kernel.nest(sizes, [result], [self.type], step))


@rewrites("stablehlo.select_and_scatter")
def lower_select_and_scatter(op):
    if None in sizes_of(op.operands[0]) + sizes_of(op.operands[1]):
        return None
    return expand_text(op, SelectAndScatter(op).write(), list(op.operands))
