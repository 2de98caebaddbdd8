#!/usr/bin/env python3
"""Compares the formats in each verb's help with those that the verb accepts.

usage: verb_formats.py MLIR_PROF PROFILE MODEL

What a verb accepts is what it says when it is given another one.
"""

import re
import subprocess
import sys

tool, profile, model = sys.argv[1:]
# What stands for a file or a text in the usage of a verb.
VALUES = {"PROFILE": profile, "BEFORE": profile, "AFTER": profile, "TRACE...": profile,
          "PROFILE...": profile, "MODEL": model, "FILE": "/dev/null", "'SELECT": "SELECT 1"}


def arguments_of(text):
    """What the first line of the usage asks for, without options in brackets."""
    usage = re.search(r"^USAGE: mlir-prof \S+ ?(.*)$", text, re.MULTILINE).group(1)
    words = re.sub(r"\[[^]]*\]|--\S+|\.\.\.'", "", usage).split()
    return [VALUES.get(word, word) for word in words]


def run(*arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True)


def words(text):
    return [word for word in re.findall(r"[\w-]+", text) if word not in ("or", "default")]


verbs = [line.split()[0] for line in run("--help").stdout.split("VERBS:\n")[1].split("\n\n")[0].splitlines()]
wrong = checked = 0
for verb in verbs:
    text = run(verb, "--help").stdout
    match = re.search(r"--format=FORMAT\s+Output format: (.*)\.$", text, re.MULTILINE)
    if not match:
        continue
    checked += 1
    listed = words(match.group(1))
    refused = run(verb, *arguments_of(text), "--format=no-such-format")
    accepted = re.search(r"(?:must be one of|only|There are) (.*)", refused.stderr)
    names = words(accepted.group(1)) if accepted else [refused.stderr.strip()]
    if refused.returncode != 2 or sorted(names) != sorted(listed):
        wrong += 1
        print(f"{verb}: help {listed}, accepts {names}")
print(f"{checked} verbs, {wrong} differ")
sys.exit(bool(wrong) or not checked)
