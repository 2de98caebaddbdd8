# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a large XPlane file by repeating the events of a small one.

usage: xplane_file.py RECORDING.xplane.pb OUTPUT MEGABYTES [STAT...]

Each repetition is a step after the previous one. The integers of its events'
stats are those of the recording, except the named STATs, which grow by 1000
per repetition. With `_p _c`, the ids of flows, one run goes through all steps;
with `run_id _p _c` each repetition is a separate run. Lines keep the order of
the recording.
"""

import sys

GROWTH = 1000


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def write_varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """(number, wire type, value) of the fields of a message."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = read_varint(data, at)
        else:
            length = {1: 8, 5: 4}.get(kind)
            if length is None:
                length, at = read_varint(data, at)
            value = data[at:at + length]
            at += length
        yield tag >> 3, kind, value


def field(number, kind, value):
    out = write_varint(number << 3 | kind)
    if kind == 0:
        return out + write_varint(value)
    return out + (write_varint(len(value)) if kind == 2 else b"") + value


def ids_of(plane, names):
    """Ids of the stats of these names."""
    found = set()
    for number, _, value in fields(plane):
        if number == 5:
            entry = {key: inner for key, _, inner in fields(value)}
            name = {key: inner for key, _, inner in fields(entry[2])}.get(2)
            if name in names:
                found.add(entry.get(1, 0))
    return found


def split_event(event, ids):
    """(metadata, offset, duration, [(bytes of a stat, its integer or None)])"""
    head = {1: 0, 2: 0, 3: 0}
    stats = []
    for number, kind, value in fields(event):
        if number == 4:
            parts = list(fields(value))
            number_at = next((i for i, part in enumerate(parts)
                              if part[0] in (3, 4)), None)
            if dict((p[0], p[2]) for p in parts).get(1) in ids and (
                    number_at is not None):
                stats.append((b"".join(field(*part) for part in parts
                                       if part[0] not in (3, 4)),
                              parts[number_at]))
            else:
                stats.append((value, None))
        else:
            head[number] = value
    return head[1], head[2], head[3], stats


class Line:
    def __init__(self, data, ids):
        self.head, self.events = b"", []
        for number, kind, value in fields(data):
            if number == 4:
                self.events.append(split_event(value, ids))
            else:
                self.head += field(number, kind, value)
        self.constant = [b"".join(field(4, 2, stat)
                                  for stat, integer in event[3] if not integer)
                         for event in self.events]

    def span(self):
        return max((offset + duration for _, offset, duration, _
                    in self.events), default=0)

    def write(self, count, span):
        out = bytearray(self.head)
        for step in range(count):
            for (metadata, offset, duration, stats), constant in zip(
                    self.events, self.constant):
                event = (field(1, 0, metadata)
                         + field(2, 0, offset + step * span)
                         + field(3, 0, duration) + constant)
                for stat, integer in stats:
                    if integer:
                        number, kind, value = integer
                        value = value + step * GROWTH & (1 << 64) - 1
                        event += field(4, 2, stat + field(number, kind, value))
                out += field(4, 2, event)
        return bytes(out)


def main():
    source, target, megabytes, *names = sys.argv[1:]
    names = {name.encode() for name in names}
    with open(source, "rb") as file:
        data = file.read()
    planes, lines = [], []
    for number, kind, value in fields(data):
        parts = []
        if number == 1:
            ids = ids_of(value, names)
            for part in fields(value):
                if part[0] == 3:
                    lines.append(Line(part[2], ids))
                    parts.append(lines[-1])
                else:
                    parts.append(field(*part))
        planes.append((number, kind, parts or value))
    span = max(line.span() for line in lines)
    size = sum(len(line.write(1, span)) for line in lines)
    count = max(1, int(float(megabytes) * 1e6 / size))
    with open(target, "wb") as file:
        for number, kind, parts in planes:
            if isinstance(parts, list):
                parts = b"".join(
                    field(3, 2, part.write(count, span))
                    if isinstance(part, Line) else part for part in parts)
            file.write(field(number, kind, parts))


if __name__ == "__main__":
    main()
