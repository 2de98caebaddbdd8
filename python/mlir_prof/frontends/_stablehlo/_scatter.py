# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scattering: a loop over the indices, each of which updates a window."""

from jaxlib.mlir.dialects import stablehlo

from ._inline import expand_text
from ._kernel import Kernel, commas, element_of, sizes_of, square, tensor
from ._rewriter import is_unsigned, rewrites


class Scatter:
    """Writes the kernel of one `stablehlo.scatter`."""

    def __init__(self, op):
        count = len(op.results)
        operands = list(op.operands)
        self.inputs, self.indices = operands[:count], operands[count]
        self.updates = operands[count + 1:]
        self.numbers = stablehlo.ScatterDimensionNumbers(
            op.attributes["scatter_dimension_numbers"])
        self.types = [str(value.type) for value in self.inputs]
        self.elements = [str(element_of(value)) for value in self.inputs]
        self.kernel = Kernel(operands, self.types)
        names = self.kernel.operands
        self.index_name, self.update_names = names[count], names[count + 1:]
        self.sizes = sizes_of(self.inputs[0])
        self.find_window()

    def find_window(self):
        """The sizes of a window: of one element in the dimensions that updates do
        not have."""
        numbers, updates = self.numbers, sizes_of(self.updates[0])
        self.window_places = list(numbers.update_window_dims)
        self.outer = [place for place in range(len(updates))
                      if place not in self.window_places]
        alone = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
        sizes = iter(self.window_places)
        self.window, self.update_of = [], {}
        for place in range(len(self.sizes)):
            if place not in alone:
                self.update_of[place] = next(sizes)
            self.window.append(1 if place in alone else updates[self.update_of[place]])

    def read_start(self, places):
        """Where the window of the indices at `places` begins, as {dimension: index},
        for the dimensions that have indices."""
        kernel, numbers = self.kernel, self.numbers
        cast = "index_castui" if is_unsigned(self.indices.type) else "index_cast"
        element, start = element_of(self.indices), {}
        sizes = sizes_of(self.indices)
        for number, place in enumerate(numbers.scattered_dims_to_operand_dims):
            where = list(places)
            if numbers.index_vector_dim < len(sizes):
                where.insert(numbers.index_vector_dim, kernel.index(number))
            read = kernel.value(f"tensor.extract {self.index_name}{square(where)} : "
                                f"{self.indices.type}")
            read = self.bare(read, element)
            start[place] = kernel.value(
                f"arith.{cast} {read} : {str(element).lstrip('su')} to index")
        return start

    def bare(self, value, element):
        """The integer without a sign."""
        bare = str(element).lstrip("su")
        return value if bare == str(element) else self.kernel.value(
            f"builtin.unrealized_conversion_cast {value} : {element} to {bare}")

    def is_inside(self, start, sizes, window):
        """Whether the whole window is inside: else its update is dropped."""
        make = self.kernel.value
        zero, inside = self.kernel.index(0), make("arith.constant true")
        for place, value in start.items():
            last = make(f"arith.subi {sizes[place]}, {window[place]} : index")
            for test in (f"sge, {value}, {zero}", f"sle, {value}, {last}"):
                found = make(f"arith.cmpi {test} : index")
                inside = make(f"arith.andi {inside}, {found} : i1")
        return inside

    def batches(self, places):
        """Batch dimensions run along with the indices."""
        dims = list(self.numbers.scatter_indices_batching_dims)
        vector = self.numbers.index_vector_dim
        return {place: places[dim - (dim > vector)] for place, dim in
                zip(self.numbers.input_batching_dims, dims)}

    def combine(self, state, parts):
        """Applies the op's region to each element of the windows."""
        types = [tensor(self.window, element) for element in self.elements]
        ranks = len(self.window)
        dims = commas(*(f"d{place}" for place in range(ranks)))
        maps = commas(*[f"affine_map<({dims}) -> ({dims})>"] * (2 * len(state)))
        kinds = commas(*['"parallel"'] * ranks)
        olds = [f"%old{place}" for place in range(len(state))]
        news = [f"%new{place}" for place in range(len(state))]
        self.kernel.count += 1
        name, kernel = f"%v{self.kernel.count}", self.kernel
        kernel.add(f"{name}:{len(state)} = linalg.generic {{indexing_maps = [{maps}], "
                   f"iterator_types = [{kinds}]}} ins({commas(*parts)} : "
                   f"{commas(*types)}) outs({commas(*state)} : {commas(*types)}) {{")
        kernel.add("^bb0(" + commas(*(f"{value}: {element}" for value, element in zip(
            [*news, *olds], self.elements * 2))) + "):")
        values = self.call_region([*olds, *news])
        kernel.add(f"linalg.yield {commas(*values)} : {commas(*self.elements)}")
        kernel.add(f"}} -> ({commas(*types)})")
        return [f"{name}#{place}" for place in range(len(state))]

    def call_region(self, scalars):
        """The op's region of scalars; returns scalars."""
        results = [tensor([], element) for element in self.elements]
        values = [self.kernel.value(f"tensor.from_elements {value} : {type_}")
                  for value, type_ in zip(scalars, results * 2)]
        return [self.kernel.value(f"tensor.extract {value}[] : {type_}")
                for value, type_ in zip(
                    self.kernel.call(0, values, results * 2, results), results)]

    def update_window(self, places, start, window, state):
        """The state with one window updated."""
        kernel, ones = self.kernel, [1] * len(self.sizes)
        begin = [start.get(place, 0) for place in range(len(self.sizes))]
        where = f"{square(begin)} {square(window)} {square(ones)}"
        types = [tensor(self.window, element) for element in self.elements]
        old = [kernel.value(f"tensor.extract_slice {value}{where} : {whole} to {type_}")
               for value, whole, type_ in zip(state, self.types, types)]
        new = self.combine(old, [
            self.read_update(name, value, places, type_, window)
            for name, value, type_ in zip(self.update_names, self.updates, types)])
        return [kernel.value(f"tensor.insert_slice {part} into {value}{where} : "
                             f"{type_} into {whole}")
                for part, value, type_, whole in zip(new, state, types, self.types)]

    def read_update(self, name, value, places, type_, window):
        """The update for the indices at `places`, in the form of the window."""
        rank = len(self.outer) + len(self.window_places)
        offsets, sizes, shape = [0] * rank, [1] * rank, [1] * rank
        for place, outer in zip(places, self.outer):
            offsets[outer] = place
        for place, update in self.update_of.items():
            sizes[update], shape[update] = window[place], self.window[place]
        part = tensor(shape, element_of(value))
        read = self.kernel.value(
            f"tensor.extract_slice {name}{square(offsets)} {square(sizes)} "
            f"{square([1] * rank)} : {value.type} to {part}")
        # Only dimensions of one element come and go.
        return read if part == type_ else self.kernel.value(
            f"stablehlo.reshape {read} : ({part}) -> {type_}")

    def write(self):
        kernel = self.kernel
        kernel.declare(0, [tensor([], element) for element in self.elements * 2],
                       [tensor([], element) for element in self.elements])
        update = self.update_names[0]
        sizes = [kernel.size(kernel.operands[0], self.types[0], self.sizes, place)
                 for place in range(len(self.sizes))]
        shape = sizes_of(self.updates[0])
        lengths = [kernel.size(update, self.updates[0].type, shape, place)
                   for place in range(len(shape))]
        window = [lengths[self.update_of[place]] if place in self.update_of else
                  kernel.index(1) for place in range(len(self.sizes))]
        static = [value if size is None else size
                  for value, size in zip(window, self.window)]

        def step(places, state):
            start = self.read_start(places)
            return kernel.choose(
                self.is_inside(start, sizes, window), self.types,
                lambda: self.update_window(
                    places, {**start, **self.batches(places)}, static, state),
                lambda: state)

        return kernel.text(kernel.nest([lengths[place] for place in self.outer],
                                       kernel.operands[:len(self.types)], self.types,
                                       step))


@rewrites("stablehlo.scatter")
def lower_scatter(op):
    return expand_text(op, Scatter(op).write(), list(op.operands))
