#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares timelines of samples with the report of the same profile.

usage: samples.py REPORT.json TRACE.json TRACE.pftrace TRACE.speedscope.json
                  [--iterations=N]

All three must have as many samples of each op as the report counts, on threads
whose intervals do not overlap. With --iterations the parts of the run are there,
in order, and so many iterations lie within the measured part.
"""

import collections
import sys

from read_export import fields, first, load, to_ps

PARTS = ["build", "load", "warm-up", "measured"]


class Counts:
    """Samples by name, and by the index of each op that owns them."""

    def __init__(self):
        self.names = collections.Counter()
        self.ops = collections.Counter()

    def add(self, name, samples, owners):
        self.names[name] += samples
        for owner in owners.split(",") if owners else ():
            self.ops[int(owner)] += samples


def of_report(path):
    """Samples by the index of an op."""
    return +collections.Counter({row["index"]: row["count"]
                                 for row in load(path)["rows"]})


def check_intervals(intervals):
    """`intervals`: (track, begin, end, samples)."""
    last = {}
    for track, begin, end, samples in sorted(intervals):
        assert samples > 0 and end >= begin >= last.get(track, begin)
        last[track] = end


def check_parts(parts, iterations):
    """`parts`: (name, begin, end)."""
    found = sorted((begin, end, name) for name, begin, end in parts
                   if name != "iteration")
    assert [name for _, _, name in found] == PARTS, found
    for (_, end, _), (begin, _, _) in zip(found, found[1:]):
        assert end <= begin, found
    inside = [part for part in parts if part[0] == "iteration"]
    assert len(inside) == iterations, len(inside)
    begin, end, _ = found[-1]
    assert all(begin <= b and e <= end for _, b, e in inside), found


def of_chrome(path, iterations):
    counts, intervals, parts = Counts(), [], []
    for event in load(path)["traceEvents"]:
        if event["ph"] != "X":
            continue
        begin = to_ps(event["ts"], "us")
        assert begin >= 0, event
        end = begin + to_ps(event["dur"], "us")
        if event["cat"] == "phase":
            parts.append((event["name"], begin, end))
            continue
        assert event["cat"] == "samples", event
        samples = event["args"]["samples"]
        counts.add(event["name"], samples, event["args"].get("mlir_index"))
        intervals.append(((event["pid"], event["tid"]), begin, end, samples))
    check_intervals(intervals)
    if iterations is not None:
        check_parts(parts, iterations)
    return counts


def of_perfetto(path):
    counts, names, annotations = Counts(), {}, {}
    with open(path, "rb") as file:
        data = file.read()
    for _, packet in fields(data):
        for kind, entry in fields(first(packet, 12, b"")):
            table = {2: names, 3: annotations}[kind]
            table[first(entry, 1)] = first(entry, 2).decode()
        event = first(packet, 11)
        if event is None or first(event, 9) != 1:
            continue
        notes = {annotations[first(note, 1)]: note
                 for number, note in fields(event) if number == 4}
        if "samples" in notes:
            owners = first(notes.get("mlir_index", b""), 6, b"").decode()
            counts.add(names[first(event, 10)], first(notes["samples"], 4),
                       owners)
    return counts


def of_speedscope(path):
    data = load(path)
    frames = [frame["name"] for frame in data["shared"]["frames"]]
    counts = collections.Counter()
    for profile in data["profiles"]:
        if profile["type"] == "evented":
            continue
        weights = [to_ps(weight, "ns") for weight in profile["weights"]]
        begin = to_ps(profile["startValue"], "ns")
        assert min(weights) >= 0 and len(weights) == len(profile["samples"])
        assert begin + sum(weights) == to_ps(profile["endValue"], "ns")
        for stack in profile["samples"]:
            counts.update(frames[frame] for frame in stack)
    return counts


def main():
    report, chrome, perfetto, speedscope, *rest = sys.argv[1:]
    iterations = int(rest[0].split("=")[1]) if rest else None
    wanted = of_report(report)
    assert wanted
    traces = [of_chrome(chrome, iterations), of_perfetto(perfetto)]
    for trace in traces:
        assert trace.ops == wanted, (trace.ops, wanted)
        assert trace.names == traces[0].names
    # It has names only.
    assert of_speedscope(speedscope) == traces[0].names
    print(f"{len(wanted)} ops, {sum(traces[0].names.values())} samples of all")


main()
