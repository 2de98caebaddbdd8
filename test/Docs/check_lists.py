#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that pages describe all that registries list.

usage: check_lists.py MLIR_PROF SOURCE_ROOT

Each entry that `mlir-prof info` lists has a row in the table of its page, and so do the
groupings, techniques, rules and pipelines in help texts.
"""

import json
import pathlib
import re
import subprocess
import sys

tool, root = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([tool, *arguments], check=True, capture_output=True,
                          text=True).stdout


def rows(page):
    """The names in the first cells of all tables."""
    text = (root / "docs" / page).read_text(encoding="utf-8")
    return {name for cell in re.findall(r"^\|([^|]*)\|", text, re.MULTILINE)
            for name in re.findall(r"`([^`]*)`", cell)}


info = json.loads(run("info", "--format=json"))
PAGES = (("formats read", info["reads"], "formats.md"),
         ("formats of export", info["writes"]["export"], "formats.md"),
         ("formats of graph", info["writes"]["graph"], "graph.md"),
         ("groupings", info["groupings"], "reporting.md"),
         ("techniques", info["techniques"], "optimizing.md"),
         ("rules", info["rules"], "advising.md"),
         ("pipelines", info["pipelines"], "recording.md"))
HELP = (("report", "groupings"), ("optimize", "techniques"), ("advise", "rules"),
        ("record", "pipelines"))
wrong = []
for what, entries, page in PAGES:
    missing = {entry["name"] for entry in entries} - rows(page)
    wrong += [f"{name}: docs/{page} does not have a row for it" for name in sorted(missing)]
    print(f"{len(entries)} {what}")
for verb, key in HELP:
    text = " ".join(run(verb, "--help").split())
    wrong += [f"{entry['name']}: not in the help of {verb}" for entry in info[key]
              if not re.search(rf"(?<![\w-]){re.escape(entry['name'])}(?![\w-])", text)]
print("\n".join([*wrong, f"{len(wrong)} problems"]))
sys.exit(bool(wrong))
