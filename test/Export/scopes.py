#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A profile with scopes of every kind, and readers of its exports that know
nothing of the writers.

usage: scopes.py make PROFILE.json
       scopes.py FORMAT FILE

FORMAT: chrome-json, perfetto, speedscope, folded, pprof.
"""

import collections
import gzip
import json
import sys

from read_export import fields, first, load, packed, to_ps

ANCHOR_NS = 1700000000000000000
BIG = "x" * (1 << 20)
# In the file, the character U+10FE00 + byte stands for a byte that is not UTF-8.
BAD = "bad \U0010feff byte"
NAMES = ['say "hi" \\ there', "line\nbreak\ttab", "<b>&amp;</b> [1.000 ms]", BAD, BIG,
         "a;b/c", "plain"]
QUOTED, BROKEN, MARKUP, INVALID, LARGE, PATH, PLAIN = range(7)
SUSPENDED, OPEN, LINKED, OVERLAPPING, OUTSIDE = 1, 2, 4, 8, 16

# Site, thread, begin, end (ps), self time, index of the parent and of the first part,
# flags: by thread, in order of ends.
PARENT = [
    (BROKEN, 0, 1000123, 2000456, 1000333, 3, None, 0),
    (MARKUP, 0, 3000000, 4000000, 1000000, 3, None, SUSPENDED),
    (MARKUP, 0, 6000000, 7000000, 1000000, 3, 1, 0),
    (QUOTED, 0, 0, 10000001, 6999668, None, None, 0),
    (LARGE, 1, 2000000, 5000000, 3000000, 3, None, LINKED),
    (INVALID, 1, 21000000, 22000000, 1000000, None, None, OUTSIDE),
    (PATH, 1, 20000000, 30000000, 5000000, None, None, OVERLAPPING),
    (PLAIN, 1, 25000000, 35000000, 10000000, 6, None, OVERLAPPING),
    (PLAIN, 1, 36000000, 40000000, 4000000, None, None, OPEN),
]
CHILD = [(PATH, 0, 0, 1000000, 1000000, None, None, 0)]
THREADS = ['main "thread"', "worker"]
# Process, its parent, begin of its clock, scopes.
RUNS = [(123, 99, ANCHOR_NS, PARENT), (124, 123, ANCHOR_NS + 5000, CHILD)]


def make(path):
    profile = {"schema": "mlir-prof.profile/1", "minor": 7, "strings": [], "runs": [],
               "scopes": [], "scopeEvents": []}
    for run, (process, parent, anchor, scopes) in enumerate(RUNS):
        profile["runs"].append({"hash": f"{run:032x}", "source": f"{process}.scopes",
                                "producer": {"format": "scopes"},
                                "clock": {"anchorNs": str(anchor), "hasAnchor": True}})
        profile["scopes"].append({
            "run": run, "process": process, "parentProcess": parent,
            "clock": {"anchorNs": str(anchor), "ps": 1000, "ticks": 1},
            "hasEvents": True, "sites": [{"name": name, "type": 7} for name in NAMES],
            "threads": [{"number": i, "id": 1000 * process + i, "name": name}
                        for i, name in enumerate(THREADS)]})
        begins = [scope[2] for scope in scopes]
        profile["scopeEvents"].append({
            "run": run, "site": [s[0] for s in scopes], "thread": [s[1] for s in scopes],
            "beginDeltaPs": [b - a for a, b in zip([0] + begins, begins)],
            "durationPs": [s[3] - s[2] for s in scopes], "selfPs": [s[4] for s in scopes],
            "parentOffset": [0 if s[5] is None else s[5] - i
                             for i, s in enumerate(scopes)],
            "firstOffset": [0 if s[6] is None else s[6] - i
                            for i, s in enumerate(scopes)],
            "flags": [s[7] for s in scopes]})
    with open(path, "w", encoding="utf-8") as file:
        json.dump(profile, file)


def shown(name):
    """JSON has UTF-8 only; other bytes become the character for unknown ones."""
    return name.replace("\U0010feff", "\N{REPLACEMENT CHARACTER}")


def get_wanted():
    """Process, thread, name, begin on the clock of the first run, and duration."""
    wanted = collections.Counter()
    for process, parent, anchor, scopes in RUNS:
        group = f"process {process}"
        if parent == 123:
            group += ", child of 123"
        for site, thread, begin, end, *_, flags in scopes:
            track = f"{THREADS[thread]} {1000 * process + thread}"
            if flags & OUTSIDE:
                track += ", measured elsewhere"
            wanted[group, track, shown(NAMES[site]),
                   (anchor - ANCHOR_NS) * 1000 + begin, end - begin] += 1
    return wanted


def one_line(name):
    """Frames of stacks are one line."""
    return name.replace("\n", "\\u{a}").replace("\t", "\\u{9}")


def get_arrows():
    """Names and moments (ps) at both ends of each arrow."""
    # From begin to begin, where the innermost event is the one that is meant.
    return {("started", shown(NAMES[QUOTED]), 0, BIG, 2000000),
            ("continued", NAMES[MARKUP], 3000000, NAMES[MARKUP], 6000000)}


def without_lane(track):
    """A scope that overlaps another one is on a lane of its own."""
    return track.split(" (overlapping")[0]


def split_group(group):
    """Without the number of the run, by which processes are told apart."""
    return group.split(" (run")[0]


def chrome(path):
    events = load(path)["traceEvents"]
    names = {(e["name"], e["pid"], e["tid"]): e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] != "thread_sort_index"}
    found, ends, arrows = collections.Counter(), {}, collections.defaultdict(dict)
    by_lane = collections.defaultdict(list)
    for event in events:
        if event["ph"] not in "Xsf":
            continue
        lane, at = (event["pid"], event["tid"]), to_ps(event["ts"], "us")
        if event["ph"] == "X":
            duration = to_ps(event["dur"], "us")
            found[split_group(names["process_name", lane[0], 0]),
                  without_lane(names["thread_name", *lane]), event["name"], at,
                  duration] += 1
            by_lane[lane].append((at, at + duration, event["name"]))
            ends[event["name"], at] = event["args"].get("end")
        else:
            arrows[event["id"]][event["ph"]] = (event["name"], lane, at)
    assert found == get_wanted(), found - get_wanted()
    assert ends["plain", 36000000] == "open" and ends["plain", 25000000] is None
    assert ends[NAMES[MARKUP], 3000000] == "suspended"
    assert len({names["process_name", pid, 0] for pid, _ in by_lane}) == 2
    seen = set()
    for arrow in arrows.values():
        kind, lane, at = arrow["s"]
        # The innermost that is open then.
        source = max(e for e in by_lane[lane] if e[0] <= at < e[1])
        _, to_lane, to = arrow["f"]
        target = next(e for e in by_lane[to_lane] if e[0] == to)
        seen.add((kind, source[2], at, target[2], to))
    assert seen == get_arrows(), seen
    print(f"{found.total()} events, {len(seen)} arrows")


def perfetto(path):
    with open(path, "rb") as file:
        data = file.read()
    names, annotations, tracks, processes = {}, {}, {}, {}
    stacks = collections.defaultdict(list)
    found, starts, targets = collections.Counter(), {}, {}
    for _, packet in fields(data):
        for kind, entry in fields(first(packet, 12, b"")):
            {2: names, 3: annotations}[kind][first(entry, 1)] = first(entry, 2).decode()
        if (descriptor := first(packet, 60)) is not None:
            uuid = first(descriptor, 1)
            if process := first(descriptor, 3):
                processes[uuid] = first(process, 6).decode()
            else:
                tracks[uuid] = (first(descriptor, 5), first(descriptor, 2).decode())
        if (event := first(packet, 11)) is None:
            continue
        at, track = first(packet, 8), first(event, 11)
        if first(event, 9) == 1:
            exact = {annotations[first(a, 1)]: first(a, 4) for n, a in fields(event)
                     if n == 4 and first(a, 4) is not None}
            name = names[first(event, 10)]
            stacks[track].append((name, at, exact))
            starts.update({v: name for n, v in fields(event) if n == 47})
            targets.update({v: name for n, v in fields(event) if n == 48})
        else:
            name, begin, exact = stacks[track].pop()
            # Nanoseconds, and picoseconds in annotations where there are any.
            begin_ps = exact.get("begin_ps", begin * 1000)
            duration = exact.get("duration_ps", (at - begin) * 1000)
            parent, thread = tracks[track]
            found[split_group(processes[parent]), without_lane(thread), name, begin_ps,
                  duration] += 1
    assert not any(stacks.values())
    assert found == get_wanted(), found - get_wanted()
    seen = {(starts[i], targets[i]) for i in targets}
    assert starts.keys() == targets.keys()
    assert seen == {(a[1], a[3]) for a in get_arrows()}, seen
    print(f"{found.total()} events, {len(seen)} arrows")


def speedscope(path):
    data = load(path)
    frames = data["shared"]["frames"]
    found = collections.Counter()
    for profile in data["profiles"]:
        stack = []
        for event in profile["events"]:
            at = to_ps(event["at"], "ns")
            if event["type"] == "O":
                stack.append((event["frame"], at))
            else:
                frame, begin = stack.pop()
                assert frame == event["frame"]
                found[frames[frame]["name"], begin, at - begin] += 1
    wanted = collections.Counter()
    for (_, _, name, *times), count in get_wanted().items():
        wanted[one_line(name), *times] += count
    assert found == wanted, (found - wanted)
    text = json.dumps([profile["name"] for profile in data["profiles"]])
    assert "process 124, child of 123" in text and THREADS[1] in text, text[:1000]
    print(f"{found.total()} events in {len(data['profiles'])} profiles")


def get_stacks():
    """Frames, outermost first: self time."""
    times = collections.Counter()
    for process, parent, _, scopes in RUNS:
        groups = [f"process {p}" for p in (123, 124) if p in (process, parent)]
        # One thread alone is not a frame.
        has_threads = len({s[1] for s in scopes if s[5] is None}) > 1
        for scope in scopes:
            stack, at = [], scope
            while at is not None:
                stack.insert(0, shown(NAMES[at[0]]))
                root, at = at, None if at[5] is None else scopes[at[5]]
            if has_threads:
                stack.insert(0, f"{THREADS[root[1]]} {1000 * process + root[1]}")
            times[tuple(groups + stack)] += scope[4]
    return {tuple(one_line(frame) for frame in stack): time
            for stack, time in times.items()}


def folded(path):
    found = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            stack, time = line.rstrip("\n").rsplit(" ", 1)
            found[stack.replace("\udcff", "\N{REPLACEMENT CHARACTER}")] = int(time)
    wanted = {";".join(frame.replace(";", ",") for frame in stack): time
              for stack, time in get_stacks().items()}
    assert found == wanted, (found.keys() - wanted.keys(), wanted.keys() - found.keys())
    print(f"{len(found)} stacks, {sum(found.values())} ps")


def pprof(path):
    with gzip.open(path) as file:
        message = list(fields(file.read()))
    strings = [value.decode(errors="surrogateescape") for number, value in message
               if number == 6]
    functions = {first(v, 1): strings[first(v, 2)] for n, v in message if n == 5}
    locations = {first(v, 1): first(first(v, 4), 1) for n, v in message if n == 4}
    found, samples = {}, 0
    for sample in (v for n, v in message if n == 2):
        stack = tuple(functions[locations[i]].replace("\udcff", "\N{REPLACEMENT CHARACTER}")
                      for i in reversed(packed(first(sample, 1))))
        count, _, time = packed(first(sample, 2))
        if time or count:
            found[stack] = time
        samples += count
    assert found == get_stacks(), (found.keys() - get_stacks().keys(),
                                   get_stacks().keys() - found.keys())
    # Both parts of the suspended scope are one.
    assert samples == len(PARENT) + len(CHILD) - 1, samples
    print(f"{len(found)} stacks, {samples} calls")


if __name__ == "__main__":
    READERS = {"make": make, "chrome-json": chrome, "perfetto": perfetto,
               "speedscope": speedscope, "folded": folded, "pprof": pprof}
    READERS[sys.argv[1]](sys.argv[2])
