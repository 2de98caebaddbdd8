"""Which share of a level's nodes leads back to ops of the input.

usage: coverage.py FILE LEVEL     FILE is a module as text, with prof.program

Prints "LEVEL: N of M nodes, P % or more" where P is 99.4 or the share, rounded
down. Nodes of functions and those that lead to nothing but functions do not
count as covered.
"""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
program = re.search(r"prof\.program = (\{.*\})", text).group(1)
FUNCTION = 2


def column(level, name):
    found = re.search(r"\b" + name + r" = array<i\d+(?::\s*([^>]*))?>", level)
    return [int(x) for x in found.group(1).split(",")] if found else []


levels = re.split(r"(?=\{caller_counts|\{container)", program)[1:]
origins = []  # of each node: whether it leads to an op of the input
for number, level in enumerate(levels):
    name = re.search(r'level = "([^"]*)"', level).group(1)
    kinds = column(level, "kind")
    counts = column(level, "parent_counts") or [0] * len(kinds)
    parents = iter(column(level, "parents"))
    covered = total = 0
    before = list(origins)
    for kind, count in zip(kinds, counts):
        mine = [next(parents) for _ in range(count)]
        good = kind != FUNCTION
        if number:
            good = good and any(before[p] for p in mine)
        origins.append(good)
        if kind != FUNCTION:
            total += 1
            covered += good
    if name == sys.argv[2]:
        share = 1000 * covered // total / 10
        print(f"{name}: {covered} of {total} nodes,", end=" ")
        print("99.4 % or more" if share >= 99.4 else f"only {share} %")
