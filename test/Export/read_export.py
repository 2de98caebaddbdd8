#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what `mlir-prof export` wrote, by readers that know nothing of it, and
compares the totals with those of a recording that were computed independently.

usage: read_export.py FORMAT FILE EXPECTED.json

Prints what it found. FORMAT: chrome-json, perfetto, speedscope, stacks (speedscope),
folded, pprof, csv, model-explorer-data.
"""

import collections
import csv
import decimal
import gzip
import json
import struct
import sys

decimal.getcontext().prec = 60
PS = {"us": 10**6, "ns": 10**3}


def to_ps(number, unit):
    ps = decimal.Decimal(number) * PS[unit]
    assert ps == int(ps), number
    return int(ps)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal)


class Expected:
    """Totals of expected.json: of ops, and of all events."""

    def __init__(self, path):
        data = load(path)
        self.events = sum(line["events"] for line in data["lines"])
        self.op_time = data["coverage"]["op_time_ps"]
        names = [(name, of) for line in data["lines"]
                 for name, of in line["by_name"].items()]
        self.total = sum(of["total_ps"] for _, of in names)
        ops = data.get("hlo") or data["framework_ops"]
        self.op_events = sum(op["count"] for op in ops)
        key = "execute_ps" if "hlo" in data else "total_ps"
        self.op_execute = sum(op[key] for op in ops)


def fields(data):
    """Numbers, wire types and values of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 2:
            size = varint()
            yield tag >> 3, data[at:at + size]
            at += size
        elif tag & 7 == 1:
            yield tag >> 3, struct.unpack_from("<q", data, at)[0]
            at += 8
        else:
            raise ValueError(f"wire type {tag & 7}")


def first(data, number, default=None):
    return next((v for n, v in fields(data) if n == number), default)


def packed(data):
    values = []
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value - (1 << 64) if value >> 63 else value)
            value = shift = 0
    return values


def check_nesting(events):
    """`events`: (track, begin, end) by begin; they nest in their track."""
    stacks = collections.defaultdict(list)
    for track, begin, end in sorted(events, key=lambda e: (e[1], -e[2])):
        stack = stacks[track]
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], (track, begin, end)
        stack.append(end)
    return len(stacks)


def chrome(path, expected):
    events, ops, tracks, total = [], 0, {}, 0
    op_time = 0
    for event in load(path)["traceEvents"]:
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                tracks[event["pid"], event["tid"]] = event["args"]["name"]
            continue
        assert event["ph"] == "X", event
        begin = to_ps(event["ts"], "us")
        duration = to_ps(event["dur"], "us")
        total += duration
        events.append(((event["pid"], event["tid"]), begin, begin + duration))
        if event.get("cat") == "op":
            assert event["args"].get("op") or event["args"]["hlo_op"]
            ops += 1
            op_time += duration
    assert check_nesting(events) == len(tracks), tracks
    assert len(events) == expected.events, len(events)
    assert total == expected.total, total
    assert (ops, op_time) == (expected.op_events, expected.op_execute), op_time
    print(f"{len(events)} events on {len(tracks)} tracks, {ops} of ops")


def perfetto(path, expected):
    with open(path, "rb") as file:
        data = file.read()
    names, annotations, tracks, clocks = {}, {}, {}, 0
    stacks = collections.defaultdict(list)
    count = ops = op_ns = 0
    last = 0
    for number, packet in fields(data):
        assert number == 1
        interned = first(packet, 12, b"")
        for kind, entry in fields(interned):
            table = {2: names, 3: annotations}[kind]
            table[first(entry, 1)] = first(entry, 2).decode()
        descriptor = first(packet, 60)
        if descriptor is not None:
            name = first(descriptor, 2)
            if name is not None:
                tracks[first(descriptor, 1)] = name
        clocks += first(packet, 6) is not None
        event = first(packet, 11)
        if event is None:
            continue
        at, track = first(packet, 8), first(event, 11)
        assert track in tracks and at >= last, (track, at, last)
        last = at
        if first(event, 9) == 1:
            assert first(event, 10) in names
            keys = [annotations[first(a, 1)] for n, a in fields(event) if n == 4]
            stacks[track].append((at, "op" in keys))
            count += 1
        else:
            begin, is_op = stacks[track].pop()
            ops += is_op
            op_ns += (at - begin) * is_op
    assert not any(stacks.values())
    assert count == expected.events, count
    assert ops == expected.op_events, ops
    # The recording has whole nanoseconds.
    assert op_ns * 1000 == expected.op_execute, op_ns
    print(f"{count} events on {len(tracks)} tracks, {ops} of ops, {clocks} clock")


def speedscope(path, expected):
    data = load(path)
    frames = data["shared"]["frames"]
    count = total = 0
    for profile in data["profiles"]:
        assert profile["type"] == "evented" and profile["unit"] == "nanoseconds"
        stack, last = [], to_ps(profile["startValue"], "ns")
        for event in profile["events"]:
            at = to_ps(event["at"], "ns")
            assert at >= last
            last = at
            assert frames[event["frame"]]["name"]
            if event["type"] == "O":
                stack.append((event["frame"], at))
                count += 1
            else:
                frame, begin = stack.pop()
                assert frame == event["frame"]
                total += at - begin
        assert not stack and last == to_ps(profile["endValue"], "ns")
    assert count == expected.events and total == expected.total, (count, total)
    active = data["profiles"][data["activeProfileIndex"]]["name"]
    print(f"{count} events in {len(data['profiles'])} profiles, of which first",
          active)


def stacks(path, expected):
    data = load(path)
    frames = data["shared"]["frames"]
    (profile,) = data["profiles"]
    weights = [to_ps(weight, "ns") for weight in profile["weights"]]
    assert len(weights) == len(profile["samples"])
    assert all(f < len(frames) for s in profile["samples"] for f in s)
    assert to_ps(profile["endValue"], "ns") == sum(weights)
    assert sum(weights) == expected.op_time, sum(weights)
    print(f"{len(weights)} stacks of {len(frames)} frames")


def folded(path, expected):
    times = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, time = line.rstrip("\n").rsplit(" ", 1)
            assert stack not in times and all(stack.split(";")), line
            times[stack] = int(time)
    assert sum(times.values()) == expected.op_time, sum(times.values())
    print(f"{len(times)} stacks")


def pprof(path, expected):
    with gzip.open(path) as file:
        message = list(fields(file.read()))
    strings = [value.decode() for number, value in message if number == 6]
    assert strings[0] == ""
    types = [tuple(strings[first(value, i)] for i in (1, 2))
             for number, value in message if number == 1]
    assert types == [("samples", "count"), ("time", "nanoseconds"),
                     ("time_ps", "picoseconds")], types
    functions = {first(value, 1): strings[first(value, 2)]
                 for number, value in message if number == 5}
    locations = {first(value, 1): first(first(value, 4), 1)
                 for number, value in message if number == 4}
    assert set(locations.values()) == set(functions)
    sums = [0, 0, 0]
    samples = [value for number, value in message if number == 2]
    for sample in samples:
        assert set(packed(first(sample, 1))) <= set(locations)
        for i, value in enumerate(packed(first(sample, 2))):
            sums[i] += value
    assert sums == [expected.op_events, expected.op_time // 1000,
                    expected.op_time], sums
    # pprof -top adds up by the innermost function: no two stacks share one.
    leaves = [functions[locations[packed(first(sample, 1))[0]]]
              for sample in samples]
    assert len(set(leaves)) == len(leaves), sorted(leaves)
    print(f"{len(samples)} samples, {len(functions)} functions")


def table(path, expected):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["time_ps"]) for row in rows) == expected.op_time
    assert sum(int(row["count"]) for row in rows) == expected.op_events
    print(f"{len(rows)} ops")


def model_explorer(path, _):
    """The graph beside the data: both have the same nodes."""
    graph = load(path)["graphs"][0]
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"])
    edges = [edge for node in graph["nodes"] for edge in node["incomingEdges"]]
    assert all(edge["sourceNodeId"] in nodes for edge in edges)
    (data,) = load(path + ".data").values()
    total = 0
    for node, result in data["results"].items():
        value = to_ps(result["value"], "us")
        attributes = {a["key"]: a["value"] for a in nodes[node]["attrs"]}
        assert int(attributes["total_ps"]) == value
        total += value
    stops = [stop["stop"] for stop in data["gradient"]]
    assert stops[0] == 0 and stops[-1] == 1 and stops == sorted(stops)
    print(f"{len(nodes)} nodes, {len(edges)} edges, {total} ps")


READERS = {"chrome-json": chrome, "perfetto": perfetto, "speedscope": speedscope,
           "stacks": stacks, "folded": folded, "pprof": pprof, "csv": table,
           "model-explorer": model_explorer}

if __name__ == "__main__":
    READERS[sys.argv[1]](sys.argv[2], Expected(sys.argv[3]))
