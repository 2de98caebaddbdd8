#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the sums and units of exported counts with those of a report.

usage: counted_exports.py FOLDER

FOLDER has counts.speedscope, counts.pprof, counts.csv, and cortex-m4.json, the report.
"""

import csv
import gzip
import json
import pathlib
import sys


def read_fields(data):
    """Numbers and values of a protobuf message."""
    at = 0

    def read_number():
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
        tag = read_number()
        if tag & 7 == 0:
            yield tag >> 3, read_number()
        else:
            size = read_number()
            yield tag >> 3, data[at:at + size]
            at += size


def read_pprof(path):
    """The unit of the last values of samples, and their sum."""
    types, samples, strings = [], [], []
    for number, value in read_fields(gzip.decompress(path.read_bytes())):
        if number == 1:
            types.append(dict(read_fields(value)))
        elif number == 2:
            packed = dict(read_fields(value))[2]
            # Packed numbers, as the fields of a message without tags.
            samples.append([v for _, v in read_fields(
                b"".join(b"\x08" + part for part in split_numbers(packed)))])
        elif number == 6:
            strings.append(value.decode())
    assert [strings[t[2]] for t in types] == ["count", "count"], types
    return strings[types[-1][1]], sum(sample[-1] for sample in samples)


def split_numbers(data):
    """The bytes of each number."""
    begin = 0
    for at, byte in enumerate(data):
        if byte < 128:
            yield data[begin:at + 1]
            begin = at + 1


def main():
    """See the top of this file."""
    folder = pathlib.Path(sys.argv[1])
    report = json.loads((folder / "cortex-m4.json").read_text(encoding="utf-8"))
    expected = report["coverage"]["op_instructions"]
    profile = json.loads((folder / "counts.speedscope").read_text(encoding="utf-8"))["profiles"][0]
    assert profile["unit"] == "none" and profile["name"].endswith(", instructions"), profile["name"]
    assert sum(profile["weights"]) == profile["endValue"] == expected, profile["endValue"]
    assert read_pprof(folder / "counts.pprof") == ("instructions", expected)
    with open(folder / "counts.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["time_instructions"]) for row in rows) == expected
    print(f"speedscope, pprof and csv have {expected} instructions")


if __name__ == "__main__":
    main()
