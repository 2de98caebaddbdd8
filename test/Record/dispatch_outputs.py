"""Compares the outputs for a recording with shared kernels with its report.

  dispatch_outputs.py FOLDER TOOL EXPORT_TESTS
"""

import collections
import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

from two_layers import make_layers

folder, tool, helpers = sys.argv[1:]
sys.path.insert(0, helpers)
from read_export import fields, first, packed  # noqa: E402

environment = dict(os.environ, MLIR_PROF_CACHE=os.path.join(folder, "cache"))
model = os.path.join(folder, "layers.mlir")
with open(model, "w", encoding="utf-8") as file:
    file.write(make_layers(48, 64))


def run(*arguments, text=True):
    return subprocess.run([tool, *arguments], check=True, env=environment,
                          stdout=subprocess.PIPE,
                          encoding="utf-8" if text else None).stdout


def record(name, *more):
    profile = os.path.join(folder, name + ".mlprof")
    run("record", model, "--no-peak", "-o", profile,
        *more)
    return profile


def report(profile, *more):
    return json.loads(run("report", profile, "--all", "--format=json", *more))


# Exact counts, so that every output has the same numbers.
profile = record("probes", "--mode=instrument", "--instrument=depth:0",
                 "--no-functions", "--warm-up=0", "--iterations=20")
expected = {row["location"]: (row["count"], row["sole_ps"])
            for row in report(profile)["rows"] if row["op"] == "linalg.matmul"}
assert {place: count for place, (count, _) in expected.items()} == {
    "first": 20, "second": 80}, expected
times = {place: time for place, (_, time) in expected.items()}
op_time = report(profile)["coverage"]["op_time_ps"]

# Annotations, at the input level by layer, from the dispatches' level on
# together.
annotated = {}
for line in run("annotate", profile, "--level=input", "-o", "-").splitlines():
    data = re.search(r"linalg.matmul \{prof.data = #prof.data<(.*?)>", line)
    if data:
        annotated[len(annotated)] = dict(
            pair.split(" = ") for pair in data.group(1).split(", "))
assert [int(data["sole_ps"]) for data in annotated.values()] == [
    times["first"], times["second"]], annotated
for level in ("linalg", "dispatch", "tiled", "bufferized", "loops", "llvm"):
    text = run("annotate", profile, f"--level={level}", "-o", "-")
    owned = re.search(r"owned_ps = (\d+)", text)
    assert owned and int(owned.group(1)) == op_time, level
text = run("annotate", profile, "--level=dispatch", "-o", "-")
sums = [int(value) for value in re.findall(
    r"linalg.matmul \{prof.data = #prof.data<.*?sole_ps = (\d+)", text)]
assert sums == [sum(times.values())], (sums, times)


def graph(level):
    """(name, detail): duration of the nodes with a time."""
    text = run("graph", profile, f"--level={level}", "--format=graphml", "-o",
               "-")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = {}
    for node in xml.etree.ElementTree.fromstring(text).iter(space + "node"):
        data = {entry.get("key"): entry.text for entry in node.findall(
            space + "data")}
        if data.get("measured") == "true":
            key = (data["name"], data.get("detail"))
            nodes[key] = nodes.get(key, 0) + int(data["duration_ps"])
    return nodes


nodes = graph("input")
for place, time in times.items():
    assert nodes["linalg.matmul", place] == time, (nodes, times)
# Each dispatch has its own time, and the kernel is drawn from the next level on.
drawn = graph("dispatch")
for place, time in times.items():
    assert drawn.pop(("dispatch.run", f"@matmul {place}")) == time, (drawn, times)
assert not any(name.startswith("linalg.") for name, _ in drawn), drawn
tiled = graph("tiled")
assert sum(times.values()) in tiled.values(), (tiled, times)


def pprof(*more):
    """The time of each stack, innermost function first."""
    path = os.path.join(folder, "profile.pb.gz")
    run("export", profile, "--format=pprof", "-o", path, *more)
    with gzip.open(path) as file:
        message = list(fields(file.read()))
    strings = [value.decode() for number, value in message if number == 6]
    functions = {first(value, 1): strings[first(value, 2)]
                 for number, value in message if number == 5}
    locations = {first(value, 1): functions[first(first(value, 4), 1)]
                 for number, value in message if number == 4}
    found = collections.Counter()
    for number, value in message:
        if number == 2:
            stack = tuple(locations[at] for at in packed(first(value, 1)))
            found[stack] += packed(first(value, 2))[2]
    return found


def folded(*more):
    found = collections.Counter()
    for line in run("export", profile, "--format=folded", "-o", "-",
                    *more).splitlines():
        stack, time = line.rsplit(" ", 1)
        found[tuple(reversed(stack.split(";")))] += int(time)
    return found


for stacks in (pprof(), folded()):
    assert sum(stacks.values()) == op_time, stacks
    for place, time in times.items():
        found = sum(part for stack, part in stacks.items()
                    if any(place in frame for frame in stack))
        assert found == time, (place, found, time, stacks)
for level in ("dispatch", "loops"):
    for stacks in (pprof(f"--level={level}"), folded(f"--level={level}")):
        assert sum(stacks.values()) == op_time, (level, stacks)

# Measured ops name the dispatch.
rows = list(csv.DictReader(io.StringIO(
    run("export", profile, "--format=csv", "-o", "-"))))
by_dispatch = {row["instance"]: int(row["time_ps"]) for row in rows
               if row["instance"]}
assert by_dispatch == {"0": times["first"], "1": times["second"]}, by_dispatch
rows = report(profile, "--by=instance")["rows"]
assert {row["location"]: row["sole_ps"] for row in rows
        if row["instance"] is not None} == times, rows

# A recording without sharing has the same ops at the input level.
other = record("single", "--pipeline=naive", "--mode=instrument",
               "--iterations=20")
changes = run("diff", profile, other, "--format=json")
assert {"first", "second"} <= set(re.findall("first|second", changes)), changes

# Advice about samples is about the layers.
sampled = record("samples", "--seconds=0.5")
advice = json.loads(run("advise", sampled, "--format=json"))
assert "low-coverage" in advice["silent"], advice
for level in ("input", "dispatch", "loops"):
    coverage = report(sampled, f"--level={level}")["coverage"]
    assert coverage["unmatched_ps"] <= 0.2 * coverage["op_time_ps"], coverage
