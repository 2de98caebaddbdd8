"""Prints what a file of the runtime says of each probe: executions, ticks, ticks
that are not of probes within, and instances with their places in the code.

Written apart from the importer, after prof_raw.h."""

import struct
import sys


def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89MLPRAW\n"
    sections = []
    at = 40
    while at < len(data):
        kind, _, size = struct.unpack_from("<3Q", data, at)
        sections.append((kind, data[at + 24 : at + 24 + size]))
        at += 24 + (size + 7) // 8 * 8
    return sections


def records(payload, words, form):
    for at in range(0, len(payload) - words * 8 + 1, words * 8):
        yield struct.unpack_from(form, payload, at)


slots, instances, code = {}, [], 0
for kind, payload in read(sys.argv[1]):
    if kind == 3:
        code = struct.unpack_from("<6Q", payload)[5]
    if kind == 5:
        for probe, ticks, count, inside, *_ in records(payload[8:], 6, "<QqQqQQ"):
            old = slots.get(probe, (0, 0, 0))
            slots[probe] = (old[0] + count, old[1] + ticks, old[2] + ticks - inside)
    if kind == 6:
        instances += records(payload, 6, "<QQqqqq")
for probe, (count, ticks, own) in sorted(slots.items()):
    print(f"probe {probe}: {count} times, {ticks} ticks, {own} of its own")
if "--places" in sys.argv:
    for probe, _, _, _, begin, end in instances:
        places = [place - code if place else 0 for place in (begin, end)]
        print(f"instance of {probe}: {places[0]:#x} to {places[1]:#x}")
