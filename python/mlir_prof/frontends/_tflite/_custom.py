# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators in TOSA that the converter does not write, or writes wrongly. To add one, add
its number in schema.fbs to CUSTOM, with a function that writes it."""

from __future__ import annotations

import re
import typing

from ._flatbuffer import FlatBufferError, Table

#: The number of the element type.
FLOAT32 = 0


class Operator:
    """An operator of a graph."""

    def __init__(self, table: Table, tensors: typing.List[Table]) -> None:
        self.table, self.tensors = table, tensors

    def _values(self, field: int) -> typing.List[Table]:
        numbers = [number for number in self.table.numbers(field) if number >= 0]
        if any(number >= len(self.tensors) for number in numbers):
            raise FlatBufferError("an operator has a tensor that is not there")
        return [self.tensors[number] for number in numbers]

    @property
    def name(self) -> str:
        """That of the first result."""
        return next((tensor.text(3) for tensor in self._values(2)), "")

    @property
    def dtypes(self) -> typing.Set[int]:
        return {tensor.number(1, "b") for tensor in self._values(1) + self._values(2)}

    def option(self, field: int) -> int:
        """A field of one byte of the options."""
        place = self.table.place(4)
        if place is None:
            return 0
        return Table(self.table.buffer, self.table.buffer.follow(place)).number(field,
                                                                                "b")


class Text:
    """TOSA, written line by line, in the place of one op."""

    def __init__(self, result: str, operands: typing.List[str], types: typing.List[str],
                 type_: str, location: str) -> None:
        self.result, self.type, self.location = result, type_, location
        self.operands, self.types = operands, types
        self.rank = type_.count("x")
        self.lines: typing.List[str] = []

    def add(self, line: str) -> str:
        """Adds an op; returns its result."""
        name = f"%of_{self.result[1:]}_{len(self.lines)}"
        self.lines.append(f"{name} = {line} loc({self.location})")
        return name

    @property
    def number(self) -> str:
        """The type of a number that is spread over the result."""
        return f"tensor<{'1x' * self.rank}f32>"

    def constant(self, value: float) -> str:
        return self.add(f'"tosa.const"() <{{values = dense<{value:.9e}> : {self.number}}}>'
                        f" : () -> {self.number}")

    def unary(self, op: str, value: str, type_: str = "", result: str = "") -> str:
        type_ = type_ or self.type
        return self.add(f"tosa.{op} {value} : ({type_}) -> {result or type_}")

    def binary(self, op: str, left: str, right: str, other: str = "", one: str = "",
               result: str = "") -> str:
        """An op of a tensor and one of the type `other`, by default a number."""
        one, shift, shift_type = one or self.type, "", ""
        if op == "mul":
            shift = ", " + self.add('"tosa.const"() <{values = dense<0> : tensor<1xi8>}> '
                                    ": () -> tensor<1xi8>")
            shift_type = ", tensor<1xi8>"
        return self.add(f"tosa.{op} {left}, {right}{shift} : ({one}, "
                        f"{other or self.number}{shift_type}) -> {result or one}")

    def spread(self, value: str, type_: str) -> str:
        """A tensor with the sizes of the result."""
        missing = self.rank - type_.count("x")
        if missing:
            whole = type_.replace("<", "<" + "1x" * missing)
            sizes = whole[len("tensor<"):].split("x")[:-1]
            shape = self.add(f"tosa.const_shape {{values = dense<[{', '.join(sizes)}]> : "
                             f"tensor<{len(sizes)}xindex>}} : () -> "
                             f"!tosa.shape<{len(sizes)}>")
            value = self.add(f"tosa.reshape {value}, {shape} : ({type_}, "
                             f"!tosa.shape<{len(sizes)}>) -> {whole}")
            type_ = whole
        ones = self.add(f'"tosa.const"() <{{values = dense<1.0> : {self.type}}}> : () -> '
                        f"{self.type}")
        return self.binary("mul", value, ones, self.type, type_, self.type)

    def arith(self, op: str, *values: str) -> str:
        return self.add(f"arith.{op} {', '.join(values)} : {self.type}")

    def finish(self) -> str:
        """All lines, of which the last one computes the op's result."""
        value = self.lines[-1].split(" = ", 1)[1]
        return "\n".join([*self.lines[:-1], f"{self.result} = {value}"])


def with_type(type_: str, element: str) -> str:
    return f"{type_.rpartition('x')[0] or 'tensor<'}x{element}>".replace("<x", "<")


def write_gelu(text: Text, operator: Operator) -> None:
    """Writes x times the normal distribution's integral: exact or, if the operator asks
    for it, by tanh."""
    x, = text.operands
    if operator.option(0):
        square = text.binary("mul", x, x, text.type)
        scaled = text.binary("mul", square, text.constant(0.044715))
        factor = text.binary("add", scaled, text.constant(1))
        argument = text.binary("mul", x, factor, text.type)
        curve = text.unary("tanh", text.binary("mul", argument,
                                               text.constant(0.7978845608)))
    else:
        curve = text.unary("erf", text.binary("mul", x, text.constant(0.7071067812)))
    half = text.binary("mul", x, text.constant(0.5))
    text.binary("mul", half, text.binary("add", curve, text.constant(1)), text.type)


def write_l2_normalization(text: Text, operator: Operator) -> None:
    """Writes x over the square root of the sum of its squares along the last
    dimension."""
    x, = text.operands
    sizes = text.type[len("tensor<"):].split("x")
    sums = f"tensor<{'x'.join([*sizes[:-2], '1', 'f32'])}>"
    square = text.binary("mul", x, x, text.type)
    total = text.add(f"tosa.reduce_sum {square} {{axis = {text.rank - 1} : i32}} : "
                     f"({text.type}) -> {sums}")
    # TensorFlow Lite's smallest divisor is 1e-6.
    bounded = text.binary("maximum", total, text.constant(1e-12), one=sums)
    text.binary("mul", x, text.unary("rsqrt", bounded, sums), sums)


def write_cast(text: Text, operator: Operator) -> None:
    """Writes a conversion: to integers towards zero, where tosa.cast goes to the nearest
    one."""
    (x,), (type_,) = text.operands, text.types
    if type_.endswith("f32>") and re.search(r"[x<]u?i\d\d?>$", text.type) and (
            not text.type.endswith("i1>")):
        down, up = text.unary("floor", x, type_), text.unary("ceil", x, type_)
        bits = with_type(type_, "i1")
        positive = text.binary("greater", x, text.constant(0), one=type_, result=bits)
        x = text.add(f"tosa.select {positive}, {down}, {up} : ({bits}, {type_}, {type_})"
                     f" -> {type_}")
    text.unary("cast", x, type_, text.type)


def write_floor_mod(text: Text, operator: Operator) -> None:
    """Writes a remainder that has the sign of the divisor."""
    x, y = map(text.spread, text.operands, text.types)
    rest = text.arith("remf", x, y)
    zero = text.add(f"arith.constant dense<0.0> : {text.type}")
    moved = text.arith("addf", rest, y)
    other = text.arith("mulf", rest, y)
    bits = with_type(text.type, "i1")
    differs = text.add(f"arith.cmpf olt, {other}, {zero} : {text.type}")
    text.add(f"arith.select {differs}, {moved}, {rest} : {bits}, {text.type}")


def is_of_floats(operator: Operator) -> bool:
    return operator.dtypes == {FLOAT32}


class Custom(typing.NamedTuple):
    name: str
    write: typing.Callable[[Text, Operator], None]
    #: Whether the converter is wrong about an operator.
    is_needed: typing.Callable[[Operator], bool]
    #: Whether `write` takes it.
    is_taken: typing.Callable[[Operator], bool] = is_of_floats


#: By the operator's number.
CUSTOM = {
    11: Custom("L2_NORMALIZATION", write_l2_normalization, is_of_floats),
    53: Custom("CAST", write_cast,
               lambda operator: FLOAT32 in operator.dtypes, lambda operator: True),
    95: Custom("FLOOR_MOD", write_floor_mod, is_of_floats),
    150: Custom("GELU", write_gelu,
                lambda operator: is_of_floats(operator) and not operator.option(0)),
}

#: A custom op: its result, operands, name, types and location.
OP = re.compile(r'^ *(%\S+) = tosa\.custom (%.*?) \{.*operator_name = "(\w+)"\} : '
                r"\((.*)\) -> (tensor<\S*>) loc\((#loc\d*)\)$", re.M)


def expand(text: str, names: typing.Mapping[str, str],
           operators: typing.Mapping[str, Operator]) -> str:
    """Writes TOSA in the place of renamed operators. `names` are those of locations."""
    writers = {custom.name: custom.write for custom in CUSTOM.values()}

    def replace(found: typing.Match[str]) -> str:
        result, operands, name, types, type_, location = found.groups()
        operator = operators.get(names.get(location, ""))
        if name not in writers or operator is None:
            return found[0]
        lines = Text(result, operands.split(", "), types.split(", "), type_, location)
        writers[name](lines, operator)
        return lines.finish()

    return OP.sub(replace, text) if operators else text
