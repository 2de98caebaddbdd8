#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares mlir-prof's reports of recordings with their expected.json.

Every time must agree to the picosecond, every count and class exactly. With
--best the default match is checked instead: it may only be better than the
reference. Prints what differs; the exit code is 1 if anything does.
"""

import argparse
import json
import os
import subprocess
import sys

# What a class is called in expected.json: in reports.
CLASSES = {"one": "unique", "one_name": "ambiguous", "set": "fused",
           "partial": "partial", "none": "unmatched"}
COVERAGE = [f"{name}_ps" for name in CLASSES.values()]

# Share of op time that linalg made from StableHLO must carry.
LINALG_SHARE = 95


class Recording:
    """A recording, the tool, and the differences found so far."""

    def __init__(self, tool, folder, trace, expected):
        self.tool, self.folder = tool, folder
        self.trace = os.path.join(folder, trace)
        with open(expected or os.path.join(folder, "expected.json")) as file:
            self.expected = json.load(file)
        self.differences = []

    def report(self, by, model=None, match=None):
        """The report, or None after noting why there is none."""
        command = [self.tool, "report", self.trace, "--format=json",
                   f"--by={by}"]
        if model:
            command.append(f"--model={os.path.join(self.folder, model)}")
        if match:
            command.append(f"--match={match}")
        result = subprocess.run(command, capture_output=True,
                                encoding="utf-8")
        if result.returncode:
            self.differ(f"{' '.join(command)}: exit {result.returncode}: "
                        f"{result.stderr.strip()}")
            return None
        report = json.loads(result.stdout)
        self.compare("report", by, dict(schema="mlir-prof.report/2", by=by),
                     report)
        return report

    def differ(self, message):
        self.differences.append(message)

    def compare(self, table, key, expected, found):
        """Compares the values of one row, for the keys that `expected` has."""
        for name, value in expected.items():
            other = found.get(name, "nothing")
            # True == 1, and 1.0 == 1: an integer was promised.
            if other != value or type(other) is not type(value):
                self.differ(
                    f"{table} {key}: {name} is {other}, expected {value}")

    def compare_rows(self, table, expected, found):
        """Compares {key: row}; both sides must have the same keys."""
        for key, row in expected.items():
            if key in found:
                self.compare(table, key, row, found[key])
            else:
                self.differ(f"{table} {key}: missing, expected {row}")
        for key in found.keys() - expected.keys():
            self.differ(f"{table} {key}: not expected: {found[key]}")

    def keyed(self, report, *columns):
        """Rows by key. Two of one key would hide each other."""
        rows = {}
        for row in report["rows"]:
            key = tuple(row[column] for column in columns)
            if key in rows:
                self.differ(f"{report['by']} {key}: more than one row")
            rows[key] = row
        return rows


def check_events(recording):
    report = recording.report("event")
    if report is None:
        return
    expected = {
        (line["plane"], line["index"], name): dict(row)
        for line in recording.expected["lines"]
        for name, row in line["by_name"].items()}
    recording.compare_rows("event", expected,
                           recording.keyed(report, "plane", "line", "name"))


def expected_ops(expected, with_class):
    """Rows by (module, program id, op, kernel): HLO has no kernel here."""
    rows = {}
    for op in expected.get("hlo", []):
        row = dict(count=op["count"], duration_ps=op["execute_ps"],
                   bounded_ps=op["bounded_ps"], self_ps=op["op_self_ps"],
                   time_ps=op["time_ps"])
        if with_class:
            row["class"] = CLASSES[op["join"]]
        rows[op["module"], op["program_id"], op["instr"], None] = row
    for work in expected.get("outside", []):
        row = dict(count=work["count"], duration_ps=work["total_ps"],
                   self_ps=work["total_ps"], time_ps=work["total_ps"])
        if with_class:
            row["class"] = "unmatched"
        rows[None, None, work["name"], "outside"] = row
    for op in expected.get("framework_ops", []):
        row = dict(count=op["count"], duration_ps=op["total_ps"],
                   self_ps=op["op_self_ps"], time_ps=op["op_self_ps"])
        if with_class:
            row["class"] = CLASSES[op["join"]]
        rows[None, None, op["node"], op["kernel"]] = row
    return rows


def check_ops(recording, model=None, match=None):
    report = recording.report("measured-op", model, match)
    if report is None:
        return
    for row in report["rows"]:
        if row["module"] is not None:
            row["kernel"] = None
    found = recording.keyed(report, "module", "program_id", "op", "kernel")
    recording.compare_rows(
        "measured-op", expected_ops(recording.expected, model is not None), found)


def check_mlir_ops(recording, model, match):
    report = recording.report("op", model, match)
    if report is None:
        return
    expected = {
        (op["id"],): dict(op=op["op"], sole_ps=op["exclusive_ps"],
                          shared_ps=op["shared_ps"])
        for op in recording.expected["mlir"]["by_op"]
        if op["exclusive_ps"] or op["shared_ps"]}
    found = {
        key: row for key, row in recording.keyed(report, "index").items()
        if row["sole_ps"] or row["shared_ps"]}
    recording.compare_rows("op", expected, found)
    by_class = recording.expected["coverage"]["by_class_ps"]
    expected = {f"{name}_ps": by_class.get(old, 0)
                for old, name in CLASSES.items()}
    expected["op_time_ps"] = recording.expected["coverage"]["op_time_ps"]
    recording.compare("coverage", model, expected, report["coverage"])
    # The parts of every set add up to it, so that totals add up to the time
    # that has an owner.
    total = sum(row["sole_ps"] + row["estimated_ps"]
                for row in report["rows"])
    for row in report["rows"]:
        recording.compare("op", row["index"], row, dict(
            row, total_ps=row["sole_ps"] + row["estimated_ps"]))
    owned = expected["op_time_ps"] - expected["unmatched_ps"]
    recording.compare("op", "all", dict(total=owned), dict(total=total))


def check_steps(recording):
    report = recording.report("step")
    if report is None:
        return
    rows = report["rows"]
    found = dict(count=len(rows),
                 total_ps=sum(row["duration_ps"] for row in rows))
    recording.compare("step", "all", recording.expected["steps"], found)
    for row in rows:
        if not 0 <= row["op_busy_ps"] <= row["op_inflight_ps"]:
            recording.differ(f"step {row['step']}: busy longer than in flight")


def check_best(recording, model):
    """The default match against the reference."""
    report = recording.report("op", model)
    if report is None:
        return
    found = report["coverage"]
    by_class = recording.expected["coverage"]["by_class_ps"]
    recording.compare("coverage", model, dict(
        op_time_ps=recording.expected["coverage"]["op_time_ps"]), found)
    if sum(found[name] for name in COVERAGE) != found["op_time_ps"]:
        recording.differ(f"coverage: classes do not add up: {found}")
    if found["unique_ps"] < by_class.get("one", 0):
        recording.differ(f"coverage: unique_ps is {found['unique_ps']}, "
                         f"the reference has {by_class['one']}")
    lost = found["unmatched_ps"] + found["partial_ps"]
    limit = by_class.get("none", 0) + by_class.get("partial", 0)
    if lost > limit:
        recording.differ(f"coverage: unmatched and partial are {lost}, "
                         f"the reference has {limit}")


def has_linalg(recording):
    """Whether there is linalg, and ops to be found in it at all."""
    shares = recording.expected["coverage"]["percent"]
    return (os.path.exists(os.path.join(recording.folder, "linalg.mlir")) and
            shares.get("none", 0) < 100 - LINALG_SHARE)


def check_linalg(recording):
    """linalg made from StableHLO carries the time, in sets no larger than the
    fusions: their instructions, or the ops that those came from."""
    report = recording.report("measured-op", "linalg.mlir")
    if report is None:
        return
    found = report["coverage"]
    owned = found["op_time_ps"] - found["unmatched_ps"] - found["partial_ps"]
    if 100 * owned < LINALG_SHARE * found["op_time_ps"]:
        recording.differ(f"linalg: only {owned} ps of {found['op_time_ps']}")
    sets = {row["op"] for row in report["rows"] if row["class"] == "fused"}
    fusions = [(op["time_ps"], max(op["members"], len(op["mlir_ops"])))
               for op in recording.expected["hlo"] if op["instr"] in sets]
    time = sum(time for time, _ in fusions)
    limit = 1000000 * sum(time * size for time, size in fusions) // max(time, 1)
    if found["mean_fused_members_ppm"] > limit:
        recording.differ(f"linalg: sets of {found['mean_fused_members_ppm']} "
                         f"millionths, fusions have {limit}")


def check(recording, arguments):
    if arguments.best:
        check_best(recording, arguments.model)
        if has_linalg(recording):
            check_linalg(recording)
        return
    check_events(recording)
    check_ops(recording)
    check_steps(recording)
    check_ops(recording, arguments.model, "reference")
    check_mlir_ops(recording, arguments.model, "reference")


def find_recordings(folders, trace):
    """The folders that are recordings, else the recordings in them."""
    for folder in folders:
        inner = sorted(os.path.join(folder, name)
                       for name in os.listdir(folder))
        found = [candidate for candidate in [folder, *inner]
                 if os.path.exists(os.path.join(candidate, trace))]
        if not found:
            sys.exit(f"error: no {trace} in {folder} or a folder in it")
        yield from found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER",
                        help="a recording, or a folder of recordings")
    parser.add_argument("--tool", default="mlir-prof", help="the mlir-prof")
    parser.add_argument("--trace", default="xplane.pb",
                        help="name of the trace (xplane.json.gz)")
    parser.add_argument("--model", default="model.generic.mlir",
                        help="name of the module")
    parser.add_argument("--expected", help="use this expected.json")
    parser.add_argument("--best", action="store_true",
                        help="the default match is no worse than expected")
    arguments = parser.parse_args()
    failed, checked = 0, 0
    for folder in find_recordings(arguments.folders, arguments.trace):
        recording = Recording(arguments.tool, folder, arguments.trace,
                              arguments.expected)
        check(recording, arguments)
        checked += 1
        failed += bool(recording.differences)
        name = "/".join(os.path.normpath(folder).split(os.sep)[-2:])
        print(f"{name}: {len(recording.differences)} differences")
        for difference in recording.differences:
            print(f"  {difference}")
    print(f"{checked} recordings checked, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
