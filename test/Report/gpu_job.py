#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the reports of a job on a GPU with the truth of make_raw.py.

usage: gpu_job.py MLIR_PROF PROFILE TRUTH
"""

import json
import subprocess
import sys

tool, profile = sys.argv[1:3]
[truth] = json.load(open(sys.argv[3]))
NS = 1000


def half_up(amount, count):
    return (2 * amount + count) // (2 * count)


def check(by, columns, expected, *options):
    ran = subprocess.run([tool, "report", profile, f"--by={by}", "--format=json", *options],
                         check=True, capture_output=True, text=True)
    rows = [[row[column] for column in columns.split()] for row in json.loads(ran.stdout)["rows"]]
    assert sorted(rows) == sorted(expected), f"{by}:\n{rows}\ninstead of\n{expected}"


ops = {name: (kind, count, total * NS)
       for name, (kind, count, total, _, _) in truth["ops"].items()}
whole = sum(op[2] for op in ops.values())
steps = len(truth["steps"])
check("gpu_op_type", "op_type total_time_ps execution_frequency total_percent_ppm avg_time_ps "
      "execution_time_ps",
      [[kind, total, count, half_up(total * 10**6, whole), half_up(total, count),
        half_up(total, steps)] for kind, count, total in ops.values()])
kernels = {op: (count, total * NS) for op, count, total in truth["kernels"].values()}
check("gpu_op_info", "op_side op_type op_name op_full_name op_occurrences op_total_time_ps "
      "op_avg_time_ps cuda_activity_cost_time_ps cuda_activity_call_count",
      [["Device", kind, name.split("/")[-1], name, count, total, half_up(total, count),
        kernels[name][1], kernels[name][0]] for name, (kind, count, total) in ops.items()])
# A kernel takes 99 ns less than its op.
check("gpu_cuda_activity", "name op_full_name block_dim occurrences total_duration_ps "
      "avg_duration_ps max_duration_ps min_duration_ps",
      [[name, op, "256,1,1", count, total * NS, half_up(total * NS, count),
        (truth["ops"][op][4] - 99) * NS, (truth["ops"][op][3] - 99) * NS]
       for name, (op, count, total) in truth["kernels"].items()])
[kernel] = [name for name in truth["kernels"] if "kernel2" in name]
check("gpu_cuda_activity", "name", [[kernel]], "--filter=name~~KERNEL2")
check("collective", "step op", [reduce[:2] for reduce in truth["reduces"]])
print("all answers are as computed")
