# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that stay loops: their steps are too many to write each of them, or their
number is known at run time only."""

import numpy
from onnx import helper

from .. import _carry
from .._sizes import known, one_element, sizes_of, vector
from .._values import Unsupported, Value
from ..kernels.steps import blank, put_step, take_step, true


def finish(builder, nodes, name, arguments, results):
    """The nodes that were appended apart, as a graph."""
    from .._graph import value_info
    held = []
    for value in results:
        wide = _carry.carried(builder, value)
        held.append(_carry.emit(builder, "Identity", [wide], wide.dtype, wide.shape))
    graph = helper.make_graph(nodes, name, list(map(value_info, arguments)),
                              list(map(value_info, held)))
    # torch-mlir's importer looks for types in the graph of a node only.
    for used in sorted({key for node in nodes for key in [*node.input, *node.output]}):
        kind = builder.type_of(used)
        if kind is not None:
            graph.value_info.append(helper.make_value_info(used, kind))
    return graph


def node_of_graphs(builder, op, inputs, types, **graphs):
    results = [Value(builder.name(op.lower()), _carry.carrier(dtype), shape)
               for dtype, shape in types]
    node = helper.make_node(
        op, [_carry.use(builder, value).name for value in inputs],
        [value.name for value in results], name=builder.place, **graphs)
    builder.add(node, results)
    return [Value(value.name, dtype, value.shape)
            for value, (dtype, _) in zip(results, types)]


def held_of(builder, value):
    """A value that a loop carries: as an argument of its graph, and as a step sees
    it."""
    held = Value(builder.name("state"), _carry.carrier(value.dtype), value.shape)
    return held, Value(held.name, value.dtype, held.shape)


def check_states(before, after):
    for old, new in zip(before, after):
        if old.shape != new.shape or old.dtype != new.dtype:
            raise Unsupported("a value that it carries changes its shape")


def take(builder, data, number, turned=False):
    """The element of a step along the first dimension of `data`; the first one is the
    last if `turned`."""
    return builder.kernel(take_step, [data, number], [(data.dtype, data.shape[1:])],
                          turned=turned)[0]


def room(builder, count, value, states, after, sizes):
    """Where a value of each step is collected; `sizes` are those of the value, or
    None."""
    if value.is_static:
        sizes = value.shape
    elif sizes is None:
        like = next((state for state, new in zip(states, after)
                     if new.name == value.name), None)
        if like is None:
            raise Unsupported("it collects values whose sizes are known at run time "
                              "only")
        sizes = sizes_of(builder, like)
    sizes = [count, *sizes]
    return builder.kernel(blank, [vector(builder, sizes)],
                          [(value.dtype, tuple(map(known, sizes)))])[0]


def run_steps(builder, count, states, step, going=None, turned=(), sizes=None):
    """(the last states and then the collected values, how many steps were done) of a
    loop of at most `count` steps (a number, or a value of shape [1]); the second is
    None where all of them are.

    `step(number, states)` returns (going, states, collected values), of which `going`
    may be None. The values that are collected are stacked along a new first dimension,
    from its end where `turned`. `sizes` are those of each of them, where they are not
    those of a state."""
    number = Value(builder.name("step"), numpy.dtype("int64"), ())
    goes = Value(builder.name("going"), numpy.dtype("bool"), ())
    inside = [held_of(builder, value) for value in states]
    with builder.apart() as nodes:
        found, after, collected = step(number, [seen for _, seen in inside])
    check_states(states, after)
    rooms = [room(builder, count, value, states, after, sizes) for value in collected]
    places = [held_of(builder, value) for value in rooms]
    arguments = [number, goes, *(held for held, _ in inside + places)]
    inputs, limit = [*states, *rooms], builder.reshape(one_element(builder, count))
    begins, zero = builder.const(True) if going is None else going, builder.const(
        0, "int64")
    if found is not None:
        begins = builder.And(begins, builder.Less(zero, limit))
        if begins.data is not None:
            begins, = builder.kernel(true, [], [("bool", ())])
    with builder.apart(nodes):
        after = [*after, *put(builder, number, places, collected, turned)]
        if found is not None:
            # torch-mlir neither numbers nor counts the steps of a loop with a
            # condition.
            arguments = [Value(builder.name("step"), number.dtype, ()), goes,
                         *arguments[2:], number]
            inputs.append(zero)
            after.append(builder.Add(number, builder.const(1, "int64")))
            found = builder.And(found, builder.Less(after[-1], limit))
        graph = finish(builder, nodes, "body", arguments,
                       [goes if found is None else found, *after])
    results = node_of_graphs(
        builder, "Loop", [limit, begins, *inputs],
        [(value.dtype, value.shape) for value in inputs], body=graph)
    return (results, None) if found is None else (results[:-1], results[-1])


def put(builder, number, places, collected, turned):
    """Writes the collected values of a step where they belong."""
    turned = list(turned) or [False] * len(places)
    return [builder.kernel(put_step, [seen, number, value], [(seen.dtype, seen.shape)],
                           turned=turn)[0]
            for (_, seen), value, turn in zip(places, collected, turned)]
