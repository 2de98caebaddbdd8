# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what MindSpore's recorder writes on a GPU, and what a reader must find."""

import random


def print_us(ns):
    return f"{ns / 1000:.3f}".rstrip("0").rstrip(".")


def run_ops(pick, steps):
    """Executions in ns: {op: [(begin, duration), ...]}."""
    names = ["Default/GetNext-op1", "Default/net/conv1-Conv2d/Conv2D-op2",
             "Gradients/Default/net/conv1-Conv2d/Conv2DBackpropFilter-op3",
             "Gradients/AllReduce/AllReduce-op4", "Default/opt/ApplyMomentum-op5"]
    now = 1600695893717949240 + pick(10**9)
    runs = {name: [] for name in names}
    for _ in range(steps):
        for name in names:
            duration = pick(5000, 300000)
            runs[name].append((now, duration))
            now += duration + pick(100, 2000)
        now += pick(10000, 90000)
    return runs


def step_lines(runs, is_async, drop):
    """The step file, and its steps in 10 ns: number, begin, first, last, end."""
    get_next, first, last, reduce, end = runs
    cut = lambda ns: ns // 10
    steps, reduces, lines = [], [], []
    previous = None
    count = len(runs[end])
    for index in range(count):
        begins = {name: times[index][0] for name, times in runs.items()}
        ends = {name: sum(times[index]) for name, times in runs.items()}
        if is_async:
            line = f"{get_next},{begins[get_next]} {first},{begins[first]}"
            if not (drop and index == 1):
                line += (f" {last},{begins[last]} {end},{ends[end]} "
                         f"{reduce},{begins[reduce]},{ends[reduce]}")
            lines.append(line + "\n")
            points = [begins[get_next], begins[first], begins[last], ends[end]]
        else:
            points = [previous or begins[first], begins[first], ends[last], ends[end]]
            previous = ends[end]
        if drop and index == 1:
            continue
        steps.append([index + 1, *map(cut, points)])
        reduces.append([index + 1, reduce, cut(begins[reduce]), cut(ends[reduce])])
    if not is_async:
        for name in (first, last, end, reduce):
            spans = [f"{cut(begin)},{cut(begin + duration)}"
                     for index, (begin, duration) in enumerate(runs[name])
                     if not (drop and index == 1 and name == last)]
            lines.append(" ".join([name, *spans]) + " \n")
    return "".join(lines), steps, reduces


def files(seed, layout, steps, drop):
    pick = random.Random(seed).randrange
    runs = run_ops(pick, steps)
    text, step_rows, reduces = step_lines(runs, layout == "gpu-async", drop)
    op_lines = kernel_lines = ""
    kernels = {}
    for index, (name, times) in enumerate(runs.items()):
        op_lines += f"{name};GpuOps;" + "".join(
            f"{begin},{print_us(duration)} " for begin, duration in times) + "\n"
        kernel = f"void kernel{index}<float, {index}>(float*, int);"[:-1]
        for begin, duration in times:
            kernel_lines += f"{kernel};{7 + index % 2};{begin + 50};{print_us(duration - 99)}\n"
        kernels[kernel] = [name, len(times), sum(d - 99 for _, d in times)]
    table = ("name,type,op_full_name,stream_id,block_dim,grid_dim,occurrences,"
             "total_duration(us),avg_duration(us),max_duration(us),min_duration(us)\n")
    for index, (kernel, (op, count, total)) in enumerate(kernels.items()):
        table += (f'"{kernel}",cuLaunchKernel,{op},{7 + index % 2},"256,1,1","1,2,1",{count},'
                  f'{total / 1000:.6g},1,1,1\n')
    short = lambda name: name.rsplit("/")[-1].rsplit("-op")[0]
    truth = {
        "unit": "ns",
        "ops": {name: [short(name), len(times), sum(d for _, d in times),
                       min(d for _, d in times), max(d for _, d in times)]
                for name, times in runs.items()},
        "kernels": kernels, "steps": step_rows, "reduces": reduces}
    content = {"step_trace_profiling_{}.txt": text,
               "gpu_op_execute_timestamp_{}.txt": op_lines,
               "activity_execute_timestamp_{}.txt": kernel_lines,
               "gpu_activity_data_{}.csv": table}
    return {name: text.encode() for name, text in content.items()}, truth
