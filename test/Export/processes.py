#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the scopes of forked processes in a trace of Chrome's lie on one clock:
those of a child within the time that its parent waited for it.

usage: processes.py TRACE.json
"""

import sys

from read_export import load, to_ps

events = load(sys.argv[1])["traceEvents"]
names = {event["pid"]: event["args"]["name"].split(" (run")[0] for event in events
         if event["ph"] == "M" and event["name"] == "process_name"}
scopes = {(names[event["pid"]], event["name"]):
          (to_ps(event["ts"], "us"), to_ps(event["ts"], "us") + to_ps(event["dur"], "us"))
          for event in events if event["ph"] == "X"}
processes = ["process 522", "process 523, child of 522",
             "process 524, child of 523"]
assert sorted(names.values()) == processes, names
for process, waited, by in ((1, "wait for child", 0), (2, "wait for grandchild", 1)):
    begin, end = scopes[processes[process], "work"]
    outer_begin, outer_end = scopes[processes[by], waited]
    assert outer_begin < begin < end < outer_end, (processes[process], begin, end)
    print(f"{processes[process]}: {(end - begin) // 10**6} us within "
          f"{(outer_end - outer_begin) // 10**6} us")
