#!/usr/bin/env python3
"""The backward pass on a module of the forward pass alone.

usage: torch_backward.py RECORDING cut OUTPUT
       torch_backward.py RECORDING check REPORT.csv

`cut` writes the forward part of the recording's joint graph. `check` compares a
report on it with what each forward op took (expected.json) and what ran for its
derivative: ops of PyTorch within the autograd node of the same sequence number,
from the trace.
"""

import csv
import decimal
import gzip
import json
import pathlib
import re
import sys


def cut(recording, output):
    text = (recording / "model.generic.mlir").read_text()
    lines = text.splitlines(keepends=True)
    last = next(i for i, line in enumerate(lines) if " = \"torch.aten.neg\"" in line)
    value = lines[last].split("=")[0].strip()
    kind = re.search(r"-> (\S+) loc", lines[last])[1]
    end = next(i for i, line in enumerate(lines) if "\"func.return\"" in line)
    lines[last + 1:end + 1] = [f'    "func.return"({value}) : ({kind}) -> ()\n']
    text = re.sub(r"\) -> \([^()]*\)>*, sym", f") -> {kind}, sym",
                  "".join(lines), count=1)
    pathlib.Path(output).write_text(text)


def to_ps(text):
    return int(decimal.Decimal(text) * 1000000)


def own_times(events):
    """(event, self time, events around it), on each thread."""
    threads = {}
    for event in events:
        event["begin"] = to_ps(event["ts"])
        event["end"] = event["begin"] + to_ps(event["dur"])
        threads.setdefault(event["tid"], []).append(event)
    for thread in threads.values():
        thread.sort(key=lambda e: (e["begin"], -e["end"]))
        stack = []
        for event in thread:
            while stack and stack[-1]["end"] <= event["begin"]:
                stack.pop()
            event["around"] = list(stack)
            event["own"] = event["end"] - event["begin"]
            if stack:
                stack[-1]["own"] -= event["own"]
            stack.append(event)
    return [e for thread in threads.values() for e in thread]


def backward_times(recording):
    """Time within autograd nodes, by the number of the node in its step."""
    with gzip.open(recording / "trace.json.gz") as file:
        trace = json.load(file, parse_float=str, parse_int=str)
    events = trace["traceEvents"]
    steps = [(to_ps(e["ts"]), to_ps(e["ts"]) + to_ps(e["dur"])) for e in events
             if e.get("cat") == "user_annotation"
             and e["name"].startswith("ProfilerStep")]
    ops = own_times([e for e in events if e.get("cat") == "cpu_op"])

    def number(event):
        return event["args"].get("Sequence number")

    totals = {}
    for begin, end in steps:
        inside = [e for e in ops if begin <= e["begin"] < end]
        first = min(int(number(e)) for e in inside if number(e))
        for event in inside:
            nodes = [e for e in event["around"] if number(e)
                     and e["name"].startswith("autograd::engine")]
            if nodes and "::" in event["name"] and "autograd" not in event["name"]:
                place = int(number(nodes[0])) - first
                totals[place] = totals.get(place, 0) + event["own"]
    return totals


def check(recording, report):
    expected = json.loads((recording / "expected.json").read_text())["join"]["pre"]
    backward = backward_times(recording)
    with open(report, encoding="utf-8") as file:
        rows = {int(row["index"]): row for row in csv.DictReader(file)}
    found = 0
    # Each op of the forward pass has one number, in order.
    for place, row in enumerate(expected):
        if row["index"] + 2 not in rows:
            continue
        got = rows[row["index"] + 2]
        want = row["total_ns"] * 1000 + backward.pop(place, 0)
        took = int(got["sole_ps"])
        if got["op"] != row["op"] or took != want:
            raise SystemExit(f"{row['op']} {row['index']}: {took} ps, not {want}")
        found += 1
    if found != len(rows) or backward:
        raise SystemExit(f"{found} of {len(rows)} ops; left {backward}")
    print(f"{found} ops have their own and their derivatives' time")


def main():
    recording = pathlib.Path(sys.argv[1])
    {"cut": cut, "check": check}[sys.argv[2]](recording, sys.argv[3])


if __name__ == "__main__":
    main()
