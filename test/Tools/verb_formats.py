#!/usr/bin/env python3
"""Compares the formats in each verb's help with those that the verb accepts.

usage: verb_formats.py MLIR_PROF PROFILE MODEL

What a verb accepts is what it says when it is given another one.
"""

import re
import subprocess
import sys

tool, profile, model = sys.argv[1:]
ARGUMENTS = {
    "record": [model, "-o", "/dev/null"], "audit": [model], "import": [profile, "-o", "-"],
    "report": [profile], "graph": [profile, "-o", "-"], "export": [profile, "-o", "-"],
    "merge": [profile, "-o", "-"], "compact": [profile, "-o", "-"],
    "diff": [profile, profile], "query": [profile, "SELECT 1"], "advise": [profile], "info": [],
}


def run(*arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True)


def words(text):
    return [word for word in re.findall(r"[\w-]+", text) if word not in ("or", "default")]


verbs = [line.split()[0] for line in run("--help").stdout.split("VERBS:\n")[1].split("\n\n")[0].splitlines()]
wrong = 0
for verb in verbs:
    match = re.search(r"--format=FORMAT\s+Output format: (.*)\.$",
                      run(verb, "--help").stdout, re.MULTILINE)
    if not match:
        if verb in ARGUMENTS:
            sys.exit(f"{verb}: no --format in its help")
        continue
    listed = words(match.group(1))
    refused = run(verb, *ARGUMENTS[verb], "--format=no-such-format")
    accepted = re.search(r"(?:must be one of|only|There are) (.*)", refused.stderr)
    names = words(accepted.group(1)) if accepted else [refused.stderr.strip()]
    if refused.returncode != 2 or sorted(names) != sorted(listed):
        wrong += 1
        print(f"{verb}: help {listed}, accepts {names}")
print(f"{len(ARGUMENTS)} verbs, {wrong} differ")
sys.exit(bool(wrong))
