# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent layers: the products with all inputs at once, and a kernel for the steps.

PyTorch's own decompositions unroll the steps.
"""

import torch

from .._decompositions import register
from .._operators import operators

aten = torch.ops.aten
linear = torch.nn.functional.linear


def add_biases(weights):
    return weights[2] + weights[3] if len(weights) == 4 else None


def run_lstm(x, state, weights, reverse):
    gates = linear(x, weights[0], add_biases(weights))
    out, hidden, cell = operators.lstm(gates, *state, weights[1].t(), reverse)
    return out, (hidden, cell)


def run_gru(x, state, weights, reverse):
    with_bias = len(weights) == 4
    gates = linear(x, weights[0], weights[2] if with_bias else None)
    bias = weights[3] if with_bias else gates.new_zeros(gates.shape[2])
    out, hidden = operators.gru(gates, *state, weights[1].t(), bias, reverse)
    return out, (hidden,)


def make_rnn(activation):
    def run(x, state, weights, reverse):
        gates = linear(x, weights[0], add_biases(weights))
        out, hidden = operators.rnn(gates, *state, weights[1].t(), activation, reverse)
        return out, (hidden,)
    return run


def run_layers(layer, x, states, weights, layers, directions):
    """All layers and directions; `states` are stacked tensors, `weights` one list for
    each layer and direction."""
    final = []
    for place in range(layers):
        outs = []
        for direction in range(directions):
            at = place * directions + direction
            out, state = layer(x, [each[at] for each in states], weights[at],
                               bool(direction))
            outs.append(out)
            final.append(state)
        x = torch.cat(outs, -1) if directions == 2 else outs[0]
    return (x, *[torch.stack(each) for each in zip(*final)])


def run(layer, x, states, weights, has_biases, layers, dropout, train, bidirectional,
        batch_first):
    if train and dropout:
        return NotImplemented
    count = 4 if has_biases else 2
    groups = [weights[i:i + count] for i in range(0, len(weights), count)]
    if batch_first:
        x = x.transpose(0, 1)
    out, *final = run_layers(layer, x, states, groups, layers, 1 + bidirectional)
    return (out.transpose(0, 1) if batch_first else out, *final)


@register(aten.lstm.input)
def lstm(x, states, weights, has_biases, layers, dropout, train, bidirectional,
         batch_first):
    if states[0].shape[-1] != states[1].shape[-1]:  # with a projection: rare
        from torch._decomp.decompositions import lstm_impl
        return lstm_impl(x, states, weights, has_biases, layers, dropout, train,
                         bidirectional, batch_first)
    return run(run_lstm, x, states, weights, has_biases, layers, dropout, train,
               bidirectional, batch_first)


def register_single(operator, layer):
    @register(operator)
    def decompose(x, state, *options):
        return run(layer, x, [state], *options)


register_single(aten.gru.input, run_gru)
register_single(aten.rnn_tanh.input, make_rnn("tanh"))
register_single(aten.rnn_relu.input, make_rnn("relu"))
