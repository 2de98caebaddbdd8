#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the memory of a recording's allocators with what the recording says was in
use after each event, which nothing else reads.

usage: allocators.py MLIR_PROF XPLANE
"""

import collections
import json
import subprocess
import sys

tool, path = sys.argv[1:]


def fields(data):
    """The fields of a message: (number, integer or bytes)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 2:
            size = varint()
            yield tag >> 3, data[at:at + size]
            at += size
        else:
            size = 8 if tag & 7 == 1 else 4
            yield tag >> 3, data[at:at + size]
            at += size


def get(data, number, default=0):
    return next((value for key, value in fields(data) if key == number), default)


def read_events(space):
    """(ps, bytes in use, op) of each event of an allocator, by allocator."""
    found = collections.defaultdict(list)
    for _, plane in (field for field in fields(space) if field[0] == 1):
        names, stats = {}, {}
        for key, value in fields(plane):
            if key in (4, 5):
                entry = get(value, 2, b"")
                (names if key == 4 else stats)[get(value, 1)] = get(entry, 2, b"").decode()
        for _, line in (field for field in fields(plane) if field[0] == 3):
            origin = get(line, 3) * 1000
            for _, event in (field for field in fields(line) if field[0] == 4):
                if not names.get(get(event, 1), "").startswith(("MemoryAlloc", "MemoryDealloc")):
                    continue
                facts = {}
                for _, stat in (field for field in fields(event) if field[0] == 4):
                    value = [v for k, v in fields(stat) if k in (3, 4, 5)]
                    name = [stats[v] for k, v in fields(stat) if k == 7]
                    facts[stats[get(stat, 1)]] = (value + name + [0])[0]
                found[facts["allocator_name"]].append(
                    (origin + get(event, 2), facts["bytes_allocated"]))
    return found


with open(path, "rb") as file:
    events = read_events(file.read())
assert events and sum(map(len, events.values())) > 100, events
ran = subprocess.run([tool, "report", path, "--by=memory", "--format=json", "--sort=position"],
                     check=True, capture_output=True, text=True)
rows = json.loads(ran.stdout)["rows"]
for graph, (allocator, expected) in enumerate(sorted(events.items())):
    live = [row["live_bytes"] for row in rows if row["graph"] == graph]
    expected = [used for _, used in sorted(expected, key=lambda event: event[0])]
    assert live == expected, (allocator, [
        (i, a, b) for i, (a, b) in enumerate(zip(live, expected)) if a != b][:9],
        len(live), len(expected))
print("live bytes are as recorded")
