#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detection rate and false alarm rate of `mlir-prof diff`.

    gate.py --pool FOLDER --record 40    records one model repeatedly
                                         (--model: the example, or mlp, cnn
                                         or transformer of bench/models.py)
    gate.py --pool FOLDER                compares recordings of the pool

Each comparison draws recordings of the pool, deals them to two sides in turns,
slows down those of one side, and asks the tool. The noise is that of the
recordings; the slowdown is exact: the times of the iterations, and of the ops
that they consist of, are multiplied. Two modes: `sample` (the default of
record) and `instrument`. A false alarm is anything reported as slower although
nothing was slowed down.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from common import tool

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "test" / "lib"))
from synthetic_profile import bucket_of, lower_bound, summary_of  # noqa: E402

MODES = {"sample": [], "fast": ["--rate=10000"],
         "instrument": ["--mode=instrument"]}
#: Factors of the time of all ops, and of the op with a share nearest to 5 %.
CHANGES = {"none": (1, 1), "whole +5 %": (1.05, 1), "whole +10 %": (1.1, 1),
           "op of 5 % +20 %": (1, 1.2), "op of 5 % +50 %": (1, 1.5)}


def make_model(name, folder):
    """The example, or a model of bench/models.py: a file and its input."""
    root = pathlib.Path(__file__).parents[2]
    if name == "example":
        script, written = root / "examples/transformer/model.py", "transformer"
        command, data = ["-o", str(folder)], "."
    else:
        script, written = root / "bench/models.py", f"{name}-const"
        command, data = [str(folder)], name
    subprocess.run([sys.executable, str(script), *command], check=True)
    return folder / f"{written}.mlir", f"--input=0={folder / data}/x.npy"


def record(arguments):
    """Adds recordings to the pool, the modes in turns, and notes the load."""
    folder = pathlib.Path(arguments.pool)
    folder.mkdir(parents=True, exist_ok=True)
    model, data = make_model(arguments.model, folder / "model")
    for number in range(arguments.record):
        for mode in arguments.modes:
            path = folder / f"{mode}-{number:03d}.mlprof"
            if path.exists():
                continue
            tool(arguments.tool, "record", model, data, "--seconds=1",
                 "--no-peak", *MODES[mode], "-o", path)
            path.with_suffix(".load").write_text(f"{os.getloadavg()[0]:.2f}")


class Recording:
    """A recording with its ops by name: only the data that a diff reads."""

    def __init__(self, binary, path):
        _, text, _ = tool(binary, "import", path, "--format=json", "-o", "-")
        profile = json.loads(text)
        self.run = profile["runs"][0]
        self.period = int(self.run.get("samplePeriodPs", 0))
        names = [key.get("op", "") for key in profile["opKeys"]]
        self.ops = collections.Counter()
        if self.period:
            _, text, _ = tool(binary, "report", path, "--format=json")
            for row in json.loads(text)["rows"]:
                name = f"{row['op']} {row['location']}"
                self.ops[name] += round((row["sole_ps"]
                                         + row["estimated_ps"]) / self.period)
        else:
            self.summaries = {}
            for op in self.run["ops"]:
                of = {measured.get("quantity"): measured["summary"]
                      for measured in op["measurements"]}
                name = f"{names[op.get('op', 0)]} {op.get('op', 0)}"
                self.summaries[name] = {quantity: of[quantity] for quantity in
                                        ("SELF", "STEADY_SELF")
                                        if quantity in of}
                self.ops[name] += int(of["SELF"]["sum"])

    def share(self, name):
        return self.ops[name] / sum(self.ops.values())


def even(count, total):
    """A summary of which only the sum is known, as equal parts."""
    part, rest = divmod(total, count)
    summary = summary_of([part] * min(1, count - rest) + [part + 1] * min(1, rest))
    squares = (count - rest) * part ** 2 + rest * (part + 1) ** 2
    buckets = collections.Counter({bucket_of(part): count - rest})
    buckets[bucket_of(part + 1)] += rest
    first = summary["histogramFirst"]
    summary.update(
        count=str(count), sum=str(total), sumSquaresLow=str(squares % 2 ** 64),
        sumSquaresHigh=str(squares >> 64),
        histogramCounts=[str(buckets[first + i]) for i in
                         range(len(summary["histogramCounts"]))])
    return summary


def scale(summary, factor, numbers):
    """A summary of values scaled by `factor`."""
    if int(summary["max"]) - int(summary["min"]) <= 1:
        return even(int(summary["count"]), int(int(summary["sum"]) * factor))
    result = dict(summary)
    squares = (int(summary.get("sumSquaresLow", 0))
               + (int(summary.get("sumSquaresHigh", 0)) << 64))
    squares = int(squares * factor ** 2)
    result["sumSquaresLow"] = str(squares % 2 ** 64)
    result["sumSquaresHigh"] = str(squares >> 64)
    for key in ("sum", "min", "max"):
        result[key] = str(int(int(summary.get(key, 0)) * factor))
    first = int(summary.get("histogramFirst", 0))
    counts = collections.Counter()
    for i, count in enumerate(summary.get("histogramCounts", [])):
        low, high = lower_bound(first + i), lower_bound(first + i + 1)
        # Ends of the scaled bucket; its values are assumed to be uniform.
        parts = 16
        for part in range(parts):
            own = (int(count) + parts - 1 - part) // parts
            value = low + (high - low) * (part + numbers.random()) / parts
            value = min(max(value, int(summary["min"])), int(summary["max"]))
            counts[bucket_of(int(value * factor))] += own
    used = [bucket for bucket in counts if counts[bucket]]
    result["histogramFirst"] = min(used)
    result["histogramCounts"] = [str(counts[i]) for i in
                                 range(min(used), max(used) + 1)]
    return result


def poisson(numbers, mean):
    """A random count, as a sum of exponential waits."""
    count, time = 0, numbers.expovariate(1)
    while time < mean:
        count, time = count + 1, time + numbers.expovariate(1)
    return count


def slow_down(recording, whole, op, factor, expected, numbers):
    """The run of a side in which all ops, or `op`, take longer."""
    run = dict(recording.run)
    share = recording.share(op)
    slower = whole * (1 + share * (factor - 1))
    begin = int(run["steps"][0].get("beginPs", 0))
    run["steps"] = [
        dict(step, beginPs=str(int(begin + (int(step.get("beginPs", 0))
                                            - begin) * slower)),
             durationPs=str(int(int(step["durationPs"]) * slower)))
        for step in run["steps"]]
    run["iterations"] = scale(run["iterations"], slower, numbers)
    ops = []
    for number, (name, count) in enumerate(sorted(recording.ops.items())):
        own = whole * (factor if name == op else 1)
        if recording.period:
            mean = expected[name] * sum(recording.ops.values())
            count += poisson(numbers, mean * (own - 1))
            summaries = {"SELF": summary_of([recording.period] * count)
                         } if count else {}
        else:
            summaries = {quantity: scale(summary, own, numbers) for
                         quantity, summary in recording.summaries[name].items()}
        if summaries:
            ops.append({"op": number, "measurements": [
                {"quantity": quantity, "summary": summary}
                for quantity, summary in summaries.items()]})
    run["ops"] = ops
    for field in ("events", "tracks", "values", "work", "losses"):
        run.pop(field, None)
    return run


def profile_of(runs, names):
    return {"schema": "mlir-prof.profile/1", "minor": 4, "runs": runs,
            "opKeys": [{"kind": "FRAMEWORK_NODE", "op": n} for n in names]}


class Study:
    """Comparisons of the recordings of one mode."""

    def __init__(self, arguments, mode):
        self.tool, self.numbers = arguments.tool, random.Random(arguments.seed)
        paths = sorted(pathlib.Path(arguments.pool).glob(f"{mode}-*.mlprof"))
        self.pool = [Recording(self.tool, path) for path in paths]
        self.names = sorted({name for r in self.pool for name in r.ops})
        for recording in self.pool:
            for name in self.names:
                recording.ops[name] += 0
        if self.pool[0].period == 0:
            # Without probes that some recording never reached.
            self.names = [n for n in self.names
                          if all(n in r.summaries for r in self.pool)]
            for recording in self.pool:
                recording.ops = collections.Counter(
                    {n: recording.ops[n] for n in self.names})
        shares = {n: sum(r.share(n) for r in self.pool) / len(self.pool)
                  for n in self.names}
        self.expected = shares
        self.op = min(shares, key=lambda n: abs(shares[n] - 0.05))

    def compare(self, runs, change, folder):
        """Whether (anything of the whole, the op, anything) is reported as
        slower."""
        order = sorted(self.numbers.sample(range(len(self.pool)), 2 * runs))
        sides = [order[0::2], order[1::2]]
        self.numbers.shuffle(sides)
        for name, side, (whole, factor) in zip(
                "ab", sides, ((1, 1), CHANGES[change])):
            profile = profile_of(
                [slow_down(self.pool[i], whole, self.op, factor, self.expected,
                           self.numbers) for i in side], self.names)
            with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
                json.dump(profile, file)
        _, text, _ = tool(self.tool, "diff", f"{folder}/a.json",
                          f"{folder}/b.json", "--format=json")
        diff = json.loads(text)
        whole = any(diff[key]["verdict"] == "slower"
                    for key in ("quiet", "wall", "total") if key in diff)
        slower = {r["name"] for r in diff["rows"] if r["verdict"] == "slower"}
        return whole, self.op in slower, whole or bool(slower)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--pool", required=True)
    parser.add_argument("--record", type=int, metavar="N")
    parser.add_argument("--model", default="example")
    parser.add_argument("--modes", type=lambda text: text.split(","),
                        default=["sample", "instrument"])
    parser.add_argument("--runs", default="1,2,3,5")
    parser.add_argument("--changes", type=lambda text: text.split(","),
                        default=list(CHANGES))
    parser.add_argument("--comparisons", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.record:
        record(arguments)
        return
    for mode in arguments.modes:
        study = Study(arguments, mode)
        print(f"{mode}: {len(study.pool)} recordings; the op is {study.op}, "
              f"{100 * study.expected[study.op]:.1f} %", flush=True)
        for change in arguments.changes:
            for runs in map(int, arguments.runs.split(",")):
                with tempfile.TemporaryDirectory() as folder:
                    found = [study.compare(runs, change, folder)
                             for _ in range(arguments.comparisons)]
                rates = [100 * sum(column) / len(found)
                         for column in zip(*found)]
                print(f"  {change:18} runs a side {runs}: whole {rates[0]:5.1f}"
                      f" %, op {rates[1]:5.1f} %, anything {rates[2]:5.1f} %",
                      flush=True)


if __name__ == "__main__":
    main()
