#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the bytes of a file of measurements within others, as a dump of memory has them.

usage: join_frames.py LOG
"""

import sys


def main():
    """See the top of this file."""
    with open(sys.argv[1], encoding="utf-8") as file:
        frames = [line.split() for line in file if line.startswith("~prof ")]
    data = b"".join(bytes.fromhex(frame[2]) for frame in frames if frame[2] != "end")
    sys.stdout.buffer.write(b"\x00\xff\n" * 100 + data + b"\xff" * 1000)


if __name__ == "__main__":
    main()
