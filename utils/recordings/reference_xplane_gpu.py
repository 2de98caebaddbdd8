# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPUs in an XSpace: kernels and copies, their launches, streams and instructions.

Gives the tables of expected.json about devices, and the events of instructions in
place of those that reference_trace.py finds. All times are integer picoseconds.
"""

import collections
import dataclasses
import re

from reference_command_buffers import Schedule
from reference_trace import OpEvent, read_stats, union_length

DEFINITIONS = dict(
    device_self=(
        "events of a stream are not nested: kernels overlap (programmatic dependent "
        "launch, branches of a CUDA graph), and self = duration"),
    instruction=(
        "of a device event: its hlo_op, if the program has that instruction "
        "(found_by hlo_op). In a command buffer, hlo_op names the buffer: the "
        "instructions are those of the scheduled computation that explains most of "
        "its nodes. A kernel is the instruction whose name it has, with '_' for other "
        "characters (name); else the next one that shares its code, by "
        "deduplicated_name (twin); nodes that are left, and instructions that are "
        "left, go together in their order if there are as many of each (left)"),
    launches=(
        "host events and device events with one correlation_id; latency: begin of the "
        "first device event - begin of the launch; queue: - end of the launch"),
    idle="gaps of the union of all events of a device, between its first and last",
    copies="bytes: size in memcpy_details; direction: the event's name",
    graphs=(
        "replays of a command buffer: events of one correlation_id with a "
        "cuda_graph_id; span: from the first begin to the last end"),
)

# Names of events of the host by which XLA's runtime runs a callback: not ops.
RUNTIME_SCOPE = "ThenExecuteCallback:"

@dataclasses.dataclass
class Work:
    """One kernel or copy of a device."""

    device: str
    stream: str
    begin: int
    end: int
    name: str
    stats: dict
    instruction: str | None = None
    found_by: str | None = None

    @property
    def duration(self):
        return self.end - self.begin

    @property
    def program(self):
        return self.stats.get("hlo_module"), self.stats.get("program_id")

    @property
    def copy_bytes(self):
        """Size of a copy; None for a kernel."""
        details = self.stats.get("memcpy_details")
        return details and int(re.search(r"size:(\d+)", details)[1])


def is_device(plane):
    return plane.name.startswith("/device:GPU:")


def read_events(plane):
    """(line, begin, end, name, stats) of every event."""
    for line in plane.lines:
        for event in line.events:
            begin = line.timestamp_ns * 1000 + event.offset_ps
            yield (line, begin, begin + event.duration_ps,
                   plane.event_metadata[event.metadata_id].name,
                   read_stats(plane, event))


def summary(values):
    return dict(count=len(values), total_ps=sum(values), min_ps=min(values),
                max_ps=max(values)) if values else dict(count=0, total_ps=0)


class Devices:
    """The devices of a recording. Replaces trace.ops by the work of devices, each
    under its instruction, after what is left of the host's."""

    def __init__(self, trace):
        self.work, self.launches, self.facts = [], {}, []
        for plane in trace.space.planes:
            if is_device(plane):
                self.facts.append(dict(name=plane.name, **read_stats(plane, plane)))
            for line, begin, end, name, stats in read_events(plane):
                if is_device(plane):
                    self.work.append(
                        Work(plane.name, line.name, begin, end, name, stats))
                elif "correlation_id" in stats:
                    self.launches[stats["correlation_id"]] = begin, end
        self.work.sort(key=lambda work: (work.begin, -work.end))
        self._find_instructions(trace)
        host = [op for op in trace.ops if op.kind == "tf" and
                not op.name.startswith(RUNTIME_SCOPE)]
        trace.ops = host + [
            OpEvent("hlo", work.begin, work.end, work.name,
                    dict(work.stats, hlo_op=work.instruction), 0, work.duration)
            for work in self.work if work.instruction]
        for line in trace.lines:
            if line["plane"].startswith("/device:GPU:"):
                for row in line["by_name"].values():
                    row["self_ps"] = row["total_ps"]

    def _find_instructions(self, trace):
        schedules, buffers = {}, collections.defaultdict(dict)
        for work in self.work:
            if "hlo_op" not in work.stats:
                continue
            if work.program not in schedules:
                schedules[work.program] = Schedule(trace.find_hlo(*work.program))
            if work.stats["hlo_op"] in schedules[work.program].module.instructions:
                work.instruction, work.found_by = work.stats["hlo_op"], "hlo_op"
            else:
                nodes = buffers[self.buffer_of(work)]
                nodes[work.stats["cuda_graph_node_id"]] = work.name
        found = {}
        for key, nodes in buffers.items():
            order = sorted(nodes)
            resolved = schedules[key[:2]].resolve([nodes[node] for node in order])
            found[key] = {order[at]: how for at, how in resolved.items()}
        for work in self.work:
            if "hlo_op" in work.stats and not work.instruction:
                work.instruction, work.found_by = found[self.buffer_of(work)].get(
                    work.stats["cuda_graph_node_id"], (None, None))

    @staticmethod
    def buffer_of(work):
        return (*work.program, work.stats["hlo_op"], work.stats.get("cuda_graph_id"))

    def by(self, key):
        rows = collections.defaultdict(list)
        for work in self.work:
            rows[key(work)].append(work)
        return rows

    def tables(self):
        return dict(devices=self._devices(), streams=self._streams(),
                    kernels=self._kernels(), copies=self._copies(),
                    launches=self._launches(), graphs=self._graphs(),
                    found_by=self._found_by(), found=self._found())

    def add_kernels(self, rows):
        """Adds to the row of each instruction the name of what it launched."""
        for row in rows:
            row["kernel"], = {w.name for w in self.work if w.instruction == row["instr"]
                              and w.program == (row["module"], row["program_id"])}

    def outside(self, coverage):
        """Work of no instruction, which no op of the module owns."""
        rows = []
        for name, work in self.by(lambda w: w.name).items():
            times = [w.duration for w in work if not w.instruction]
            if times:
                coverage.account(sum(times), [], "outside the model")
                rows.append(dict(name=name, **summary(times)))
        return rows

    def _devices(self):
        rows = []
        for facts in self.facts:
            work = [w for w in self.work if w.device == facts["name"]]
            intervals = [(w.begin, w.end) for w in work]
            gaps, last = [], None
            for begin, end in intervals:
                if last is not None and begin > last:
                    gaps.append(begin - last)
                last = end if last is None else max(last, end)
            rows.append(dict(
                name=facts["name"], facts=facts, events=len(work),
                total_ps=sum(w.duration for w in work),
                busy_ps=union_length(intervals),
                kernel_busy_ps=union_length(
                    (w.begin, w.end) for w in work if w.copy_bytes is None),
                copy_busy_ps=union_length(
                    (w.begin, w.end) for w in work if w.copy_bytes is not None),
                idle=summary(gaps)))
        return rows

    def _streams(self):
        return [dict(device=device, name=name, events=len(work),
                     total_ps=sum(w.duration for w in work),
                     busy_ps=union_length((w.begin, w.end) for w in work))
                for (device, name), work in
                self.by(lambda w: (w.device, w.stream)).items()]

    def _kernels(self):
        return [dict(name=name, **summary([w.duration for w in work]))
                for name, work in self.by(lambda w: w.name).items()]

    def _copies(self):
        rows = []
        for name, work in self.by(lambda w: w.name).items():
            sizes = [w.copy_bytes for w in work]
            if None in sizes:
                continue
            total = sum(w.duration for w in work)
            rows.append(dict(direction=name, count=len(work), bytes=sum(sizes),
                             total_ps=total,
                             bytes_per_second=sum(sizes) * 10**12 // total,
                             outside_program=sum(not w.instruction for w in work)))
        return rows

    def _launches(self):
        latency, queue, missing = [], [], 0
        for number, work in self.by(lambda w: w.stats["correlation_id"]).items():
            if number not in self.launches:
                missing += 1
                continue
            begin, end = self.launches[number]
            latency.append(work[0].begin - begin)
            queue.append(work[0].begin - end)
        return dict(count=len(self.launches), without_launch=missing,
                    latency=summary(latency), queue=summary(queue))

    def _graphs(self):
        rows = []
        in_graphs = [w for w in self.work if "cuda_graph_id" in w.stats]
        buffers = collections.defaultdict(lambda: collections.defaultdict(list))
        for work in in_graphs:
            buffers[self.buffer_of(work)][work.stats["correlation_id"]].append(work)
        for (module, program, name, graph), replays in buffers.items():
            spans = [max(w.end for w in work) - min(w.begin for w in work)
                     for work in replays.values()]
            rows.append(dict(
                module=module, program_id=program, name=name, graph=graph,
                replays=len(replays),
                nodes=len({w.stats["cuda_graph_node_id"]
                           for work in replays.values() for w in work}),
                total_ps=sum(w.duration for work in replays.values() for w in work),
                span=summary(spans)))
        return rows

    def _found_by(self):
        times = collections.Counter()
        for work in self.work:
            times[work.found_by or "outside"] += work.duration
        return dict(times)

    def _found(self):
        return sorted({(w.stats["hlo_op"], w.name, w.instruction, w.found_by)
                       for w in self.work if w.found_by not in (None, "hlo_op")})
