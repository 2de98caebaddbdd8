#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two processes that share the products of a step. In the slow form, one
process has three times as many.

  pool.py slow|fast [FOLDER]

Prints seconds per step, or writes FOLDER/pool.csv, a generic recording.
"""

import multiprocessing
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

STEPS = 40
RIGHT = np.full((256, 256), 1 / 256, np.float32)
ITEMS = {"slow": (3, 1), "fast": (2, 2)}


def work(items):
    left = np.ones((256, 256), np.float32)
    for _ in range(int(items * 40)):
        left = left @ RIGHT


def worker(items, barrier, queue):
    events = []
    for step in range(STEPS + 2):
        barrier.wait()
        begin = time.perf_counter_ns()
        work(items)
        events.append((begin, time.perf_counter_ns() - begin))
        barrier.wait()
    queue.put(events[2:])


def main():
    form = sys.argv[1]
    barrier, queues, workers = multiprocessing.Barrier(2), [], []
    for items in ITEMS[form]:
        queues.append(multiprocessing.Queue())
        workers.append(multiprocessing.Process(target=worker,
                                               args=(items, barrier, queues[-1])))
        workers[-1].start()
    threads = [queue.get() for queue in queues]
    for process in workers:
        process.join()
    if len(sys.argv) == 2:
        ends = sorted(max(begin + duration for begin, duration in step)
                      - min(begin for begin, duration in step)
                      for step in zip(*threads))
        print(ends[len(ends) // 2] * 1e-9)
        return
    with open(os.path.join(sys.argv[2], "pool.csv"), "w") as file:
        file.write("name,begin_ns,duration_ns,thread\n")
        for begin, thread, duration in sorted(
                (begin, thread, duration) for thread, events in enumerate(threads)
                for begin, duration in events):
            file.write(f"work,{begin},{duration},pool/{thread}\n")


if __name__ == "__main__":
    main()
