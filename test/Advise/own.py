#!/usr/bin/env python3
"""Asks the rules about our own recordings where they are true and where they are
not.

usage: own.py MLIR_PROF FOLDER INPUTS

What the machine can do is written into the recordings, so that how far an op is from
it does not depend on the machine that runs this: the product then reaches a fifth of
the peak, or four fifths.
"""

import json
import os
import pathlib
import subprocess
import sys

tool, folder, inputs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
#: Of the product of 128x256 and 256x256, a multiplication and an addition each.
FLOPS = 2 * 128 * 256 * 256
#: From docs/advising.md: what a good kernel reaches, of what the machine can do.
REACHABLE = 0.7


def run(*arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True,
                          check=True).stdout


def record(name, *options):
    """A recording in JSON."""
    run("record", inputs / f"{name}.mlir", "--seconds=0.5", *options, "-o",
        folder / "recorded.mlprof")
    return json.loads(run("import", folder / "recorded.mlprof", "--format=json", "-o", "-"))


def ask(rule, recording, flops, bandwidth):
    """What the rule says of a machine with `flops` and `bandwidth` a second."""
    for who in ("OneThread", "AllThreads"):
        recording["runs"][0]["machine"][f"flops{who}"] = str(round(flops))
        recording["runs"][0]["machine"][f"bytes{who}"] = str(round(bandwidth))
    path = folder / f"{rule}.json"
    path.write_text(json.dumps(recording))
    report = json.loads(run("advise", path, f"--rule={rule}", "--format=json"))
    rows = json.loads(run("report", path, "--by=op", "--format=json"))["rows"]
    return report, {row["location"]: row["total_ps"] for row in rows}


def check(condition, *told):
    if not condition:
        sys.exit(" ".join(map(str, told)))


def check_hot():
    rule, recording = "hot-op-far-from-roofline", record("product")
    iterations = int(recording["runs"][0]["iterations"]["count"])
    _, times = ask(rule, recording, 1e15, 1e15)
    time_ps = times["the_product"]
    reached = FLOPS * iterations / (time_ps * 1e-12)
    report, _ = ask(rule, recording, reached / 0.2, 1e15)
    [advice] = report["advice"]
    check(abs(advice["parameters"]["attainable_ppm"] - 200_000) <= 1, rule, advice)
    gain = time_ps * (1 - 0.2 / REACHABLE)
    check(abs(advice["gain_ps"] - gain) <= 1e-5 * time_ps, rule, advice["gain_ps"], gain)
    report, _ = ask(rule, recording, reached / 0.8, 1e15)
    check(report["silent"] == [rule], rule, "is not silent:", report)


def check_chain():
    # Work beyond measure for a machine that only moves data slowly.
    rule, flops, bandwidth = "memory-bound-chain-not-fused", 1e15, 1e9
    report, times = ask(rule, record("chain", "--pipeline=naive"), flops, bandwidth)
    [advice] = report["advice"]
    both = [times["first"], times["second"]]
    check(advice["parameters"]["time_ps"] == sum(both) and advice["gain_ps"] == min(both), rule,
          advice, both)
    report, _ = ask(rule, record("chain"), flops, bandwidth)
    check(report["silent"] == [rule], rule, "is not silent:", report)


def get_rows(path, by):
    return json.loads(run("report", path, f"--by={by}", "--format=json"))["rows"]


def check_faults(*options):
    """Each call but the first maps 4 MiB anew, a fault for each page."""
    rule, path = "page-fault-churn", folder / "recorded.mlprof"
    recording = record("unmapped", *options)["runs"][0]
    facts = {fact["name"]: fact["value"] for fact in recording["facts"]}
    iterations = int(recording["iterations"]["count"]) - 1
    faults = int(facts["page faults"]) - int(facts["page faults of the first iteration"])
    pages = iterations * (4 << 20) // os.sysconf("SC_PAGESIZE")
    check(pages <= faults <= 1.05 * pages + 100, rule, faults, "faults of", pages, "pages")
    ops = get_rows(path, "measured-op")
    limits = [faults * int(facts["picoseconds a page fault"]), sum(op["time_ps"] for op in ops)]
    if facts["sampler"] == "perf_event":
        kernel = sum(event["total_ps"] for event in get_rows(path, "event")
                     if event["name"] == "kernel")
        limits.append(kernel + sum(op["time_ps"] for op in ops if op["kernel"] and
                                   ("munmap" in op["kernel"] or "madvise" in op["kernel"])))
    [advice] = json.loads(run("advise", path, f"--rule={rule}", "--format=json"))["advice"]
    found = advice["parameters"]
    check((found["faults"], found["iterations"]) == (faults, iterations), rule, found)
    check(abs(found["fault_ps"] - min(limits)) <= 1e-5 * min(limits), rule, found, limits)
    run("record", inputs / "kept.mlir", "--seconds=0.5", *options, "-o", path)
    report = json.loads(run("advise", path, f"--rule={rule}", "--format=json"))
    check(report["silent"] == [rule], rule, "is not silent:", report)


check_hot()
check_chain()
check_faults()
check_faults("--sampler=timer")
# A first iteration faults in what it is the first to use, which is no habit.
run("record", inputs / "kept.mlir", "--warm-up=0", "--iterations=2", "-o",
    folder / "cold.mlprof")
cold = json.loads(run("advise", folder / "cold.mlprof", "--rule=page-fault-churn",
                      "--format=json"))
check(not cold["advice"], "page-fault-churn of a cold run:", cold)
print("true and silent")
