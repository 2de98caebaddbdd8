# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators with graphs: a condition or a number of steps that is constant leaves
only the nodes that run."""

from .._sizes import size_of
from .._values import Unsupported, static
from . import rule
from ._loops import finish, node_of_graphs, run_steps, take

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
    types = [joined(one, other) for one, other in zip(parts[0][1], parts[1][1])]
    return node_of_graphs(builder, call.op, [chosen], types,
                          then_branch=parts[0][0], else_branch=parts[1][0])


def joined(one, other):
    """The type of a value of either branch."""
    if one.dtype != other.dtype or one.rank != other.rank:
        raise Unsupported("its branches compute values of different types")
    return one.dtype, tuple(a if a == b else None
                            for a, b in zip(one.shape, other.shape))


def branch(builder, call, graph):
    """(graph, results) of a branch that is chosen at run time."""
    with builder.apart() as nodes:
        results = run(builder, call, graph, ())
        return finish(builder, nodes, "branch", [], results), results


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
            return dynamic_loop(builder, call)
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
    """A loop that stays one: the values that it carries keep their shapes. Where it
    may end before its last step, only the steps that were done count."""
    body, states = call.attributes["body"], list(call.inputs[2:])
    kept, count = len(states), call.inputs[0]
    if len(body.output) - 1 > kept and count is None:
        raise Unsupported("it collects values over steps whose number nothing limits")

    def step(number, inside):
        found = run(builder, call, body, [number, builder.const(True), *inside])
        going = found[0]
        if going.data is not None and not going.data.ravel()[0]:
            raise Unsupported("its body ends it after one step")
        return (None if going.data is not None else going, found[1:1 + kept],
                found[1 + kept:])
    limit = builder.const(1 << 62, "int64") if count is None else count
    found, done = run_steps(builder, size_from(builder, limit), states, step,
                            call.input(1))
    if done is None:
        return found
    done = builder.reshape(done, 1)
    return found[:kept] + [builder.Slice(value, builder.ints(0), done, builder.ints(0))
                           for value in found[kept:]]


def size_from(builder, count):
    """A number of steps as a size."""
    if count.data is not None:
        return int(count.data.ravel()[0])
    return builder.cast(builder.reshape(count, 1), "int64")


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
    steps = {value.shape[axis] for value, axis in zip(inputs, axes)}
    if steps == {0} or len(steps - {None}) > 1:
        raise Unsupported(f"it has {sorted(steps - {None})} steps")
    ways = (listed(f"{outs}_axes", len(body.output) - len(states)),
            listed(f"{outs}_directions", len(body.output) - len(states)))
    if None in steps or max(steps) > MOST_STEPS:
        return long_scan(builder, call, body, states, [
            first(builder, value, axis) for value, axis in zip(inputs, axes)], back, ways)
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
    return [*states, *stacked(builder, scans, *ways)]


def first(builder, value, axis):
    """`value` with an axis moved to the front."""
    rest = [dim for dim in range(value.rank) if dim != axis]
    return builder.Transpose(value, perm=[axis, *rest]) if axis else value


def long_scan(builder, call, body, states, inputs, back, ways):
    """A scan that stays a loop, along the first dimension of its inputs."""
    axes, turned = ways

    def step(number, inside):
        parts = [take(builder, value, number, bool(turn))
                 for value, turn in zip(inputs, back)]
        found = run(builder, call, body, [*inside, *parts])
        return None, found[:len(states)], found[len(states):]
    count = next((value.shape[0] for value in inputs if value.shape[0] is not None),
                 None)
    if count is None:
        count = size_of(builder, inputs[0], 0)
    found, _ = run_steps(builder, count, list(states), step, turned=turned)
    collected = found[len(states):]
    for place, (value, axis) in enumerate(zip(collected, axes)):
        order = list(range(1, value.rank))
        order.insert(axis % value.rank, 0)
        collected[place] = builder.Transpose(value, perm=order)
    return [*found[:len(states)], *collected]


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
