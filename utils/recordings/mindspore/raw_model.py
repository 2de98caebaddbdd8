# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A made-up training job: what its device does, and what a reader must find.

Times are ticks of the device's counter, 10 ns each.
"""

import dataclasses
import random


@dataclasses.dataclass
class Op:
    name: str
    type: str
    stream: int
    processor: str = "AI_CORE"
    inputs: list = dataclasses.field(default_factory=list)
    output: tuple = (4, 8)


@dataclasses.dataclass
class AiCpuRun:
    node: str
    name: str
    type: str
    stream: int
    task: int
    begin: int
    end: int
    begin_us: int
    execution_us: int
    compute_us: int
    memcpy_us: int
    dispatch_us: int
    total_us: int


def make_ops(layers):
    """An input, layers forward and backward, and an optimizer."""
    net = "network-TrainOneStepCell/network-WithLossCell"
    ops = [Op("Default/GetNext-op0", "GetNext", 3, "AI_CPU", [], (32, 1, 32, 32))]
    for index in range(layers):
        kind = ("MatMul", "ReLU", "TransData")[index % 3]
        ops.append(Op(f"Default/{net}/layer{index}-Dense/{kind}-op{len(ops)}", kind, 5,
                      inputs=[(32, 16)] * (1 + index % 7), output=(32, 8 + index)))
    for index in reversed(range(layers)):
        ops.append(Op(f"Gradients/Default/{net}/a_rather_long_scope_of_the_backbone/"
                      f"layer{index}-Dense/gradMatMul/MatMul-op{len(ops)}", "MatMul", 5,
                      inputs=[(32, 8)], output=(16, 8)))
    ops.append(Op(f"Default/{net}/optimizer-Momentum/ApplyMomentum-op{len(ops)}",
                  "ApplyMomentum", 5, inputs=[(16, 8)] * 3, output=(16, 8)))
    return ops


class Model:
    """One device's part of the job. `options` has layers, steps, lose, nest and wrap."""

    def __init__(self, seed, options):
        self.random = random.Random(seed)
        self.options = options
        self.ops = make_ops(options.layers)
        self.log, self.trace, self.aicpu, self.pmu = [], [], [], []
        self.runs, self.steps, self.collectives = [], [], []
        self.number_tasks()
        self.mark_points()
        self.now = 4380684000000 + self.random.randrange(10**6)
        previous = None
        for step in range(1, options.steps + 1):
            previous = self.run_step(step, previous)
        self.log.sort(key=lambda record: record[3])
        self.lose_records()

    def number_tasks(self):
        """The rows of the framework's table: (op, stream, task). With `wrap` each step
        has tasks of its own, and numbers pass 16 bits."""
        self.tasks, self.task_of = [], {}
        number = 65536 - 3 * len(self.ops) if self.options.wrap else 10
        reduce_op = Op("Gradients/AllReduce/AllReduce-op90", "AllReduce", 11, "HCCL")
        mark = lambda index: Op(f"Default/Profiling-op6100{index}", "Profiling", 5, "RTS")
        first = self.ops[1]
        self.marks = {2: (5, 3001), 10000: (11, 3002), 10001: (11, 3003), 3: (5, 3004),
                      4: (5, 3005)}
        for step in range(self.options.steps if self.options.wrap else 1):
            for op in self.ops:
                if step == 0 and op is first:
                    self.tasks.append((mark(1), *self.marks[2]))
                copies = 2 if op.type == "TransData" and not self.options.wrap else 1
                for copy in range(copies):
                    self.tasks.append((op, op.stream, number))
                    self.task_of[op.name, step if self.options.wrap else 0, copy] = number
                    number += 3
                if step == 0 and op is self.ops[-2]:
                    self.tasks += [(mark(4), *self.marks[3]), (mark(2), *self.marks[10000]),
                                   (reduce_op, 11, 3100), (mark(3), *self.marks[10001])]
            if step == 0:
                self.tasks.append((mark(5), *self.marks[4]))

    def mark_points(self):
        self.points = {2: self.ops[1].name, 3: self.ops[-2].name, 4: self.ops[-1].name,
                       10000: "Gradients/AllReduce/AllReduce-op90",
                       10001: "Gradients/AllReduce/AllReduce-op90"}

    def add_point(self, tag, ticks):
        self.trace.append((tag, *self.marks[tag], ticks))

    def run_task(self, op, step, copy, begin, duration):
        task = self.task_of[op.name, step - 1 if self.options.wrap else 0, copy]
        self.log += [(0, op.stream, task, begin), (1, op.stream, task, begin + duration)]
        self.runs.append((op, op.stream, task, begin, duration))
        counters = [self.random.randrange(9) * (op.type == "MatMul"), 0,
                    *[self.random.randrange(50) for _ in range(6)]]
        if op.processor == "AI_CORE":
            self.pmu.append((op.stream, task, counters))
        return task

    def run_step(self, step, previous):
        points = {}
        for op in self.ops:
            copies = 2 if (op.name, 0, 1) in self.task_of else 1
            for copy in range(copies):
                duration = self.random.randrange(300, 3000)
                begin = self.now
                # A nested task begins and ends while the one before runs.
                if self.options.nest and op.type == "ReLU":
                    begin -= 250
                    duration = 100
                task = self.run_task(op, step, copy, begin, duration)
                if op is self.ops[0]:
                    self.run_aicpu(op, task, begin, duration)
                self.now = max(self.now, begin + duration) + self.random.randrange(20, 90)
            if op is self.ops[0]:
                points[2] = self.now - 10
            if op is self.ops[-2]:
                points[3] = self.now - 10
        points[4] = self.now - 10
        if self.random.random() < 0.3:
            self.log += [(0, 513, 60000, self.now), (1, 513, 60000, self.now + 7)]
        self.add_step(step, previous, points)
        self.now += self.random.randrange(2000, 9000)
        return points[4]

    def add_step(self, step, previous, points):
        begin = points[3] - 2000
        reduce = (begin, begin + self.random.randrange(100, 900))
        self.add_point(2, points[2])
        self.add_point(10000, reduce[0])
        self.add_point(10001, reduce[1])
        # A step that lacks a point is not counted, but its number is used.
        lacks = self.options.lose and step == 2
        if not lacks:
            self.add_point(3, points[3])
            self.collectives.append([step, 11, *reduce])
            self.steps.append([step, previous or points[2], *points.values()])
        self.add_point(4, points[4])

    def run_aicpu(self, op, task, begin, duration):
        pick = self.random.randrange
        self.aicpu.append(AiCpuRun(
            op.type, op.name, op.type, op.stream, task, begin, begin + duration,
            begin // 100, duration // 100, pick(2, 9), pick(1, 5), pick(50, 200),
            pick(200, 900)))

    def lose_records(self):
        """The driver loses records; the rolling count shows up to 15 in a row."""
        self.lost = set()
        if self.options.lose:
            self.lost = set(self.random.sample(range(1, len(self.log) - 1), 5))

    def find_pairs(self):
        """Executions whose start and end are both in the log."""
        lost = {(self.log[i][1], self.log[i][2], self.log[i][3]) for i in self.lost}
        return [run for run in self.runs
                if (run[1], run[2], run[3]) not in lost
                and (run[1], run[2], run[3] + run[4]) not in lost]

    def truth(self, layout):
        ops = {}
        for op, _, _, _, duration in self.find_pairs():
            durations = ops.setdefault(op.name, [op.type, []])[1]
            durations.append(duration)
        us = lambda run: [run.total_us, run.dispatch_us,
                          0 if layout == "r05" else run.execution_us]
        result = {
            "unit": "10 ns",
            "ops": {name: [kind, len(times), sum(times), min(times), max(times)]
                    for name, (kind, times) in ops.items()},
            "steps": self.steps, "collectives": self.collectives,
            "points": [self.points[tag] for tag in (2, 3, 4)],
            "collective": self.points[10000],
            "aicpu": [[run.name, run.type, run.begin, run.end, *us(run)]
                      for run in self.aicpu],
            "lost_records": len(self.lost),
            "tensors": {op.name: [[list(shape) for shape in op.inputs], list(op.output)]
                        for op in self.ops}}
        if layout in ("r15", "r16", "r110"):
            result["flops"] = self.count_flops()
        return result

    def count_flops(self):
        sums = {}
        names = {(stream, task): op.name for op, stream, task in self.tasks}
        for stream, task, c in self.pmu:
            entry = sums.setdefault(names[stream, task], [0, 0, 0])
            entry[0] += 8192 * c[0] + 16384 * c[1]
            entry[1] += 32 * c[2] + 128 * c[3] + 64 * c[4] + 64 * c[5] + 32 * c[6]
            entry[2] += 1
        return sums
