#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scopes of two machines with processes of the same numbers, and checks of what the
profile of both says, by the numbers here.

usage: machines.py make FOLDER
       machines.py csv|chrome-json|perfetto|folded FILE
"""

import collections
import csv
import json
import sys

from read_export import load, to_ps

NAMES = ["step", "load", "run"]
STEP, LOAD, RUN = range(3)
ANCHOR_NS = 1700000000000000000
# Site, begin, end (ps), index of the parent; in order of ends.
ALPHA = [(LOAD, 1000, 31000, 2), (RUN, 40000, 95000, 2), (STEP, 0, 100000, None),
         (RUN, 200000, 200007, None)]
BETA = [(LOAD, 2000000, 2500000, 1), (STEP, 1000000, 5000000, None)]
CHILD = [(LOAD, 0, 11, 1), (STEP, 0, 1300, None)]
# Host, processor, process, its parent, begin and rate (ps, ticks) of the clock, scopes.
# The child's parent is of its own machine.
RUNS = [("alpha", "znver4", 500, 1, ANCHOR_NS, (2000, 7), ALPHA),
        ("beta", "skylake", 500, 1, ANCHOR_NS + 3000000, (1000, 1), BETA),
        ("beta", "skylake", 501, 500, ANCHOR_NS + 3002000, (1000, 1), CHILD)]


def get_self(scopes, index):
    inside = sum(end - begin for _, begin, end, parent in scopes if parent == index)
    return scopes[index][2] - scopes[index][1] - inside


def make(folder):
    for host in ("alpha", "beta"):
        profile = {"schema": "mlir-prof.profile/1", "minor": 5, "strings": [], "runs": [],
                   "scopes": [], "scopeEvents": []}
        for number, (of, cpu, process, parent, anchor, rate, scopes) in enumerate(RUNS):
            if of != host:
                continue
            run = len(profile["runs"])
            profile["runs"].append({
                "hash": f"{number:032x}", "source": f"{process}.scopes",
                "producer": {"format": "scopes"}, "machine": {"host": of, "cpu": cpu},
                "clock": {"anchorNs": str(anchor), "hasAnchor": True}})
            profile["scopes"].append({
                "run": run, "process": process, "parentProcess": parent,
                "clock": {"firstTicks": 1000 + number, "anchorNs": str(anchor),
                          "ps": rate[0], "ticks": rate[1]},
                "hasEvents": True, "sites": [{"name": name} for name in NAMES],
                "threads": [{"id": 7, "name": "main"}]})
            begins = [scope[1] for scope in scopes]
            profile["scopeEvents"].append({
                "run": run, "site": [s[0] for s in scopes], "thread": [0] * len(scopes),
                "beginDeltaPs": [b - a for a, b in zip([0] + begins, begins)],
                "durationPs": [s[2] - s[1] for s in scopes],
                "selfPs": [get_self(scopes, i) for i in range(len(scopes))],
                "parentOffset": [0 if s[3] is None else s[3] - i
                                 for i, s in enumerate(scopes)],
                "firstOffset": [0] * len(scopes), "flags": [0] * len(scopes)})
        with open(f"{folder}/{host}.json", "w", encoding="utf-8") as file:
            json.dump(profile, file)


def get_group(host, process):
    parent = ", child of 500" if process == 501 else ""
    return f"process {process} on {host}{parent}"


def check_csv(path):
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for *_, scopes in RUNS:
        for index, (site, begin, end, parent) in enumerate(scopes):
            names = [NAMES[site]]
            if parent is not None:
                names.insert(0, NAMES[scopes[parent][0]])
            row = sums["/".join(names)]
            for column, value in enumerate((1, end - begin, get_self(scopes, index))):
                row[column] += value
    with open(path, newline="", encoding="utf-8") as file:
        rows = {row["key"]: [int(row[name]) for name in ("calls", "total_ps", "self_ps")]
                for row in csv.DictReader(file)}
    assert rows == sums, (rows, dict(sums))
    print(f"{len(rows)} rows are the sums")


def check_chrome(path):
    events = load(path)["traceEvents"]
    groups = {event["pid"]: event["args"]["name"].split(" (run")[0] for event in events
              if event["ph"] == "M" and event["name"] == "process_name"}
    found = collections.Counter(
        (groups[e["pid"]], e["name"], to_ps(e["ts"], "us"), to_ps(e["dur"], "us"))
        for e in events if e["ph"] == "X")
    wanted = collections.Counter(
        (get_group(host, process), NAMES[site], (anchor - ANCHOR_NS) * 1000 + begin,
         end - begin)
        for host, _, process, _, anchor, _, scopes in RUNS
        for site, begin, end, _ in scopes)
    assert found == wanted, (found - wanted, wanted - found)
    print(f"{sum(found.values())} events of {len(set(groups.values()))} processes")


def check_perfetto(path):
    with open(path, "rb") as file:
        data = file.read()
    for host, _, process, *_ in RUNS:
        assert get_group(host, process).encode() in data, (host, process)
    print(f"{len(RUNS)} processes")


def check_folded(path):
    wanted = collections.Counter()
    for host, _, process, *_, scopes in RUNS:
        around = [f"process {process} on {host}"]
        if process == 501:
            around.insert(0, f"process 500 on {host}")
        for index, (site, _, _, parent) in enumerate(scopes):
            names = [NAMES[site]]
            if parent is not None:
                names.insert(0, NAMES[scopes[parent][0]])
            wanted[";".join(around + names)] += get_self(scopes, index)
    with open(path, encoding="utf-8") as file:
        found = {stack: int(time) for stack, time in
                 (line.rsplit(" ", 1) for line in file)}
    assert found == wanted, (found, wanted)
    print(f"{len(found)} stacks")


def main():
    command, path = sys.argv[1:]
    {"make": make, "csv": check_csv, "chrome-json": check_chrome,
     "perfetto": check_perfetto, "folded": check_folded}[command](path)


main()
