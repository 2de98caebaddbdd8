#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records with PaddlePaddle's profilers.

usage: record.py FOLDER

For each recording NAME of the second profiler it writes NAME.json and NAME.pb,
Paddle's own exports, and NAME.tree.json, the same events as Paddle's Python
classes have them: the reference of the tests. For the first profiler it writes
first*.profile and first*.txt, the report that Paddle printed.

Needs paddlepaddle 3.3.1 (CPU).
"""

import json
import os
import pathlib
import sys
import threading
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import paddle
import paddle.profiler as profiler
from paddle.base import core
from paddle.profiler import RecordEvent

folder = pathlib.Path(sys.argv[1])


def spin(microseconds):
    until = time.perf_counter_ns() + microseconds * 1000
    while time.perf_counter_ns() < until:
        pass


def get_tree(node):
    tree = {
        "name": node.name,
        "type": str(node.type).split(".")[-1],
        "begin_ns": node.start_ns,
        "end_ns": node.end_ns,
    }
    memory = [
        {
            "at_ns": event.timestamp_ns,
            "type": str(event.type).split(".")[-1],
            "place": event.place,
            "bytes": event.increase_bytes,
            "allocated": event.current_allocated,
            "peak": event.peak_allocated,
        }
        for event in node.mem_node
    ]
    if memory:
        tree["memory"] = memory
    children = [get_tree(child) for child in node.children_node]
    if children:
        tree["children"] = children
    return tree


def save(name):
    def handle(recorder):
        recorder.export(str(folder / f"{name}.json"), "json")
        recorder.export(str(folder / f"{name}.pb"), "pb")
        data = recorder.profiler_result.get_data()
        trees = {str(thread): get_tree(root) for thread, root in data.items()}
        (folder / f"{name}.tree.json").write_text(json.dumps(trees) + "\n")

    return handle


def record(name, **options):
    return profiler.Profiler(
        targets=[profiler.ProfilerTarget.CPU], on_trace_ready=save(name), **options
    )


def train():
    """A training step with memory events."""
    model = paddle.nn.Sequential(
        paddle.nn.Linear(16, 32), paddle.nn.ReLU(), paddle.nn.Linear(32, 4)
    )
    optimizer = paddle.optimizer.SGD(1e-3, parameters=model.parameters())
    data, labels = paddle.rand([4, 16]), paddle.randint(0, 4, [4, 1])

    def step():
        loss = paddle.nn.functional.cross_entropy(model(data), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()

    step()
    with record("train", profile_memory=True, record_shapes=True) as recorder:
        step()
        recorder.step()


def static():
    """A graph that runs as a program."""
    model = paddle.jit.to_static(paddle.nn.Linear(16, 4), full_graph=True)
    model.eval()
    data = paddle.rand([4, 16])
    model(data)
    with record("static") as recorder, paddle.no_grad():
        model(data)
        recorder.step()


def threads():
    """Scopes of a program, on three threads, with names of every kind."""

    def work(number):
        with RecordEvent(f"worker {number}"):
            spin(60)
            with RecordEvent("inner"):
                spin(30)

    with record("threads") as recorder:
        for _ in range(2):
            with RecordEvent('a "name" <of> {parts};\nline 2 \N{SNOWMAN} a/b'):
                spin(40)
                with RecordEvent("inner"):
                    spin(20)
            workers = [threading.Thread(target=work, args=[i]) for i in range(2)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            recorder.step()


def scope(name, microseconds, inner=lambda: None):
    event = core._RecordEvent(name, core.TracerEventType.UserDefined)
    spin(microseconds)
    inner()
    event.end()


def run_thread(target, *arguments):
    worker = threading.Thread(target=target, args=arguments)
    worker.start()
    worker.join()


def first():
    for _ in range(3):
        scope("outer", 50, lambda: scope("inner", 30, lambda: scope("leaf", 10)))
        scope("a/b", 20, lambda: scope("c/d", 10))
    run_thread(scope, "worker", 40)
    data = paddle.rand([8, 8])
    paddle.matmul(data, data)


def first_threads():
    """Threads with the same names, and those that the report sums up."""

    def work(number):
        for _ in range(3):
            scope("feed", 100)
            scope("outer", 200, lambda: (
                scope("inner", 300, lambda: scope("leaf", 50)),
                scope("inner", 100)))
        scope("x compute", 40)
        scope("outer2", 50, lambda: (
            scope("compute deep", 50), scope("GpuMemcpyAsync:x", 10)))
        scope(f"worker{number}", 30)
        scope("same", 20 * number + 20, lambda: scope("sub", 10))

    for number in range(3):
        run_thread(work, number)
    scope("same", 300, lambda: scope("sub", 20))


def record_first(name, make):
    """The first profiler, through the bindings that are left of it."""
    # Paddle's C++ code prints the report.
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(os.open(folder / f"{name}.txt", os.O_CREAT | os.O_WRONLY), 1)
    core.set_tracer_option(core.TracerOption.kDefault)
    core.enable_profiler(core.ProfilerState.kCPU)
    make()
    core.disable_profiler(
        core.EventSortingKey.kDefault, str(folder / f"{name}.profile")
    )
    os.dup2(saved, 1)


folder.mkdir(parents=True, exist_ok=True)
for make in (train, static, threads):
    make()
record_first("first", first)
record_first("first-threads", first_threads)
