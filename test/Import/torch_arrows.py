# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the arrows of an export with those of a recording: RECORDING EXPORT.

PyTorch draws an arrow from each forward op to its backward op, from begin to begin, and
both ops have the sequence number of the forward one.
"""

import collections
import decimal
import gzip
import json
import sys


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal)["traceEvents"]


def arrows(events, category, is_end):
    """(name, name, time between their begins) of each arrow of a category."""
    named, ends = {}, collections.defaultdict(dict)
    for event in events:
        place = (event.get("pid"), event.get("tid"), event.get("ts"))
        if event["ph"] == "X" and is_end(event):
            named[place] = event
        elif event["ph"] in "sf" and event["cat"] == category:
            ends[event["id"]][event["ph"]] = place
    found = []
    for both in ends.values():
        first, last = named[both["s"]], named[both["f"]]
        found.append((first, last, last["ts"] - first["ts"]))
    return found


def tally(found):
    return collections.Counter((first["name"], last["name"], time)
                               for first, last, time in found)


def main():
    recorded = arrows(read(sys.argv[1]), "fwdbwd", lambda event: event["cat"] == "cpu_op")
    for first, last, _ in recorded:
        assert first["args"]["Sequence number"] == last["args"]["Sequence number"]
    # Of events that begin together, the innermost comes last.
    exported = arrows(read(sys.argv[2]), "flow", lambda event: True)
    assert tally(exported) == tally(recorded), tally(exported) - tally(recorded)
    print(f"{len(exported)} arrows")


if __name__ == "__main__":
    main()
