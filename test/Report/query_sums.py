#!/usr/bin/env python3
"""Compares queries of mlir-prof with the same over what report writes, in
Python's own SQLite, and with sums in plain Python.

usage: query_sums.py MLIR_PROF PROFILE MODEL
"""

import collections
import csv
import io
import json
import sqlite3
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    tool, profile, model = sys.argv[1:4]

    def query(text):
        rows = json.loads(run(tool, "query", profile, text, "--format=json",
                              f"--model={model}"))["rows"]
        return [tuple(row.values()) for row in rows]

    report = run(tool, "report", profile, "--by=measured-op", "--format=csv")
    ops = list(csv.DictReader(io.StringIO(report)))
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE ops (name, kernel, count INTEGER, time_ps INTEGER)")
    database.executemany(
        "INSERT INTO ops VALUES (?, ?, ?, ?)",
        [(o["op"], o["kernel"], int(o["count"]), int(o["time_ps"])) for o in ops],
    )
    for text in (
        "SELECT sum(time_ps) AS t, sum(count) AS n FROM ops",
        "SELECT kernel, sum(time_ps) AS t FROM ops GROUP BY kernel ORDER BY t, kernel",
        "SELECT name FROM ops WHERE time_ps > (SELECT avg(time_ps) FROM ops) ORDER BY name",
    ):
        assert query(text) == database.execute(text).fetchall(), text

    # Matches and parts: those of an op add up to its time.
    parts = collections.Counter()
    for op, part in query("SELECT op, part_ps FROM matches"):
        parts[op] += part
    assert parts == dict(query("SELECT op, sum(time_ps) AS t FROM ops GROUP BY op"))
    owners = json.loads(run(tool, "report", profile, f"--model={model}",
                            "--by=op", "--format=json"))["rows"]
    total = {o["index"]: o["sole_ps"] + o["estimated_ps"] for o in owners}
    found = query("SELECT mlir, sum(part_ps) AS p FROM matches WHERE mlir IS NOT NULL "
                  "GROUP BY mlir")
    assert dict(found) == {k: v for k, v in total.items() if k in dict(found)}

    # Events that were kept add up to their sums.
    names = query("SELECT track, name, count, total_ps FROM names ORDER BY 1, 2")
    events = query("SELECT track, name, count(*) AS n, sum(duration_ps) AS t FROM events "
                   "GROUP BY track, name ORDER BY 1, 2")
    assert names == events and names
    tracks = query("SELECT sum(events) FROM tracks")[0][0]
    assert tracks == sum(n for _, _, n, _ in names)
    print("sums agree")


if __name__ == "__main__":
    main()
