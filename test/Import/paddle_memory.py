# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares reports of memory with the totals that Paddle wrote with each event of its
allocators: paddle_memory.py TREE.json MEMORY.json GRAPHS.json.
"""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def walk(tree, name):
    """(time, total after it, scope) of each allocation and each free."""
    for event in tree.get("memory", []):
        if event["type"] in ("Allocate", "Free"):
            yield event["at_ns"], event["allocated"], name, event["place"]
    for child in tree.get("children", []):
        yield from walk(child, child["name"])


def main():
    tree, memory, graphs = (read(path) for path in sys.argv[1:])
    wanted = sorted((event for thread in tree.values()
                     for event in walk(thread, "(no scope)")), key=lambda event: event[0])
    assert len({place for *_, place in wanted}) == 1
    rows = sorted(memory["rows"], key=lambda row: row["position"])
    assert [row["live_bytes"] for row in rows] == [total for _, total, *_ in wanted]
    assert [row["op"] for row in rows] == [name for _, _, name, _ in wanted]
    [graph] = graphs["rows"]
    assert graph["peak_bytes"] == max(total for _, total, *_ in wanted)
    print(f"{len(rows)} events, peak {graph['peak_bytes']}")


if __name__ == "__main__":
    main()
