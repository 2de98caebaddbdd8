# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes PyTorch's recordings of three processes, of which one is slow: FOLDER.

The steps of rank I take 1000, 1004 and 1900 us. alone-I.json are the same without the
processes' ranks, as recordings of three jobs are.
"""

import json
import pathlib
import sys

STEPS_US = (1000, 1004, 1900)
STEPS = 4


def write(path, step_us, rank):
    events = []
    for number in range(STEPS):
        begin = number * step_us
        events += [
            {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "pid": 1,
             "tid": 1, "ts": begin, "dur": step_us},
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1,
             "ts": begin + 1, "dur": step_us - 2}]
    trace = {"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}
    if rank is not None:
        trace["distributedInfo"] = {"backend": "gloo", "rank": rank, "world_size": len(STEPS_US)}
    path.write_text(json.dumps(trace), encoding="utf-8")


folder = pathlib.Path(sys.argv[1])
for rank, step_us in enumerate(STEPS_US):
    write(folder / f"rank-{rank}.json", step_us, rank)
    write(folder / f"alone-{rank}.json", step_us, None)
