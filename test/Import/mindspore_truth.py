# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a profile with the truth of utils/recordings/mindspore/make_raw.py:
TRUTH PROFILE, both JSON. Every integer must be equal."""
import json
import sys

truths, profile = (json.load(open(path)) for path in sys.argv[1:])


def expect(what, found, expected):
    assert found == expected, f"{what}:\n{found}\ninstead of\n{expected}"


def number(message, field):
    return int(message.get(field, 0))


class Rank:
    """A run of the profile with its record of the job."""

    def __init__(self, index, truth):
        self.run = profile["runs"][index]
        self.job = next(job for job in profile["jobs"] if job.get("run", 0) == index)
        # Absolute times, in the unit of the truth.
        self.unit = 10_000 if truth["unit"] == "10 ns" else 1000
        self.steps_unit = 10_000
        facts = self.job["deviceFacts"]
        self.origin_ps = number(facts, "originTicks") * 10**12 // number(facts, "tickHz")

    def name(self, message, field):
        index = message.get(field + "PlusOne", 0)
        return self.job["names"][index - 1] if index else None

    def time(self, message, field):
        return (self.origin_ps + number(message, field)) // self.steps_unit

    def ops(self):
        found = {}
        for op in self.run["ops"]:
            key = profile["opKeys"][op.get("op", 0)]
            sums = {m.get("quantity", "EXECUTE"): m["summary"] for m in op["measurements"]}
            expect("self time of " + key["op"], sums["SELF"]["sum"], sums["EXECUTE"]["sum"])
            values = [int(sums["EXECUTE"][part]) for part in ("sum", "min", "max")]
            assert all(value % self.unit == 0 for value in values), values
            found[key["op"]] = [key["kernel"], int(sums["EXECUTE"]["count"]),
                                *[value // self.unit for value in values]]
        return found

    def steps(self):
        return [[number(step, "number"),
                 *[self.time(step, point + "Ps") for point in ("begin", "first", "last", "end")]]
                for step in self.job.get("steps", [])]

    def collectives(self, names):
        return [[number(c, "step"), self.name(c, "op") if names else c["streamPlusOne"] - 1,
                 self.time(c, "beginPs"), self.time(c, "endPs")]
                for c in self.job.get("collectives", [])]

    def aicpu(self):
        us = lambda run, field: number(run, field) // 10**6
        return [[self.name(run, "op"), self.name(run, "type"), self.time(run, "beginPs"),
                 self.time(run, "endPs"), us(run, "totalPs"), us(run, "dispatchPs"),
                 us(run, "executionPs")] for run in self.job.get("aiCpuRuns", [])]

    def flops(self):
        return {self.name(op, "op"): [number(op, "cubeFlops"), number(op, "vectorFlops"),
                                      number(op, "counted")]
                for op in self.job["ops"] if number(op, "counted")}

    def tensors(self, name):
        op = next(op for op in self.job["ops"] if self.name(op, "op") == name)
        shapes = [[], []]
        for tensor in op["tensors"]:
            shapes[tensor.get("isOutput", False)].append(
                [int(size) for size in tensor["dimensions"]])
            assert self.name(tensor, "type") == "float16", tensor
        [output] = shapes[1]
        return [shapes[0], output]

    def kernels(self):
        return {self.name(k, "kernel"): [self.name(k, "op"), number(k, "count"),
                                         number(k, "totalPs") // 1000]
                for k in self.job.get("kernels", [])}

    def losses(self):
        return {loss["name"]: number(loss, "count") for loss in self.run.get("losses", [])}


expect("ranks", len(profile["runs"]), len(truths))
for index, truth in enumerate(truths):
    rank = Rank(index, truth)
    expect("device", rank.job["devicePlusOne"] - 1, index)
    expect("ops", rank.ops(), truth["ops"])
    expect("steps", rank.steps(), truth["steps"])
    if "kernels" in truth:
        expect("kernels", rank.kernels(), truth["kernels"])
        expect("reduces", rank.collectives(True), truth["reduces"])
        continue
    expect("collectives", rank.collectives(False), truth["collectives"])
    expect("points", [rank.name(rank.job["steps"][0], op + "Op")
                      for op in ("first", "last", "end")], truth["points"])
    expect("collective", rank.name(rank.job["collectives"][0], "op"), truth["collective"])
    expect("AI CPU", rank.aicpu(), truth["aicpu"])
    expect("lost records", rank.losses().get(
        "HWTS record that the driver lost, by the rolling count", 0), truth["lost_records"])
    if "flops" in truth:
        expect("FLOPs", rank.flops(), truth["flops"])
    for name, shapes in truth["tensors"].items():
        expect("tensors of " + name, rank.tensors(name), shapes)
