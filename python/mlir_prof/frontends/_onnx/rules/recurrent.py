# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent layers, step by step: each step is a few products that all share
their code. Many steps, or a number that is known at run time, are a loop."""

import numpy

from .._sizes import END, expand, known, one_element, reshape, size_of
from .._values import Unsupported, static
from . import rule
from ._loops import run_steps, take

#: The steps of longer sequences are a loop.
MOST_STEPS = 256


def activation(builder, name, alpha, beta):
    """The function of a name of ONNX's."""
    simple = {"sigmoid": "Sigmoid", "tanh": "Tanh", "relu": "Relu",
              "softsign": "Softsign", "softplus": "Softplus"}
    key = name.lower()
    if key in simple:
        return lambda x: builder.emit(simple[key], [x])[0]
    if key == "affine":
        return lambda x: builder.Add(builder.Mul(builder.like(alpha, x), x),
                                     builder.like(beta or 0.0, x))
    if key == "scaledtanh":
        return lambda x: builder.Mul(builder.like(alpha, x), builder.Tanh(
            builder.Mul(builder.like(beta, x), x)))
    named = {"leakyrelu": ("LeakyRelu", 0.01), "elu": ("Elu", 1.0),
             "thresholdedrelu": ("ThresholdedRelu", 1.0),
             "hardsigmoid": ("HardSigmoid", 0.2)}
    if key not in named:
        raise Unsupported(f"its activation is '{name}'")
    op, default = named[key]
    options = dict(alpha=default if alpha is None else alpha)
    if key == "hardsigmoid":
        options["beta"] = 0.5 if beta is None else beta
    return lambda x: builder.emit(op, [x], options)[0]


class Layer:
    """The parts of a call that LSTM, GRU and RNN share."""

    def __init__(self, builder, call, gates, names):
        self.builder, self.call, self.gates = builder, call, gates
        self.x = call.inputs[0]
        self.batch_first = bool(call.get("layout", 0))
        if self.batch_first:
            self.x = builder.Transpose(self.x, perm=[1, 0, 2])
        self.steps, self.batch = (size_of(builder, self.x, dim) for dim in (0, 1))
        self.size = static(call.inputs[2])[2]
        way = call.get("direction", "forward")
        self.ways = {"forward": [False], "reverse": [True],
                     "bidirectional": [False, True]}[way]
        names = [name.decode() if isinstance(name, bytes) else name
                 for name in call.get("activations") or names * len(self.ways)]
        alphas, betas = (list(call.get(f"activation_{key}") or ())
                         for key in ("alpha", "beta"))
        self.functions = []
        for name in names:
            takes = name.lower() not in ("sigmoid", "tanh", "relu", "softsign",
                                         "softplus")
            both = name.lower() in ("affine", "scaledtanh", "hardsigmoid")
            self.functions.append(activation(
                builder, name, alphas.pop(0) if takes and alphas else None,
                betas.pop(0) if both and betas else None))
        self.lengths = call.input(4)

    def part(self, place, way):
        """An input of one direction, or None."""
        value = self.call.input(place)
        return value if value is None else self.builder.Gather(
            value, self.builder.const(way, "int64"), axis=0)

    def split(self, value, count, axis):
        return self.builder.emit("Split", [value], dict(axis=axis, num_outputs=count),
                                 outputs=count) if count > 1 else [value]

    def start(self, place, way):
        """The state before the first step."""
        value = self.call.input(place)
        if value is None:
            return expand(self.builder, self.builder.like(numpy.zeros((1, 1)), self.x),
                          [self.batch, self.size])
        found = self.builder.Gather(value, self.builder.const(way, "int64"),
                                    axis=1 if self.batch_first else 0)
        # Its sizes are known, too, where the model does not state them.
        return found if found.shape == (known(self.batch), self.size) else reshape(
            self.builder, found, [self.batch, self.size])

    def product(self, x, weight, bias):
        found = self.builder.MatMul(x, self.builder.Transpose(weight, perm=[1, 0]))
        return found if bias is None else self.builder.Add(found, bias)

    def clip(self, x):
        limit = self.call.get("clip")
        return x if not limit else self.builder.Clip(
            x, self.builder.like(-limit, x), self.builder.like(limit, x))

    def keep(self, step, new, old):
        """The new state of sequences that have this step."""
        if self.lengths is None:
            return new
        lengths = self.builder.Unsqueeze(self.builder.cast(self.lengths, "int64"),
                                         self.builder.ints(1))
        return self.builder.Where(self.builder.Less(step, lengths), new, old)

    def advance(self, step, x, number, state):
        """(output, states) of a step."""
        new = step(x, *state)
        zero = self.builder.like(0, new[0])
        return self.keep(number, new[0], zero), [
            self.keep(number, n, o) for n, o in zip(new, state)]

    def write_steps(self, inputs, step, state, backwards):
        """(outputs of all steps, last states), each step on its own."""
        builder, found = self.builder, [None] * self.steps
        order = range(self.steps)
        for place in (reversed(order) if backwards else order):
            number = builder.const(place, "int64")
            output, state = self.advance(
                step, builder.Gather(inputs, number, axis=0), number, state)
            found[place] = builder.Unsqueeze(output, builder.ints(0))
        return builder.Concat(*found, axis=0), state

    def loop_steps(self, inputs, step, state, backwards):
        """The same as a loop."""
        builder = self.builder

        def body(number, inside):
            place = number
            if backwards:
                last = builder.reshape(builder.Sub(one_element(
                    builder, self.steps), builder.ints(1)))
                place = builder.Sub(last, number)
            output, state = self.advance(step, take(builder, inputs, place), place,
                                         inside)
            return None, state, [output]
        (*state, outputs), _ = run_steps(builder, self.steps, state, body,
                                         turned=[backwards],
                                         sizes=[self.batch, self.size])
        return outputs, state

    def run(self, cell, states):
        """`cell(way)` gives (inputs of all steps, step function); `states` are the
        places of first states. Returns Y and the last states."""
        builder, outputs, lasts = self.builder, [], []
        written = isinstance(self.steps, int) and 0 < self.steps <= MOST_STEPS
        for way, backwards in enumerate(self.ways):
            inputs, step = cell(way)
            state = [self.start(place, way) for place in states]
            make = self.write_steps if written else self.loop_steps
            found, state = make(inputs, step, state, backwards)
            outputs.append(builder.Unsqueeze(found, builder.ints(1)))
            lasts.append([builder.Unsqueeze(s, builder.ints(0)) for s in state])
        results = [builder.Concat(*outputs, axis=1)]
        results += [builder.Concat(*parts, axis=0) for parts in zip(*lasts)]
        return self.turn(results)

    def turn(self, results):
        if not self.batch_first:
            return results
        return [self.builder.Transpose(results[0], perm=[2, 0, 1, 3]),
                *(self.builder.Transpose(value, perm=[1, 0, 2])
                  for value in results[1:])]

    def biases(self, way):
        """The sums of biases for inputs and for states, or two None."""
        bias = self.part(3, way)
        return self.split(bias, 2, 0) if bias is not None else (None, None)


def add(builder, a, b):
    return a if b is None else builder.Add(a, b)


@rule("RNN")
def rnn(builder, call):
    layer = Layer(builder, call, 1, ["Tanh"])

    def cell(way):
        w_bias, r_bias = layer.biases(way)
        weight = layer.part(2, way)

        def step(x, h):
            total = builder.Add(x, layer.product(h, weight, r_bias))
            return [layer.functions[way](layer.clip(total))]
        return layer.product(layer.x, layer.part(1, way), w_bias), step
    return layer.run(cell, [5])


@rule("GRU")
def gru(builder, call):
    layer = Layer(builder, call, 3, ["Sigmoid", "Tanh"])

    def cell(way):
        w_bias, r_bias = layer.biases(way)
        f, g = layer.functions[2 * way:2 * way + 2]
        weight = layer.part(2, way)
        gates, hidden = split_last(builder, weight, 2 * layer.size, 0)
        gate_bias, hidden_bias = (split_last(builder, r_bias, 2 * layer.size, 0)
                                  if r_bias is not None else (None, None))

        def step(x, h):
            x_gates, x_hidden = split_last(builder, x, 2 * layer.size, 1)
            both = f(layer.clip(builder.Add(x_gates, layer.product(h, gates,
                                                                   gate_bias))))
            z, r = layer.split(both, 2, 1)
            if call.get("linear_before_reset", 0):
                inner = builder.Mul(r, layer.product(h, hidden, hidden_bias))
            else:
                inner = layer.product(builder.Mul(r, h), hidden, hidden_bias)
            new = g(layer.clip(builder.Add(x_hidden, inner)))
            one = builder.like(1, z)
            return [builder.Add(builder.Mul(builder.Sub(one, z), new),
                                builder.Mul(z, h))]
        return layer.product(layer.x, layer.part(1, way), w_bias), step
    return layer.run(cell, [5])


def split_last(builder, value, count, axis):
    """The first `count` along an axis, and the others."""
    return [builder.Slice(value, builder.ints(low), builder.ints(high),
                          builder.ints(axis))
            for low, high in ((0, count), (count, END))]


@rule("LSTM")
def lstm(builder, call):
    layer = Layer(builder, call, 4, ["Sigmoid", "Tanh", "Tanh"])

    def cell(way):
        w_bias, r_bias = layer.biases(way)
        f, g, h_function = layer.functions[3 * way:3 * way + 3]
        weight, peep = layer.part(2, way), layer.part(7, way)
        peeps = layer.split(peep, 3, 0) if peep is not None else [None] * 3
        bias = w_bias if r_bias is None else builder.Add(w_bias, r_bias)

        def seen(gate, state, weights):
            return gate if weights is None else builder.Add(
                gate, builder.Mul(weights, state))

        def step(x, h, c):
            total = builder.Add(x, layer.product(h, weight, None))
            i, o, forget, new = layer.split(total, 4, 1)
            i = f(layer.clip(seen(i, c, peeps[0])))
            if call.get("input_forget", 0):
                forget = builder.Sub(builder.like(1, i), i)
            else:
                forget = f(layer.clip(seen(forget, c, peeps[2])))
            new = g(layer.clip(new))
            c = builder.Add(builder.Mul(forget, c), builder.Mul(i, new))
            o = f(layer.clip(seen(o, c, peeps[1])))
            return [builder.Mul(o, h_function(c)), c]
        return layer.product(layer.x, layer.part(1, way), bias), step
    return layer.run(cell, [5, 6])
