# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads exports of a recording of a GPU: devices.py FORMAT FILE EXPECTED.

Each arrow leads from a call to its work on a track of the device; the calls by name
and the sum of all distances are those of the recording.
"""

import collections
import json
import sys

from read_export import fields, first, load, to_ps


def chrome(path):
    """(arrows as (call, begin, work, begin), tracks of works)."""
    events = load(path)["traceEvents"]
    names = {(e["name"], e["pid"], e["tid"]): e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] != "thread_sort_index"}
    begins = {}
    for event in events:
        if event["ph"] == "X":
            # The innermost of those that begin together comes last.
            begins[event["pid"], event["tid"], event["ts"]] = event["name"]
    ends = collections.defaultdict(dict)
    for event in events:
        if event["ph"] in "sf" and event["cat"] == "launch":
            lane = (event["pid"], event["tid"])
            ends[event["id"]][event["ph"]] = (
                begins[(*lane, event["ts"])], to_ps(event["ts"], "us"), lane)
    arrows, streams = [], set()
    for arrow in ends.values():
        call, begin, _ = arrow["s"]
        work, at, (process, thread) = arrow["f"]
        arrows.append((call, begin, work, at))
        streams.add((names["process_name", process, 0],
                     names["thread_name", process, thread]))
    return arrows, streams


def perfetto(path):
    with open(path, "rb") as file:
        data = file.read()
    names, annotations, tracks, processes = {}, {}, {}, {}
    starts, targets = {}, {}
    for _, packet in fields(data):
        for kind, entry in fields(first(packet, 12, b"")):
            {2: names, 3: annotations}[kind][first(entry, 1)] = \
                first(entry, 2).decode()
        if (descriptor := first(packet, 60)) is not None:
            uuid = first(descriptor, 1)
            if process := first(descriptor, 3):
                processes[uuid] = first(process, 6).decode()
            else:
                tracks[uuid] = (first(descriptor, 5),
                                first(descriptor, 2).decode())
        event = first(packet, 11)
        if event is None or first(event, 9) != 1:
            continue
        exact = {annotations[first(a, 1)]: first(a, 4) for n, a in fields(event)
                 if n == 4 and first(a, 4) is not None}
        begin = exact.get("begin_ps", first(packet, 8) * 1000)
        at = (names[first(event, 10)], begin, first(event, 11))
        starts.update({v: at for n, v in fields(event) if n == 47})
        targets.update({v: at for n, v in fields(event) if n == 48})
    assert starts.keys() == targets.keys()
    arrows, streams = [], set()
    for number, (work, at, track) in targets.items():
        parent, thread = tracks[track]
        # Arrows between ops of the host are not launches.
        if processes[parent].startswith("device "):
            arrows.append((*starts[number][:2], work, at))
            streams.add((processes[parent], thread))
    return arrows, streams


def main():
    kind, path, expected = sys.argv[1:]
    with open(expected) as file:
        expected = json.load(file)
    arrows, streams = {"chrome-json": chrome, "perfetto": perfetto}[kind](path)
    calls = collections.Counter(call for call, *_ in arrows)
    assert calls == {name: row["count"]
                     for name, row in expected["by_launch"].items()}, calls
    work = collections.Counter(name for _, _, name, _ in arrows)
    assert work == {name.split(": ", 1)[1]: row["count"]
                    for name, row in expected["work"].items()}, work
    launch = sum(at - begin for _, begin, _, at in arrows)
    assert launch == expected["launches"]["launch_ps"], launch
    assert streams == {("device " + key.split("/")[0],
                        "stream " + key.split("/")[1])
                       for key in expected["streams"]}, streams
    print(f"{len(streams)} streams, {len(arrows)} arrows")


if __name__ == "__main__":
    main()
