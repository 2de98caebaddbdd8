# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes XPlane files by hand, right ones and wrong ones, without protobuf.

A message is bytes; each function here gives those of one field or message.
Field numbers: xplane.proto and hlo.proto of XLA.
"""


def varint(value):
    """A value of any integer type; negative ones have 10 bytes."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    """A length-delimited field: string, bytes or message."""
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def claim(field, length, value=b""):
    """A length-delimited field that claims another length than it has."""
    return varint(field << 3 | 2) + varint(length) + value


def numbers(field, values):
    """A packed repeated field."""
    return text(field, b"".join(varint(value) for value in values))


def entry(field, key, value):
    """An entry of a map."""
    return text(field, number(1, key) + text(2, value))


# XSpace ---------------------------------------------------------------------

STATS = {1: "hlo_op", 2: "hlo_module", 3: "program_id", 4: "Hlo Proto",
         5: "_p", 6: "_c", 7: "step_num", 8: "profile_start_time"}
IDS = {name: key for key, name in STATS.items()}


def stat(name, value):
    """A stat of an integer, text or bytes."""
    key = number(1, IDS[name])
    if isinstance(value, int):
        return key + number(4, value)
    return key + text(5 if isinstance(value, str) else 6, value)


def event(metadata, offset, duration, *stats):
    return (number(1, metadata) + number(2, offset) + number(3, duration) +
            b"".join(text(4, item) for item in stats))


def line(events, name="python", timestamp=0):
    return (number(1, 7) + text(2, name) + number(3, timestamp) +
            b"".join(text(4, item) for item in events))


def plane(name, lines=(), names=None, metadata_stats=None, stats=IDS):
    """names: {event metadata id: name}; metadata_stats: {id: [stat]}; stats:
    names of the stats it defines."""
    out = number(1, 1) + text(2, name)
    out += b"".join(text(3, item) for item in lines)
    for key, label in (names or {}).items():
        items = (metadata_stats or {}).get(key, ())
        out += entry(4, key, number(1, key) + text(2, label) +
                     b"".join(text(5, item) for item in items))
    for label in stats:
        out += entry(5, IDS[label], number(1, IDS[label]) + text(2, label))
    return out


def clock_plane():
    """What says when the recording began."""
    name = "profile_start_time"
    return plane("Task Environment", stats=[name]) + text(6, stat(name, 1))


def space(*planes):
    return b"".join(text(1, item) for item in planes)


# HloProto -------------------------------------------------------------------

def instruction(key, name, opcode, op_name="", operands=(), calls=()):
    out = text(1, name) + text(2, opcode)
    if op_name:
        out += text(7, text(2, op_name))
    out += number(35, key)
    out += numbers(36, operands) + numbers(38, calls)
    return out


def computation(key, name, instructions, root):
    return (text(1, name) + b"".join(text(2, item) for item in instructions) +
            number(5, key) + number(6, root))


def hlo_module(computations, name="jit_f", entry_id=1, program=1):
    return (text(1, name) + text(2, "main") +
            b"".join(text(3, item) for item in computations) +
            number(5, program) + number(6, entry_id))


def hlo(computations, name="jit_f"):
    return text(1, hlo_module(computations, name))


def metadata_plane(proto, name="jit_f(1)", stats=IDS):
    return plane("/host:metadata", (), {1: name}, {
        1: [stat("Hlo Proto", proto), stat("program_id", 1)]}, stats)
