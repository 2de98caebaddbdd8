#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the forms of a table of sizes with each other and with the packages.

usage: check_tables.py FOLDER

FOLDER has the tables text, json, csv, md and svg, and the packages in out.
"""

import csv
import json
import math
import pathlib
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"


def read_packages(folder):
    """The rows that the files have."""
    for target in ("x86-64", "aarch64"):
        sizes = json.loads((folder / target / "sizes.json").read_text(encoding="utf-8"))
        numbers = [sizes[f"{name}_bytes"] for name in ("code", "constant", "variable",
                                                   "arena", "state")]
        for container, file in (("static", "model.a"), ("dynamic", "libmodel.so")):
            yield [target, container, *numbers, (folder / target / file).stat().st_size]


def read_text(path, separators):
    """The rows of a table of lines, without its head."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").replace("|", " ").split() for line in lines[separators:]]
    return [[*row[:2], *map(int, row[2:])] for row in rows]


def check_picture(path, rows):
    """The picture has all numbers, and bars as long as their logarithms."""
    picture = xml.parse(path).getroot()
    texts = [text.text for text in picture.iter(SVG + "text")]
    numbers = [str(number) for row in rows for number in row[2:]]
    assert [text for text in texts if text.isdigit()] == numbers, texts
    bars = [float(bar.get("width")) for bar in picture.iter(SVG + "rect")
            if bar.get("height") == "9"]
    lengths = [math.log10(int(number)) for number in numbers if number != "0"]
    assert len(bars) == len(lengths), (bars, lengths)
    for bar, length in zip(bars, lengths):
        assert abs(bar / bars[0] - length / lengths[0]) < 0.01, (bars, lengths)


def main():
    """See the top of this file."""
    folder = pathlib.Path(sys.argv[1])
    rows = list(read_packages(folder / "out"))
    document = json.loads((folder / "json").read_text(encoding="utf-8"))
    assert [list(row.values()) for row in document["rows"]] == rows, document
    with open(folder / "csv", encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [list(row) for row in read] == [list(row) for row in document["rows"]], read
    assert [[*list(row.values())[:2], *map(int, list(row.values())[2:])] for row in read] == rows
    assert read_text(folder / "text", 1) == rows
    assert read_text(folder / "md", 2) == rows
    check_picture(folder / "svg", rows)
    print(f"{len(rows)} packages in 5 forms, as in sizes.json and the files")


if __name__ == "__main__":
    main()
