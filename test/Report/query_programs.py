# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the SQL tables of programs with the reports: MLIR_PROF PROFILE."""
import collections
import json
import subprocess
import sys

tool, profile = sys.argv[1:]


def run(*arguments):
    text = subprocess.run([tool, *arguments, "--format=json", "--allow-unmatched"],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(text)


def report(by, *options):
    return run("report", profile, f"--by={by}", "--all", *options)["rows"]


def query(text):
    return run("query", profile, text)["rows"]


def order(rows, names):
    return sorted(([row[name] for name in names] for row in rows), key=repr)


def same(rows, table, columns):
    """Both have the same rows; SQL calls the column index mlir."""
    wanted = order(rows, [c.replace("mlir", "index") for c in columns])
    found = order(table, columns)
    assert found == wanted, (found, wanted)


levels = [row["level"] for row in query("SELECT level FROM levels ORDER BY number")]
assert levels[0] == "input" and levels[-1] == "asm", levels

# nodes and levels: the ops of each level, whose times add up to the same total.
for level in levels[:-1]:
    ops = {row["index"]: row for row in report("op", f"--level={level}")}
    nodes = query(f"SELECT * FROM nodes WHERE level = '{level}'")
    assert nodes
    for node in nodes:
        op = ops[node["mlir"]]
        for name in ("op", "count", "sole_ps", "shared_ps", "estimated_ps",
                     "total_ps"):
            assert node[name] == op[name], (node, op)
totals = query("SELECT level, sum(sole_ps + estimated_ps) AS t FROM nodes "
               "GROUP BY level")
for row in totals:
    level, = query(f"SELECT * FROM levels WHERE level = '{row['level']}'")
    assert level["total_ps"] == row["t"], (level, row)
    coverage = run("report", profile, f"--level={row['level']}")["coverage"]
    assert row["t"] == coverage["op_time_ps"] - coverage["unmatched_ps"], coverage
assert not query("SELECT * FROM node_origins AS o JOIN nodes AS a USING (program, node) "
                 "JOIN nodes AS b ON b.node = o.origin AND b.program = o.program "
                 "WHERE a.level = b.level")

# loops, at each level that has some.
loops = query("SELECT * FROM loops")
assert any(row["level"] == "loops" for row in loops)
for level in {row["level"] for row in loops}:
    rows = report("loop", f"--level={level}")
    assert rows
    same(rows, [row for row in loops if row["level"] == level],
         [name for name in loops[0]])

# instructions: as the table of the hottest, summed up over callees.
chains = collections.Counter()
for row in report("chain"):
    chains[row["offset"]] += row["time_ps"]
code = {row["offset"]: row["time_ps"] for row in query(
    "SELECT offset, time_ps FROM instructions WHERE count > 0")}
assert code == chains, (code, chains)

# observed_values: the tuples of the table of values.
tuples = collections.defaultdict(list)
for row in query("SELECT * FROM observed_values ORDER BY tuple, position"):
    tuples[row["tuple"]].append(row)
found = [dict(rows[0], values=[r["value"] for r in rows]
              if rows[0]["position"] is not None else None)
         for rows in tuples.values()]
columns = ["kind", "mlir", "level", "values", "count", "total"]
same(report("value"), found, columns)

# thread_classes: a row for each class of a thread.
threads = report("thread")
classes = query("SELECT * FROM thread_classes")
assert {(row["line"], row["class"]): row["time_ps"] for row in classes} == {
    (row["line"], name): row[f"{name}_ps"] for row in threads
    for name in ("work", "library", "kernel", "waiting", "outside")}
assert sum(row["samples"] for row in classes) == sum(
    row["samples"] for row in threads)

same(report("roofline"), query("SELECT * FROM roofline"),
     list((query("SELECT * FROM roofline LIMIT 1") or [{}])[0]))
print("reports and tables agree")
