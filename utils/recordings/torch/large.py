#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large.py MEGABYTES OUT.json: a large Kineto trace.

Repeats the steps of encoder-eager, one recording after another in time, as a
longer recording would hold them: first the ops of all, then the functions of
Python of all. Needs nothing but Python.
"""

import gzip
import os
import re
import sys

TRACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../test/data",
                     "recordings/torch/encoder-eager/trace.json.gz")
TIME = re.compile(r'("ts": )(\d+)(\.\d+)')


def main():
    size, out = int(float(sys.argv[1]) * 1e6), sys.argv[2]
    with gzip.open(TRACE, "rt") as file:
        text = file.read()
    begin = text.index('"traceEvents": [') + len('"traceEvents": [')
    end = text.rindex("]")
    body = text[begin:end]
    # Events of Python begin here.
    middle = body.index('"cat": "python_function"')
    middle = body.rindex("{", 0, body.rindex('"ph"', 0, middle))
    parts = [TIME.split(body[:middle].rstrip().rstrip(",")),
             TIME.split(body[middle:])]
    times = [int(time) for part in parts for time in part[2::4]]
    span = max(times) - min(times) + 100000
    count = max(1, round(size / len(body)))
    with open(out, "w") as file:
        file.write(text[:begin])
        for number, part in enumerate(parts):
            original = part[2::4]
            for copy in range(count):
                if number or copy:
                    file.write(",")
                part[2::4] = [str(int(time) + copy * span)
                              for time in original]
                file.write("".join(part))
        file.write(text[end:])
    print(f"{out}: {os.path.getsize(out) / 1e6:.0f} MB, {count} repetitions")


if __name__ == "__main__":
    main()
