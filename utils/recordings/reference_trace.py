# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads an XSpace with the framework's own protobuf classes.

Gives the per-line tables of expected.json and the list of op events that the
other reference_* modules work on. All times are integer picoseconds.
"""

import collections
import dataclasses
import os
import re

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
from tensorflow.compiler.xla.service import hlo_pb2
from tensorflow.tsl.profiler.protobuf import xplane_pb2

# NAME:TYPE as tsl writes the events of TensorFlow's kernels.
TF_OP = re.compile(r"^([A-Za-z0-9.][A-Za-z0-9_.\\/>-]*):([A-Z_][A-Za-z0-9_]*)$")

# The host interval that encloses one run of an XLA program. It identifies the
# run where run_id does not (TensorFlow writes -1).
EXECUTE = "CpuExecutable::ExecuteAsyncOnStream"


@dataclasses.dataclass
class OpEvent:
    """One event of a measured op: a TF kernel ("tf") or a thunk ("hlo")."""

    kind: str
    begin: int
    end: int
    name: str
    stats: dict
    line: int
    self_ps: int
    run: object = None
    bounded_end: int | None = None

    @property
    def module(self):
        """(module name, program id) of an HLO event."""
        return self.stats["hlo_module"], self.stats.get("program_id")


class Trace:
    """The data of one xplane.pb that the other modules need."""

    def __init__(self, path):
        self.space = xplane_pb2.XSpace()
        with open(path, "rb") as file:
            self.space.ParseFromString(file.read())
        self.planes, self.lines, self.ops = [], [], []
        # Completion events by the value of their _c: (begin, end, line).
        self.completions = {}
        self.executions = []
        self.hlo_modules = collections.defaultdict(list)
        for plane in self.space.planes:
            self.planes.append(dict(
                name=plane.name, lines=len(plane.lines),
                events=sum(len(line.events) for line in plane.lines),
                event_metadata=len(plane.event_metadata),
                stat_metadata=len(plane.stat_metadata)))
            self._read_hlo_protos(plane)
            for index, line in enumerate(plane.lines):
                self._read_line(plane, index, line)
        self.executions.sort()

    def _read_hlo_protos(self, plane):
        for metadata in plane.event_metadata.values():
            for stat in metadata.stats:
                if plane.stat_metadata[stat.metadata_id].name == "Hlo Proto":
                    proto = hlo_pb2.HloProto()
                    proto.ParseFromString(stat.bytes_value)
                    module = proto.hlo_module
                    self.hlo_modules[module.name].append(module)

    def _read_line(self, plane, index, line):
        events = []
        for event in line.events:
            begin = line.timestamp_ns * 1000 + event.offset_ps
            events.append((begin, begin + event.duration_ps,
                           plane.event_metadata[event.metadata_id].name,
                           read_stats(plane, event)))
        parents, partial = nest(events)
        nested = nested_time(events, parents, [True] * len(events))
        kinds = [kind_of(name, stats) for _, _, name, stats in events]
        nested_ops = nested_time(events, parents, kinds)

        by_name = {}
        for i, (begin, end, name, stats) in enumerate(events):
            entry = by_name.setdefault(
                name, dict(count=0, total_ps=0, self_ps=0))
            entry["count"] += 1
            entry["total_ps"] += end - begin
            entry["self_ps"] += end - begin - nested[i]
            if name.startswith("end: ") and "_c" in stats:
                self.completions[stats["_c"]] = (begin, end, index)
            if name == EXECUTE:
                self.executions.append((begin, end))
            if kinds[i]:
                self.ops.append(OpEvent(kinds[i], begin, end, name, stats,
                                        index, end - begin - nested_ops[i]))
        self.lines.append(dict(
            plane=plane.name, index=index, id=line.id, name=line.name,
            display_name=line.display_name, timestamp_ns=line.timestamp_ns,
            events=len(events), partial_overlaps=partial, by_name=by_name))

    def find_hlo(self, name, program_id):
        """The HLO module of that name, by program id if one has it."""
        candidates = self.hlo_modules.get(name, [])
        exact = [m for m in candidates if m.id == program_id]
        return (exact or candidates or [None])[0]

    def steps(self):
        """Count and total duration of the "train" step annotations."""
        durations = [
            event.duration_ps for plane in self.space.planes
            for line in plane.lines for event in line.events
            if plane.event_metadata[event.metadata_id].name == "train"]
        return dict(count=len(durations), total_ps=sum(durations))


def read_stats(plane, event):
    stats = {}
    for stat in event.stats:
        field = stat.WhichOneof("value")
        value = getattr(stat, field)
        if field == "ref_value":
            value = plane.stat_metadata[value].name
        stats[plane.stat_metadata[stat.metadata_id].name] = value
    return stats


def kind_of(name, stats):
    if "hlo_op" in stats:
        return "hlo"
    return "tf" if TF_OP.match(name) else None


def nest(events):
    """Parent of every event of a line, and the number of partial overlaps."""
    order = sorted(range(len(events)),
                   key=lambda i: (events[i][0], -events[i][1], i))
    parents, stack, partial = [-1] * len(events), [], 0
    for i in order:
        begin, end = events[i][0], events[i][1]
        while stack and events[stack[-1]][1] <= begin:
            stack.pop()
        # The events left on the stack overlap this one. An event that ends
        # within it cannot be its parent, although it began first.
        while stack and events[stack[-1]][1] < end:
            stack.pop()
            partial += 1
        if stack:
            parents[i] = stack[-1]
        stack.append(i)
    return parents, partial


def nested_time(events, parents, chosen):
    """Time, per event, of the nearest `chosen` events nested in it."""
    nested = [0] * len(events)
    for i, parent in enumerate(parents):
        if not chosen[i]:
            continue
        while parent >= 0 and not chosen[parent]:
            parent = parents[parent]
        if parent >= 0:
            nested[parent] += events[i][1] - events[i][0]
    return nested


def union_length(intervals):
    """Length of the union of [begin, end) intervals."""
    length, current = 0, None
    for begin, end in sorted(intervals):
        if current is None or begin > current[1]:
            length += current[1] - current[0] if current else 0
            current = [begin, end]
        else:
            current[1] = max(current[1], end)
    return length + (current[1] - current[0] if current else 0)
