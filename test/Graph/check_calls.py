# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a graph of calls with the Python functions of a PyTorch trace.

    check_calls.py GRAPHML TRACE.json.gz

For each name the calls must be those of the trace and the inclusive times their
sum, and all self times must add up to the time of the outermost functions, which
the trace names by their parents.
"""

import collections
import gzip
import json
import sys
import xml.etree.ElementTree as ElementTree
from decimal import Decimal

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def main(graph_path, trace_path):
    with gzip.open(trace_path) as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    calls = collections.Counter()
    times = collections.Counter()
    outermost = 0
    for event in events:
        if event.get("cat") != "python_function":
            continue
        duration = int(event["dur"] * 1000000)
        calls[event["name"]] += 1
        times[event["name"]] += duration
        if event["args"]["Python parent id"] is None:
            outermost += duration
    counted = collections.Counter()
    summed = collections.Counter()
    total = 0
    for node in ElementTree.parse(graph_path).getroot().iter(GRAPHML + "node"):
        data = {d.get("key"): d.text for d in node}
        counted[data["name"]] += int(data["count"])
        summed[data["name"]] += int(data["inclusive_ps"])
        total += int(data["duration_ps"])
    assert counted == calls, counted - calls
    assert summed == times, summed - times
    assert total == outermost, (total, outermost)
    print(f"{sum(calls.values())} calls, self times add up")


if __name__ == "__main__":
    main(*sys.argv[1:])
