# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares reports on recordings of a GPU with what reference_torch.py found.

  torch_gpu.py MLIR_PROF FOLDER

For each recording in FOLDER: work by name, streams, devices, gaps, copies and
launches agree to the picosecond; so does the time of each op of the module where
the reference names one op for each kernel. With kernels of several ops, an op has part
in at least the time of those that the reference gives to it alone.
"""

import collections
import json
import os
import subprocess
import sys

TOOL, FOLDER = sys.argv[1:]
# Share of the time of kernels that the reference gives to ops and the report
# must, too.
LEAST_OWNED = 0.98


class Recording:
    def __init__(self, name):
        self.name = name
        self.folder = os.path.join(FOLDER, name)
        self.model = os.path.join(FOLDER, "models",
                                  name.split("-", 1)[0] + ".mlir")
        with open(f"{self.folder}/expected.json") as file:
            self.expected = json.load(file)

    def report(self, by, *options):
        output = subprocess.run(
            [TOOL, "report", f"{self.folder}/trace.json.gz", f"--by={by}",
             "--format=json", *options],
            check=True, capture_output=True, encoding="utf-8").stdout
        return json.loads(output)

    def same(self, what, found, expected):
        assert found == expected, (self.name, what, found, expected)

    def check_work(self):
        found = collections.Counter()
        launch = queue = time = 0
        for row in self.report("kernel")["rows"]:
            found[row["kernel"]] += row["count"]
            time += row["time_ps"]
        expected = collections.Counter()
        for name, row in self.expected["work"].items():
            expected[name.split(": ", 1)[1]] += row["count"]
        self.same("counts", found, expected)
        self.same("time", time,
                  sum(x["time_ps"] for x in self.expected["work"].values()))

    def check_devices(self):
        streams = {f"{row['device']}/{row['stream']}": row["busy_ps"]
                   for row in self.report("stream")["rows"]}
        self.same("streams", streams, {
            key: row["busy_ps"] for key, row in self.expected["streams"].items()})
        for row in self.report("device")["rows"]:
            for key, value in self.expected["devices"][str(row["device"])].items():
                self.same(key, row[key], value)
        waits = {row["host"] or "": dict(gaps=row["gaps"],
                                         idle_ps=row["idle_ps"])
                 for row in self.report("wait")["rows"]}
        self.same("waits", len(waits), self.expected["waits_in_all"])
        for host, row in self.expected["waits"].items():
            self.same(host, waits[host], row)
        copies = {row["kernel"]: dict(count=row["count"],
                                      time_ps=row["time_ps"],
                                      bytes=row["bytes"])
                  for row in self.report("copy")["rows"]}
        self.same("copies", copies, self.expected["copies"])

    def check_owners(self):
        report = self.report("op", f"--model={self.model}", "--all")
        owners = self.expected["owners"]
        owned = sum(row["time_ps"] for row in owners.values())
        coverage = report["coverage"]
        found = coverage["op_time_ps"] - coverage["unmatched_ps"]
        assert found >= LEAST_OWNED * owned, (self.name, found, owned)
        # The module and its function stand before the ops of its only block.
        shown = {str(row["index"] - 2): row["total_ps"]
                 for row in report["rows"] if row["total_ps"]}
        if any("+" in key for key in owners):
            most = {str(row["index"] - 2): row["sole_ps"] + row["shared_ps"]
                    for row in report["rows"]}
            for key, row in owners.items():
                assert "+" in key or most.get(key, 0) >= row["time_ps"], \
                    (self.name, key, most.get(key), row)
            return
        if "has_partial_owners" in self.expected:
            shown = {key: shown.get(key) for key in owners}
        self.same("owners", shown,
                  {key: row["time_ps"] for key, row in owners.items()})


def main():
    names = sorted(name for name in os.listdir(FOLDER) if "-" in name)
    for name in names:
        recording = Recording(name)
        recording.check_work()
        recording.check_devices()
        recording.check_owners()
    print(f"{len(names)} recordings agree")


if __name__ == "__main__":
    main()
