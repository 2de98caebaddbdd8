# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes large Chrome traces, the same ones each time.

usage: traces.py OUTPUT.json EVENTS NAMES
"""

import random
import sys

TRACKS = 8
DURATIONS_US = (0.5, 1, 2, 5, 20, 100)


def write_trace(path, events, names):
    """`events` on 8 tracks, without overlap, of `names` names in turn."""
    chance = random.Random(1)
    ends = [0.0] * TRACKS
    with open(path, "w", encoding="ascii") as file:
        file.write('{"traceEvents":[')
        for i in range(events):
            track = i % TRACKS
            begin = ends[track] + chance.random() * 3
            duration = chance.choice(DURATIONS_US)
            ends[track] = begin + duration
            file.write(f'{"," if i else ""}{{"ph":"X","pid":1,"tid":{track},'
                       f'"name":"op{i % names}","ts":{begin:.3f},'
                       f'"dur":{duration:.3f}}}\n')
        file.write("]}")


if __name__ == "__main__":
    write_trace(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
