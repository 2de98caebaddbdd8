#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a Perfetto trace like one of the SDK's: threads that each write their
own sequence, interned names, times as differences, nested slices of which some
have annotations. Prints its content as JSON: the sum of all slices."""

import argparse
import json
import random


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


BEGIN, END = 1, 2
CLEARED, NEEDS_STATE = 1, 2
BOOTTIME, REALTIME, INCREMENTAL = 6, 1, 64


class Thread:
    """A sequence of packets, with its own track."""

    def __init__(self, index, names):
        self.sequence = index + 1
        self.track = 1000 + index
        self.now = 0
        defaults = number(58, INCREMENTAL) + data(11, number(11, self.track))
        interned = b"".join(
            data(2, number(1, iid) + data(2, name))
            for iid, name in enumerate(names, 1))
        interned += data(1, number(1, 1) + data(2, "operator"))
        interned += data(3, number(1, 1) + data(2, "shape"))
        thread = number(1, 1) + number(2, index + 2) + data(5, f"thread {index}")
        clocks = b"".join(
            data(1, clock) for clock in (
                number(1, BOOTTIME) + number(2, 10**12),
                number(1, REALTIME) + number(2, 1790000000 * 10**9),
                number(1, INCREMENTAL) + number(2, 0) + number(3, 1)))
        # Fields that the tracing service adds to each packet.
        tail = number(3, 1000) + number(10, self.sequence) + number(79, 4242)
        self.packets = [
            data(1, data(12, interned) + data(59, defaults) + tail
                 + number(13, CLEARED)),
            data(1, data(60, number(1, self.track) + data(4, thread)) + tail),
            data(1, data(6, clocks) + tail)]
        self.tail = tail + number(13, NEEDS_STATE)

    def add(self, ns, event):
        self.packets.append(
            data(1, number(8, ns) + data(11, event) + self.tail))
        self.now += ns


def write_layer(thread, rng, names, sums):
    """One slice with nested slices."""
    def begin(name, annotated):
        event = number(3, 1)
        if annotated:
            event += data(4, number(1, 1) + data(6, "[128,256,512]"))
        thread.add(rng.randrange(50, 3000),
                   event + number(9, BEGIN) + number(10, name))
        return thread.now

    def end(begun):
        thread.add(rng.randrange(200, 200000), number(9, END))
        sums["slices"] += 1
        sums["ns"] += thread.now - begun
    outer = begin(1, False)
    for _ in range(rng.randrange(2, 7)):
        end(begin(rng.randrange(2, len(names) + 1), rng.random() < 0.3))
    end(outer)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--mb", type=float, default=100)
    parser.add_argument("--threads", type=int, default=4)
    arguments = parser.parse_args()
    rng = random.Random(1)
    names = ["layer"] + [f"block_{i % 16}/op_{i}" for i in range(200)]
    threads = [Thread(index, names) for index in range(arguments.threads)]
    sums = {"slices": 0, "ns": 0}
    size = 0
    with open(arguments.out, "wb") as file:
        while size < arguments.mb * 1e6:
            # Writers fill chunks of a shared buffer by turns.
            thread = rng.choice(threads)
            for _ in range(rng.randrange(1, 30)):
                write_layer(thread, rng, names, sums)
            size += file.write(b"".join(thread.packets))
            thread.packets.clear()
    print(json.dumps(dict(sums, bytes=size)))


if __name__ == "__main__":
    main()
