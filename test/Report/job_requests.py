#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the reports of training jobs and compares each answer with one computed here.

usage: job_requests.py MLIR_PROF MAKE_RAW FOLDER

The job is made up: ops, steps and executions by AI CPUs by MAKE_RAW, whose truth does
not come from reading them back, and the input pipeline, memory and transfers here.
"""

import json
import pathlib
import random
import subprocess
import sys
from collections import defaultdict

tool, make_raw, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
RANKS, STEPS = 2, 4
TICK, US, MS = 10_000, 10**6, 10**9
random_number = random.Random(7).randrange


def half_up(amount, count):
    return (2 * amount + count) // (2 * count)


# ------------------------------------------------------------------------------
# The job
# ------------------------------------------------------------------------------

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    """A field of a message: an integer, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def make_memory(rank):
    """Nodes, and tensors as (bytes, first node, last node)."""
    nodes = [f"Op{i}" for i in range(12)]
    tensors = []
    for first in range(12):
        for _ in range(3):
            tensors.append((512 * (1 + random_number(900)), first,
                            min(11, first + random_number(5))))
    static = 1 << 20
    graph = field(1, 0) + field(2, static)
    graph += b"".join(field(3, field(1, name) + field(2, i)) for i, name in enumerate(nodes))
    graph += b"".join(
        field(4, field(1, i) + field(2, size) + field(3, "Common") + field(4, first)
              + field(5, last) + field(6, "LifeLongNone"))
        for i, (size, first, last) in enumerate(tensors))
    (folder / f"memory_usage_{rank}.pb").write_bytes(field(1, graph) + field(2, 32 << 30))
    live = [static + sum(size for size, first, last in tensors if first <= i <= last)
            for i in range(12)]
    return {"static": static, "live": live, "tensors": tensors}


def make_pipeline(rank):
    """Stages 0 <- 1 <- 2 of which the last reads, and the queue into the device."""
    queues = {number: [random_number(17) for _ in range(11)] for number in (1, 2)}
    queues[2] = [random_number(3) for _ in range(11)]
    stages = [{"op_id": 0, "op_type": "DeviceQueue", "num_workers": 1, "metrics": None,
               "children": [1]}]
    for number, kind in ((1, "Batch"), (2, "Generator")):
        stages.append({"op_id": number, "op_type": kind, "num_workers": 4 - number,
                       "metrics": {"output_queue": {"length": 16, "size": queues[number]}},
                       "children": [2] if number == 1 else None})
    (folder / f"pipeline_profiling_{rank}.json").write_text(
        json.dumps({"sampling_interval": 10, "op_info": stages}))
    device = [0 if i % 3 == rank else random_number(65) for i in range(9)]
    costs = [(random_number(9), random_number(4)) for _ in range(9)]
    lines = []
    for batch, (size, (get, push)) in enumerate(zip(device, costs), 1):
        lines += [f"0 0 {batch} {get} {batch * 10}", f"0 1 {batch} {push} {batch * 10}",
                  f"0 2 {batch} {get + push} {batch * 10}", f"1 64 {batch} {size} {batch * 10}"]
    (folder / f"device_queue_profiling_{rank}.txt").write_text("\n".join(lines) + "\n")
    return {"queues": queues, "device": device, "costs": costs}


def make_transfers(rank):
    """[(step, op, source, destination, bytes, ps)] and waits [(step, op, ps)]."""
    transfers, waits = [], []
    for step in range(1, STEPS + 1):
        for op in ("allReduce_1", "allReduce_2"):
            events = []
            for source, destination in ((rank, 1 - rank), (1 - rank, rank)):
                size, time = 4096 * (1 + random_number(99)), 100 + random_number(9000)
                events.append(("Memcpy", source, destination, size, time))
                transfers.append((step, op, source, destination, size, time * 10**4))
            wait = 100 + random_number(900)
            events.append(("Notify Wait", rank, 1 - rank, None, wait))
            waits.append((step, op, wait * 10**4))
            path = folder / f"hccl_info_{rank}" / f"{op}_1_{rank}" / f"iter{step}.trace"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"traceEvents": [
                {"tid": 2, "pid": "0", "ts": 0, "dur": time / 100, "ph": "X", "name": name,
                 "args": {"stream id": 11, "task type": name, "src rank": source,
                          "dst rank": destination, "transport type": "SDMA",
                          "size": None if size is None else hex(size)}}
                for name, source, destination, size, time in events]}))
    return {"transfers": transfers, "waits": waits}


# ------------------------------------------------------------------------------
# Answers
# ------------------------------------------------------------------------------

def ops_of(rank):
    """[name, type, executions, total] in picoseconds."""
    return [[name, kind, count, total * TICK]
            for name, (kind, count, total, _, _) in TRUTH[rank]["ops"].items()]


def types_of(rank):
    sums = defaultdict(lambda: [0, 0, 0])
    for _, kind, count, total in ops_of(rank):
        for i, amount in enumerate((total, count, 1)):
            sums[kind][i] += amount
    whole = sum(each[0] for each in sums.values())
    return [[kind, total, count, half_up(total * 10**6, whole), half_up(total, count), ops,
             half_up(total, STEPS), rank]
            for kind, (total, count, ops) in sums.items()]


def details_of(rank):
    rows = []
    for name, kind, count, total in ops_of(rank):
        cube, vector, counted = TRUTH[rank]["flops"].get(name, (0, 0, 0))
        flops = [half_up(cube + vector, counted), half_up(cube, counted),
                 half_up(vector, counted)] if counted else [None] * 3
        rows.append([name.split("/")[-1], kind, half_up(total, count), count, total, *flops, name,
                     rank])
    return rows


def aicpu_of(rank):
    origin = min(run[2] for run in TRUTH[rank]["aicpu"])
    return [[i, op, kind, total * US, dispatch * US, execution * US, (end - begin) * TICK, rank]
            for i, (op, kind, begin, end, total, dispatch, execution)
            in enumerate(TRUTH[rank]["aicpu"], 1) if origin]


def steps_of(rank):
    return [[number, (first - begin) * TICK, (last - first) * TICK, (end - last) * TICK,
             (end - begin) * TICK]
            for number, begin, first, last, end in TRUTH[rank]["steps"]]


def collectives_of(rank):
    begins = {step[0]: step[1] for step in TRUTH[rank]["steps"]}
    return [[step, stream, (begin - begins[step]) * TICK, (end - begin) * TICK, rank]
            for step, stream, begin, end in TRUTH[rank]["collectives"]]


def pipeline_of(rank):
    made = PIPELINES[rank]
    rows = []
    for number, name, sizes, room in (
            (None, "device queue", made["device"], 64), (0, "DeviceQueue", [], None),
            (1, "Batch", made["queues"][1], 16), (2, "Generator", made["queues"][2], 16)):
        rows.append([number, name, len(sizes),
                     half_up(sum(sizes) * 10**6, len(sizes)) if sizes else None, room,
                     half_up(sum(sizes) * 10**6, room * len(sizes)) if sizes else None,
                     sizes.count(0) if sizes else None,
                     sum(size >= room for size in sizes) if sizes else None, rank])
    return rows


def links_of(rank):
    sums = defaultdict(lambda: [0, 0, 0])
    for step, _, source, destination, size, time in TRANSFERS[rank]["transfers"]:
        for i, amount in enumerate((1, size, time)):
            sums[step, source, destination][i] += amount
    return [[rank, *key, "SDMA", *each, half_up(each[1] * 10**12, each[2])]
            for key, each in sums.items()]


def communications_of(rank):
    sums = defaultdict(lambda: [0, 0, 0])
    for step, op, _, _, size, time in TRANSFERS[rank]["transfers"]:
        sums[step, op][0] += time
        sums[step, op][2] += size
    for step, op, time in TRANSFERS[rank]["waits"]:
        sums[step, op][1] += time
    return [[rank, *key, *each] for key, each in sums.items()]


def memory_of(rank):
    return [[i, f"Op{i}", live, sum(t[0] for t in MEMORY[rank]["tensors"] if t[1] == i),
             sum(t[0] for t in MEMORY[rank]["tensors"] if t[2] == i), rank]
            for i, live in enumerate(MEMORY[rank]["live"])]


def peak_of(rank):
    live = MEMORY[rank]["live"]
    return max(live), live.index(max(live))


def tensors_of(rank):
    peak = peak_of(rank)[1]
    return [[i, size, size if first <= peak <= last else 0, f"Op{first}", f"Op{last}", rank]
            for i, (size, first, last) in enumerate(MEMORY[rank]["tensors"])]


def clusters():
    rows = []
    for rank in range(RANKS):
        steps = steps_of(rank)
        means = [half_up(sum(step[i] for step in steps), STEPS) for i in (4, 1, 2, 3)]
        times = [half_up(sum(each[-1] for each in TRANSFERS[rank][kind]), STEPS)
                 for kind in ("transfers", "waits")]
        flops = sum(cube + vector for cube, vector, _ in TRUTH[rank]["flops"].values())
        rows.append([rank, STEPS, *means, *times, peak_of(rank)[0], half_up(flops, STEPS)])
    return rows


# ------------------------------------------------------------------------------
# Requests
# ------------------------------------------------------------------------------

def ask(by, *options):
    ran = subprocess.run([tool, "report", PROFILE, f"--by={by}", "--format=json", *options],
                         capture_output=True, text=True)
    return json.loads(ran.stdout) if ran.returncode == 0 else ran.stderr


def check(by, columns, expected, *options, matched=None):
    """Rows in any order, unless the options sort."""
    answer = ask(by, *options)
    assert isinstance(answer, dict), answer
    rows = [[row[column] for column in columns.split()] for row in answer["rows"]]
    if not any(option.startswith("--sort") for option in options):
        order = lambda row: [(value is not None, value) for value in row]
        rows, expected = sorted(rows, key=order), sorted(expected, key=order)
    assert rows == expected, f"{by} {options}:\n{rows}\ninstead of\n{expected}"
    assert answer["matched"] == (len(expected) if matched is None else matched), answer["matched"]


def of_all(answer):
    return [row for rank in range(RANKS) for row in answer(rank)]


def check_ops():
    columns = ("op_type total_time_ps execution_frequency total_percent_ppm avg_time_ps ops "
               "execution_time_ps device")
    check("aicore_type", columns, of_all(types_of))
    by_total = sorted(types_of(1), key=lambda row: (-row[1], row[0]))
    check("aicore_type", columns, by_total, "--filter=device=1", "--sort=total_time")
    check("aicore_type", columns, by_total[3:6], "--filter=device=1", "--sort=total_time",
          "--top=3", "--page=2", matched=len(by_total))
    check("aicore_type", columns, by_total[2:4], "--filter=device=1", "--sort=total_time",
          "--top=2", "--offset=2", matched=len(by_total))
    columns = ("op_name op_type avg_execution_time_ps execution_frequency total_time_ps flops "
               "cube_flops vector_flops full_op_name device")
    check("aicore_detail", columns, of_all(details_of))
    check("aicore_detail", columns,
          [row for row in details_of(0) if "matmul" in row[1].lower()],
          "--filter=op_type~~matmul", "--filter=device=0")
    kinds = {row[1] for row in details_of(0)}
    check("aicore_detail", columns, [row for row in of_all(details_of) if row[1] == "MatMul"],
          "--filter=op_type!=" + "|".join(kinds - {"MatMul"}))
    check("aicore_detail", columns,
          [row for row in of_all(details_of) if row[1] in ("ReLU", "GetNext")],
          "--filter=op_type=ReLU|GetNext")
    check("aicore_detail", columns,
          [row for row in of_all(details_of) if row[4] > 50 * US], "--filter=total_time>50us")
    check("aicore_detail", "op_type execution_frequency total_time_ps rows device",
          [[kind, count, total, ops, rank] for kind, total, count, _, _, ops, _, rank
           in of_all(types_of)], "--group=op_type,device")


def check_aicpu():
    runs = of_all(aicpu_of)
    check("aicpu_detail", "serial_number op_name op_type total_time_ps dispatch_time_ps "
          "run_time_ps device", [run[:6] + run[7:] for run in runs])
    answer = ask("aicpu_detail", "--filter=device=1", "--sort=serial_number")
    assert [row["run_end_ps"] - row["run_start_ps"] for row in answer["rows"]] == \
        [run[6] for run in aicpu_of(1)], answer
    for by, key in (("aicpu_type", "op_type"), ("aicpu_op", "op_name")):
        index = 2 if by == "aicpu_type" else 1
        sums = defaultdict(list)
        for run in runs:
            sums[run[index], run[7]].append(run)
        check(by, f"{key} total_time_ps execution_frequency avg_execution_time_ps "
              "dispatch_time_ps run_time_ps device",
              [[name, sum(r[3] for r in each), len(each),
                *[half_up(sum(r[i] for r in each), len(each)) for i in (3, 4, 5)], rank]
               for (name, rank), each in sums.items()])


def check_steps():
    check("step-trace", "step interval_ps forward_ps tail_ps total_ps", of_all(steps_of))
    check("step-trace", "step tail_ps", [[2, steps_of(rank)[1][3]] for rank in range(RANKS)],
          "--filter=step=2")
    check("collective", "step stream begin_ps duration_ps device", of_all(collectives_of))


def check_queues():
    check("pipeline", "op_id op_type samples average_size_ppm capacity use_ppm empty full device",
          of_all(pipeline_of))
    check("queue", "sample size device",
          [[i, size, 0] for i, size in enumerate(PIPELINES[0]["device"])],
          "--filter=op_type=device queue", "--filter=device=0")
    check("batch", "batch get_cost_ps push_cost_ps total_cost_ps device",
          [[i, get * MS, push * MS, (get + push) * MS, rank] for rank in range(RANKS)
           for i, (get, push) in enumerate(PIPELINES[rank]["costs"], 1)])


def check_memory():
    check("memory", "position op live_bytes allocated_bytes freed_bytes device",
          of_all(memory_of))
    check("memory-tensor", "tensor bytes peak_bytes op last_op device", of_all(tensors_of))
    check("memory-graph", "peak_bytes peak_op peak_position static_bytes capacity_bytes tensors",
          [[peak_of(rank)[0], f"Op{peak_of(rank)[1]}", peak_of(rank)[1], MEMORY[rank]["static"],
            32 << 30, len(MEMORY[rank]["tensors"])] for rank in range(RANKS)])
    at_peak = sum(row[2] for row in tensors_of(0))
    assert at_peak + MEMORY[0]["static"] == peak_of(0)[0]
    check("memory-tensor", "peak_bytes", [[at_peak]], "--group=graph", "--filter=device=0")


def check_cluster():
    check("cluster", "rank steps step_ps interval_ps passes_ps tail_ps communication_ps wait_ps "
          "peak_bytes flops", clusters())
    check("link", "rank step source destination link_type count bytes communication_cost_ps "
          "bytes_per_second", of_all(links_of))
    check("link", "rank step source destination link_type count bytes communication_cost_ps "
          "bytes_per_second",
          sorted([row for row in of_all(links_of) if row[1] == 1], key=lambda row: -row[7]),
          "--filter=step=1", "--filter=link_type=SDMA", "--sort=communication_cost")
    check("communication", "rank step op communication_cost_ps wait_cost_ps bytes",
          of_all(communications_of))


def check_errors():
    for by, options, words in (
            ("nothing", [], ["does not exist", "aicore_type, aicore_detail"]),
            ("aicore_type", ["--sort=nope"], ["column 'nope'", "op_type, total_time_ps"]),
            ("aicore_type", ["--filter=nope=1"], ["column 'nope'", "op_type, total_time_ps"]),
            ("aicore_type", ["--group=nope"], ["column 'nope'", "op_type, total_time_ps"]),
            ("aicore_type", ["--filter=ops=x"], ["'x' is not a whole number"]),
            ("aicore_type", ["--filter=ops>1|2"], ["several values"]),
            ("aicore_type", ["--top=0"], ["--top"]),
            ("aicore_type", ["--after=99999"], ["row 99999 does not exist"]),
            ("aicore_type", ["--page=1", "--offset=1"], ["exclude each other"])):
        error = ask(by, *options)
        assert isinstance(error, str) and all(word in error for word in words), error


def check_pages():
    """Pages after the row that the one before names show each row once."""
    whole = ask("aicore_detail", "--sort=op_name")["rows"]
    rows, after = [], []
    while True:
        page = ask("aicore_detail", "--sort=op_name", "--top=5", *after)
        rows += page["rows"]
        if "next" not in page:
            break
        after = [f"--after={page['next']}"]
    assert rows == whole, rows


subprocess.run([sys.executable, make_raw, folder, "r15", "--seed=4", f"--devices={RANKS}"],
               check=True)
TRUTH = json.loads((folder / "truth.json").read_text())
MEMORY, PIPELINES, TRANSFERS = ([make(rank) for rank in range(RANKS)] for make in
                                (make_memory, make_pipeline, make_transfers))
PROFILE = folder / "job.mlprof"
subprocess.run([tool, "import", folder, "-o", PROFILE], check=True, capture_output=True)
check_ops()
check_aicpu()
check_steps()
check_queues()
check_memory()
check_cluster()
check_errors()
check_pages()
print("all answers are as computed")
