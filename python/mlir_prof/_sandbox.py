# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes from this process all that a compiled model does not need.

The filter of system calls (seccomp) is for Linux on x86-64; see seccomp(2) and
bpf(2)."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
import sys
import typing

#: By number: memory, files that are open, threads, time, and facts about itself.
_ALLOWED = (
    0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 24, 25, 28, 32, 35,
    39, 60, 63, 72, 77, 79, 89, 96, 97, 98, 99, 100, 102, 104, 107, 108, 131, 158, 186,
    201, 202, 203, 204, 217, 218, 228, 229, 230, 231, 262, 267, 271, 273, 274, 302, 309,
    318, 319, 324, 332, 334)
_CLONE, _CLONE3, _OPENAT, _TGKILL, _SECCOMP = 56, 435, 257, 234, 317
_CLONE_THREAD = 0x10000
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_X86_64 = 0xc000003e
_X32 = 0x40000000

# Instructions of the filter, and its answers.
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7fff0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE = 0, 4

Filter = typing.List[typing.Tuple[int, int, int, int]]


def _argument(index: int) -> int:
    return 16 + 8 * index


def _when(number: int, then: Filter) -> Filter:
    """Runs `then`, which returns, for one system call."""
    return [(_EQUAL, 0, len(then), number), *then]


def _make_filter() -> Filter:
    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERROR | errno.EPERM)
    program: Filter = [
        (_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, _X86_64), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER), (_ABOVE, 0, 1, _X32), refuse]
    program += _when(_CLONE, [(_LOAD, 0, 0, _argument(0)),
                              (_ANY_BIT, 0, 1, _CLONE_THREAD), allow, refuse])
    # Its flags are in memory; the C library uses clone instead.
    program += _when(_CLONE3, [(_RETURN, 0, 0, _ERROR | errno.ENOSYS)])
    program += _when(_OPENAT, [(_LOAD, 0, 0, _argument(2)),
                               (_ANY_BIT, 0, 1, _WRITES), refuse, allow])
    program += _when(_TGKILL, [(_LOAD, 0, 0, _argument(0)),
                               (_EQUAL, 0, 1, os.getpid()), allow, refuse])
    for number in _ALLOWED:
        program += _when(number, [allow])
    return [*program, refuse]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def close() -> bool:
    """Refuses from now on, in all threads: new files, processes, connections, and
    signals to others. Returns whether the system can."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        return False
    library = ctypes.CDLL(None, use_errno=True)
    instructions = _make_filter()
    packed = b"".join(struct.pack("<HBBI", *one) for one in instructions)
    set_no_new_privileges, set_filter, all_threads = 38, 1, 1
    if library.prctl(set_no_new_privileges, 1, 0, 0, 0):
        return False
    program = _Program(len(instructions), packed)
    return bool(library.syscall(_SECCOMP, set_filter, all_threads,
                                ctypes.byref(program)) == 0)
