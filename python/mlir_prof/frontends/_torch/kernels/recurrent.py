# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent layers: a loop over time, in which the state is updated in place."""

from .._operators import operators
from ._registry import Kernel, register
from ._text import Writer


def sigmoid(w, x, element):
    one = w.constant(1, element)
    exp = w.let(f"math.exp {w.let(f'arith.negf {x} : {element}')} : {element}")
    return w.let(f"arith.divf {one}, "
                 f"{w.let(f'arith.addf {one}, {exp} : {element}')} : {element}")


def arithmetic(w, element):
    """Functions that write an operation on two numbers."""
    def make(op):
        return lambda a, b: w.let(f"arith.{op} {a}, {b} : {element}")
    return make("addf"), make("subf"), make("mulf")


def cell_lstm(w, element, inputs, state):
    add, _, multiply = arithmetic(w, element)
    tanh = lambda x: w.let(f"math.tanh {x} : {element}")  # noqa: E731
    i, f, g, o = inputs
    old = state[1]
    cell = add(multiply(sigmoid(w, f, element), old),
               multiply(sigmoid(w, i, element), tanh(g)))
    return [multiply(sigmoid(w, o, element), tanh(cell)), cell]


def cell_gru(w, element, inputs, state):
    add, subtract, multiply = arithmetic(w, element)
    xr, xz, xn, hr, hz, hn = inputs
    r = sigmoid(w, add(xr, hr), element)
    z = sigmoid(w, add(xz, hz), element)
    n = w.let(f"math.tanh {add(xn, multiply(r, hn))} : {element}")
    kept = multiply(z, subtract(state[0], n))
    return [add(n, kept)]


def make_cell_rnn(activation):
    def cell(w, element, inputs, state):
        if activation == "tanh":
            return [w.let(f"math.tanh {inputs[0]} : {element}")]
        zero = w.constant(0, element)
        return [w.let(f"arith.maximumf {inputs[0]}, {zero} : {element}")]
    return cell


def split(w, value, kind, count):
    """The `count` equal parts of a matrix's columns."""
    rows, columns = w.dims(value, kind)
    part = kind.shape[1] // count
    return [w.slice(value, kind, [0, place * part], [rows, part], kind.with_shape(
        [kind.shape[0], part])) for place in range(count)]


def update(w, cell, inputs, state, kind):
    """The next state, in place of the old one."""
    names = [f"%in{place}" for place in range(len(inputs))]
    old = [f"%old{place}" for place in range(len(state))]
    name = w.fresh()
    same = ", ".join(["affine_map<(d0, d1) -> (d0, d1)>"] * (len(inputs) + len(state)))
    types = ", ".join([str(kind)] * len(inputs))
    outs = ", ".join([str(kind)] * len(state))
    w.do(f"{name}:{len(state)} = linalg.generic {{indexing_maps = [{same}], "
         f'iterator_types = ["parallel", "parallel"]}} '
         f"ins({', '.join(inputs)} : {types}) outs({', '.join(state)} : {outs}) {{")
    w.do("^bb0(" + ", ".join(f"{x}: {kind.element}" for x in [*names, *old]) + "):")
    new = cell(w, kind.element, names, old)
    w.do(f"linalg.yield {', '.join(new)} : "
         f"{', '.join([kind.element] * len(state))}")
    w.do(f"}} -> ({outs})")
    return [f"{name}#{place}" for place in range(len(state))]


def write_layer(cell, count, reverse, operands, results):
    """`count` gates; the operands are those of the input for all steps, the states,
    the weight and, for layers which do not add both, the bias of the state's gates."""
    w = Writer(operands, results)
    states = len(results) - 1
    gates, *state = w.arguments[:1 + states]
    weight, *bias = w.arguments[1 + states:]
    gates_kind, kind, weight_kind = (w.operands[0], w.operands[1],
                                     w.operands[1 + states])
    step_kind = gates_kind.with_shape(gates_kind.shape[1:])
    _, batch, width = w.dims(gates, gates_kind)
    steps = w.size(gates, gates_kind, 0)
    sizes = [w.size(gates, gates_kind, axis) for axis in (1, 2)]
    repeated = w.broadcast(bias[0], w.operands[-1], step_kind, sizes) if bias else None

    def multiply(hidden, start):
        return w.let(f"linalg.matmul ins({hidden}, {weight} : {kind}, {weight_kind}) "
                     f"outs({start} : {step_kind}) -> {step_kind}")

    def step(t, carried):
        out, *state = carried
        if reverse:
            last = w.let(f"arith.subi {steps}, {w.index(1)} : index")
            t = w.let(f"arith.subi {last}, {t} : index")
        x = w.slice(gates, gates_kind, [t, 0, 0], [1, batch, width], step_kind)
        if bias:
            inputs = [*split(w, x, step_kind, count),
                      *split(w, multiply(state[0], repeated), step_kind, count)]
        else:
            inputs = split(w, multiply(state[0], x), step_kind, count)
        state = update(w, cell, inputs, state, kind)
        part = [1, *w.dims(state[0], kind)]
        return [w.put(state[0], kind, out, w.results[0], [t, 0, 0], part), *state]

    out = w.empty(w.results[0], [steps, *[w.size(w.arguments[1], kind, axis)
                                          for axis in (0, 1)]])
    return w.text(*w.loop(w.index(0), steps, [out, *state],
                          [w.results[0], *[kind] * states], step))


def make(node, tensors, cell, count):
    return Kernel(list(node.args[:tensors]), lambda operands, results: write_layer(
        cell, count, node.args[-1], operands, results))


@register(operators.lstm.default)
def make_lstm(node):
    return make(node, 4, cell_lstm, 4)


@register(operators.gru.default)
def make_gru(node):
    return make(node, 4, cell_gru, 3)


@register(operators.rnn.default)
def make_rnn(node):
    return make(node, 3, make_cell_rnn(node.args[3]), 1)
