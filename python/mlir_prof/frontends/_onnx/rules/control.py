# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators with graphs: a condition or a number of steps that is constant leaves
only the nodes that run."""

from onnx import helper

from .. import _carry
from .._values import Unsupported, Value, static
from . import rule

#: Loops of more steps stay loops.
MOST_STEPS = 256


def run(builder, call, graph, arguments):
    """The results of a graph for `arguments`, which sees the values around it."""
    from .._graph import child_names, run_graph
    names = child_names(call.names)
    names.update((info.name, value) for info, value in zip(graph.input, arguments))
    return run_graph(builder, graph, names, call.versions)


@rule("If")
def condition(builder, call):
    chosen = call.inputs[0]
    if chosen.data is not None:
        key = "then_branch" if bool(chosen.data.ravel()[0]) else "else_branch"
        return run(builder, call, call.attributes[key], ())
    parts = [branch(builder, call, call.attributes[key])
             for key in ("then_branch", "else_branch")]
    shapes = [joined(one, other) for one, other in zip(parts[0][1], parts[1][1])]
    return node_of_graphs(builder, call, [chosen], shapes,
                          then_branch=parts[0][0], else_branch=parts[1][0])


def joined(one, other):
    """The type of a value of either branch."""
    if one.dtype != other.dtype or one.rank != other.rank:
        raise Unsupported("its branches compute values of different types")
    return one.dtype, tuple(a if a == b else None
                            for a, b in zip(one.shape, other.shape))


def branch(builder, call, graph):
    """(graph, results) of a branch that is chosen at run time."""
    from .._builder import Builder
    inner = Builder(parent=builder)
    results = run(inner, call, graph, ())
    return finish(inner, "branch", [], results), results


def finish(inner, name, arguments, results):
    """The nodes of a builder as a graph."""
    from .._graph import value_info
    held = []
    for value in results:
        wide = _carry.carried(inner, value)
        held.append(_carry.emit(inner, "Identity", [wide], wide.dtype, wide.shape))
    graph = helper.make_graph(inner.nodes, name, list(map(value_info, arguments)),
                              list(map(value_info, held)))
    # torch-mlir's importer looks for types in the graph of a node only.
    types = inner.root.types
    for known in sorted({key for node in inner.nodes
                         for key in [*node.input, *node.output] if key in types}):
        graph.value_info.append(helper.make_value_info(known, types[known]))
    return graph


def node_of_graphs(builder, call, inputs, types, **graphs):
    results = [Value(builder.name(call.op.lower()), _carry.carrier(dtype), shape)
               for dtype, shape in types]
    node = helper.make_node(
        call.op, [_carry.use(builder, value).name for value in inputs],
        [value.name for value in results], name=builder.root.place, **graphs)
    builder.add(node, results)
    return [Value(value.name, dtype, value.shape)
            for value, (dtype, _) in zip(results, types)]


@rule("Loop")
def loop(builder, call):
    count, going = call.inputs[0], call.input(1)
    body, states = call.attributes["body"], list(call.inputs[2:])
    steps = None if count is None or count.data is None else int(count.data.ravel()[0])
    stated = stated_steps(call, len(states))
    steps = stated if steps is None else steps
    if going is not None and going.data is not None and not going.data.ravel()[0]:
        steps = 0
    if steps is None or not 0 <= steps <= MOST_STEPS or (
            going is not None and going.data is None and stated is None):
        return dynamic_loop(builder, call)
    scans = [[] for _ in range(len(body.output) - 1 - len(states))]
    for step in range(steps):
        found = run(builder, call, body, [builder.const(step, "int64"),
                                          builder.const(True), *states])
        states = found[1:1 + len(states)]
        for scan, value in zip(scans, found[1 + len(states):]):
            scan.append(builder.Unsqueeze(value, builder.ints(0)))
        if stated is not None:
            continue
        if found[0].data is None:
            raise Unsupported("it ends by a condition that is known at run time only")
        if not found[0].data.ravel()[0]:
            break
    if any(not scan for scan in scans):
        raise Unsupported("it has no step, so that the shapes of its results are "
                          "unknown")
    return [*states, *(builder.Concat(*scan, axis=0) for scan in scans)]


def stated_steps(call, states):
    """The number of steps, if the model states the shape of collected values."""
    for place in range(states, len(call.outputs)):
        shape = call.declared_shape(place)
        if shape and shape[0] is not None:
            return shape[0]
    return None


def dynamic_loop(builder, call):
    """A loop whose steps are known at run time: values keep their shapes."""
    from .._builder import Builder
    body, states = call.attributes["body"], list(call.inputs[2:])
    if len(body.output) - 1 > len(states):
        raise Unsupported("it collects values over steps whose number is known at "
                          "run time only")
    inner = Builder(parent=builder)
    number = Value(builder.name("step"), *of(builder, "int64"))
    going = Value(builder.name("going"), *of(builder, "bool"))
    inside = [Value(builder.name("state"), _carry.carrier(value.dtype), value.shape)
              for value in states]
    logical = [Value(held.name, value.dtype, held.shape)
               for held, value in zip(inside, states)]
    found = run(inner, call, body, [number, going, *logical])
    for old, new in zip(states, found[1:]):
        if old.shape != new.shape or old.dtype != new.dtype:
            raise Unsupported("a value that it carries changes its shape")
    graph = finish(inner, "body", [number, going, *inside], found)
    inputs = [call.inputs[0] or builder.const((1 << 62), "int64"),
              call.input(1) or builder.const(True), *states]
    return node_of_graphs(builder, call, inputs,
                          [(value.dtype, value.shape) for value in states], body=graph)


def of(builder, dtype):
    return builder.const(0, dtype).dtype, ()


@rule("Scan")
def scan(builder, call):
    """Step by step."""
    body, count = call.attributes["body"], call.attributes["num_scan_inputs"]
    if call.version < 9:
        return scan_of_batches(builder, call, body, count)
    kept = len(call.inputs) - count
    return scan_steps(builder, call, body, call.inputs[:kept], call.inputs[kept:],
                      "scan_input", "scan_output")


def scan_of_batches(builder, call, body, count):
    """The first form, with an axis of batches in front."""
    if call.inputs[0] is not None:
        raise Unsupported("its sequences have lengths of their own")
    inputs = call.inputs[1:]
    kept, found = len(inputs) - count, []
    for batch in range(static(inputs[-1])[0]):
        part = [builder.Gather(value, builder.const(batch, "int64"), axis=0)
                for value in inputs]
        found.append(scan_steps(builder, call, body, part[:kept], part[kept:], "", ""))
    return [builder.Concat(*(builder.Unsqueeze(value, builder.ints(0))
                             for value in values), axis=0) for values in zip(*found)]


def scan_steps(builder, call, body, states, inputs, ins, outs):
    def listed(key, count):
        return list(call.get(key) or [0] * count)
    axes = [axis % value.rank for axis, value in zip(
        listed(f"{ins}_axes", len(inputs)), inputs)]
    back = listed(f"{ins}_directions", len(inputs)) if ins else [
        bool(flag) for flag in listed("directions", len(inputs))]
    steps = {static(value)[axis] for value, axis in zip(inputs, axes)}
    if len(steps) != 1 or max(steps) > MOST_STEPS or not max(steps):
        raise Unsupported(f"it has {sorted(steps)} steps; at most {MOST_STEPS} are "
                          "taken")
    steps, states = steps.pop(), list(states)
    scans = [[] for _ in range(len(body.output) - len(states))]
    for step in range(steps):
        parts = [builder.Gather(value, builder.const(
            steps - 1 - step if turn else step, "int64"), axis=axis)
            for value, axis, turn in zip(inputs, axes, back)]
        found = run(builder, call, body, [*states, *parts])
        states = found[:len(states)]
        for collected, value in zip(scans, found[len(states):]):
            collected.append(value)
    return [*states, *stacked(builder, scans, listed(f"{outs}_axes", len(scans)),
                              listed(f"{outs}_directions", len(scans)))]


def stacked(builder, scans, axes, back):
    for values, axis, turn in zip(scans, axes, back):
        axis %= values[0].rank + 1
        wide = [builder.Unsqueeze(value, builder.ints(axis)) for value in values]
        yield builder.Concat(*(reversed(wide) if turn else wide), axis=axis)


@rule("OptionalHasElement")
def has_element(builder, call):
    return builder.const(bool(call.inputs) and call.inputs[0] is not None)


@rule("OptionalGetElement", "Optional")
def get_element(builder, call):
    if not call.inputs or call.inputs[0] is None:
        raise Unsupported("it has no element")
    return call.inputs[0]
