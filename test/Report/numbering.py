# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that ops have one number:
MLIR_PROF MLIR_PROF_OPT PROFILE [--bare=PROFILE] LEVEL SOURCE...

The numbers of all ops are those of the module that annotate writes, in pre-order.
Each source has to call an op by the number that has its name and location there.
With --bare, sources read another profile, which holds no modules.
"""
import json
import re
import subprocess
import sys

tool, printer, profile, *rest = sys.argv[1:]
bare = rest.pop(0).partition("=")[2] if rest[0].startswith("--bare=") else profile
level, *sources = rest
options = ["--allow-unmatched", f"--level={level}"]


def run(verb, *arguments, path=bare):
    return subprocess.run([tool, verb, path, *arguments, *options], check=True,
                          capture_output=True, text=True).stdout


def get_rows(by):
    return json.loads(run("report", f"--by={by}", "--all", "--format=json"))["rows"]


def query(text):
    return json.loads(run("query", text, "--format=json"))["rows"]


def get_names():
    """The op names of the module in the order in which it is written: pre-order."""
    module = subprocess.run([tool, "annotate", profile, *options], check=True,
                            capture_output=True, text=True).stdout
    text = subprocess.run([*printer.split(), "--mlir-print-op-generic",
                           "--allow-unregistered-dialect"], check=True,
                          input=module, capture_output=True, text=True).stdout
    return re.findall(r'^ *(?:%[^=]*= )?"([\w.$-]+)"[(<]', text, re.MULTILINE)


names = get_names()
places = {row["index"]: row["location"]
          for row in json.loads(run("report", "--by=op", "--all",
                                    "--format=json", path=profile))["rows"]}
assert len(names) > 4, names


def check(source, index, op, location=None):
    assert names[index] == op, (source, index, op, names[index])
    # Of a profile without modules the module itself has no location.
    if location is not None and index:
        assert places[index] == location, (source, index, location, places[index])


def explain(index):
    text = json.loads(run("report", f"--explain={index}", "--format=json"))
    check("explain", index, text["op"], text["location"])
    assert text["index"] == index, text


for source in sources:
    count = 0
    if source == "graph":
        for node in json.loads(run("graph", "--format=mlirgraph",
                                   path=profile))["nodes"]:
            check(source, node["id"], node["name"].partition(":")[2] or node["name"])
            count += 1
    elif source == "matches":
        for row in query("SELECT DISTINCT mlir, mlir_op FROM matches "
                         "WHERE mlir IS NOT NULL"):
            check(source, row["mlir"], row["mlir_op"])
            explain(row["mlir"])
            count += 1
    elif source in ("nodes", "loops"):
        for row in query(f"SELECT mlir, op FROM {source} WHERE level = '{level}'"):
            check(source, row["mlir"], row["op"])
            count += 1
    else:
        for row in get_rows(source):
            if row.get("level", level) != level:
                continue
            check(source, row["index"], row["op"])
            if source != "split":
                explain(row["index"])
            count += 1
    # What depends on where samples fell may have no rows.
    assert count or source in ("split", "value", "roofline", "matches"), source
