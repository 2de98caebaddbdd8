#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares imported scopes with Paddle's own account of them.

usage: paddle_scopes.py tree|trace PROFILE.json TREE.json
       paddle_scopes.py file PROFILE.json FILE.profile
       paddle_scopes.py report PROFILE.json REPORT.txt
       paddle_scopes.py rows OURS.txt REPORT.txt

A profile equals Paddle's tree of a recording if every event has the same
thread, names around it, type, begin and end to the nanosecond, and every memory
event its place, bytes and scope. It equals the file of the first profiler if the
paths, threads and times are those, and its report if all rows have its calls.
Rows of two reports are equal if names, calls and columns are.
"""

import json
import pathlib
import re
import sys
from collections import Counter

tests = pathlib.Path(__file__).parents[1]
sys.path += [str(tests / "lib"), str(tests / "Export")]
import scopes_of
from read_export import fields, first

TYPES = [
    "Operator", "Dataloader", "ProfileStep", "CudaRuntime", "Kernel", "Memcpy",
    "Memset", "UserDefined", "OperatorInner", "Forward", "Backward",
    "Optimization", "Communication", "PythonOp", "PythonUserDefined",
    "DygraphKernelLaunch", "StaticKernelLaunch",
]  # fmt: skip
MEMORY_TYPES = ["Allocate", "Free", "ReservedAllocate", "ReservedFree"]


def walk(tree, path, thread, events, memory, is_exact):
    for event in tree.get("memory", []):
        key = [thread, event["type"], event["bytes"], event["allocated"],
               event["peak"], event["place"]]
        # A trace of events has whole microseconds.
        memory[tuple(key + [path[-1:]] + ([event["at_ns"]] if is_exact else []))] += 1
    for child in tree.get("children", []):
        inner = path + (child["name"],)
        events[thread, inner, child["type"], child["begin_ns"], child["end_ns"]] += 1
        walk(child, inner, thread, events, memory, is_exact)


def from_first(events):
    first = min(key[-2] for key in events)
    return sorted((*key[:-2], key[-2] - first, key[-1] - first)
                  for key in events.elements())


def compare_floats(found, wanted):
    """A trace of events has the moment of the first one in whole microseconds, and
    times from there as text of 32-bit floats: exact up to 2^24 ns."""
    assert len(found) == len(wanted)
    for event, of in zip(found, wanted):
        assert event[:3] == of[:3], (event, of)
        for at, exact in zip(event[3:], of[3:]):
            assert abs(at - exact) <= 2 * exact >> 24, (event, of)


def compare_tree(recording, trees, is_exact):
    wanted, wanted_memory = Counter(), Counter()
    for thread, tree in trees.items():
        walk(tree, (), int(thread), wanted, wanted_memory, is_exact)
    threads = [int(thread["id"]) for thread in recording.threads]
    found, memory = Counter(), Counter()
    for scope in recording.scopes:
        assert scope.begin_ps % 1000 == 0 and scope.end_ps % 1000 == 0
        found[threads[scope.thread], scope.get_path(), TYPES[scope.type],
              scope.begin_ps // 1000, scope.end_ps // 1000] += 1
    for event in recording.memory:
        key = [threads[event["threadPlusOne"] - 1], MEMORY_TYPES[event["type"]],
               event["bytes"], event["allocated"], event["peakAllocated"],
               f"Place({event['place']})"]
        key.append(event["scope"].get_path()[-1:] if event["scope"] else ())
        memory[tuple(key + ([event["at_ps"] // 1000] if is_exact else []))] += 1
    if is_exact:
        assert found == wanted, ((found - wanted), (wanted - found))
    else:
        compare_floats(from_first(found), from_first(wanted))
    assert memory == wanted_memory, ((memory - wanted_memory), wanted_memory - memory)
    # User scopes of other threads hang below the step in which they began.
    steps = [s for s in recording.scopes if TYPES[s.type] == "ProfileStep"]
    linked = 0
    for scope in recording.scopes:
        around = [s for s in steps if s.begin_ps <= scope.begin_ps < s.end_ps]
        if scope.parent is None:
            is_user = TYPES[scope.type] == "PythonUserDefined"
            assert not (is_user and around), scope
        elif scope.parent.thread != scope.thread:
            assert scope.parent is around[0] and scope.flags & 4, scope
            linked += 1
    print(f"equal: {found.total()} events, {memory.total()} memory events, "
          f"{linked} below a step of another thread")


def compare_file(recording, data):
    """Every event of the first profiler's file, read without code of mlir-prof."""
    wanted = Counter()
    for number, event in fields(data):
        if number == 1:
            wanted[first(event, 6), first(event, 1).decode(), first(event, 2),
                   first(event, 3)] += 1
    found = Counter()
    for scope in recording.scopes:
        found[int(recording.threads[scope.thread].get("id", 0)),
              "/".join(scope.get_path()), scope.begin_ps // 1000,
              scope.end_ps // 1000] += 1
    assert found == wanted, (found - wanted, wanted - found)
    print(f"equal: {found.total()} events")


def compare_report(recording, report):
    # The first of the two reports merges all threads; names are cut at slashes. Its
    # times are of other clock readings than those of the file.
    rows = {}
    for line in report.split("Profiling Report")[1].splitlines():
        if row := re.match(r"\s*(\S.*?)\s+(\d+)(?:\s+[\d.e+-]+){5}\s*$", line):
            rows[row[1]] = int(row[2])
    calls = Counter(scope.name.split("/")[-1] for scope in recording.scopes)
    assert calls == rows, (calls, rows)
    print(f"equal: {len(rows)} rows")


def get_rows(report):
    """The lines of all events: name with its indentation, calls, and their column."""
    text = pathlib.Path(report).read_text(encoding="utf-8")
    rows = re.findall(r"^( *\S.*?)( +)(\d+)(?: +[\d.e+-]+){5} *$", text, re.MULTILINE)
    return [(name, len(name) + len(space), calls) for name, space, calls in rows]


def compare_rows(ours, report):
    found, wanted = get_rows(ours), get_rows(report)
    assert found == wanted, [pair for pair in zip(found, wanted) if pair[0] != pair[1]]
    print(f"equal: {len(found)} rows in order")


mode, profile, reference = sys.argv[1:]
if mode == "rows":
    compare_rows(profile, reference)
    sys.exit()
recording = scopes_of.read(profile)
if mode == "file":
    compare_file(recording, pathlib.Path(reference).read_bytes())
elif mode == "report":
    compare_report(recording, pathlib.Path(reference).read_text(encoding="utf-8"))
else:
    trees = json.loads(pathlib.Path(reference).read_text(encoding="utf-8"))
    compare_tree(recording, trees, mode == "tree")
