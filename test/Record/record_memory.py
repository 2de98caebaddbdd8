# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares reports of memory with the text of the bufferized level: FOLDER.

Reads the buffers of the text line by line, and the memory that the run took.
"""

import json
import math
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
ALLOC = re.compile(r"(%\w+) = memref\.alloc\(\).* : memref<((?:\d+x)+)f32>")


def rows(name):
    return json.loads((folder / name).read_text(encoding="utf-8"))["rows"]


def read_text():
    """Live bytes at each op that writes a buffer, and all sizes, of the function main."""
    text = (folder / "bufferized.mlir").read_text(encoding="utf-8")
    live, sizes, curve = {}, [], []
    for line in text[text.index("func.func @main"):].splitlines():
        if made := ALLOC.search(line):
            bytes_ = 4 * math.prod(int(size) for size in made[2].split("x")[:-1])
            live[made[1]] = bytes_
            sizes.append(bytes_)
        elif freed := re.search(r"memref\.dealloc (%\w+)", line):
            del live[freed[1]]
        elif re.search(r"dispatch\.run|memref\.copy", line):
            curve.append(sum(live.values()))
        elif re.match(r"    return", line):
            return curve, sizes, sum(live.values())
    raise SystemExit("no function main")


def main():
    curve, sizes, result = read_text()
    [graph] = rows("graph.json")
    static = graph["static_bytes"]
    assert [row["live_bytes"] - static for row in rows("memory.json")] == curve, curve
    tensors = rows("tensors.json")
    assert sorted(row["bytes"] for row in tensors) == sorted(sizes), sizes
    assert graph["peak_bytes"] - static == max(curve), graph
    assert graph["peak_position"] == curve.index(max(curve))
    assert sum(row["peak_bytes"] for row in tensors) == max(curve)
    assert [row["reason"] for row in tensors].count("result") == 1
    # The result of a call lives until that of the next one is there.
    taken = int(re.search(r"memory: (\d+) bytes", (folder / "notes").read_text())[1])
    slack = 128 * len(sizes)
    assert max(curve) <= taken <= max(curve) + result + slack, (max(curve), taken)
    print("peak in", graph["peak_op"])


if __name__ == "__main__":
    main()
