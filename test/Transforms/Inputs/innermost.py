"""Prints the innermost loops of an assembly file that llc wrote, one a
paragraph, with registers and labels renamed in order of appearance."""

import re
import sys


def normalize(lines):
    names = {}

    def rename(match):
        return names.setdefault(match.group(0), f"n{len(names)}")

    return [re.sub(r"%\w+|\.LBB\w+|-?\d+\(%rsp\)", rename, l) for l in lines]


loop, label = None, None
for line in open(sys.argv[1]):
    code, _, comment = line.partition("#")
    code = code.strip()
    if code.endswith(":"):
        label, loop = code[:-1], None
    if "Inner Loop Header" in comment:
        loop = []
    if loop is None or not code or code.startswith(".p2align"):
        continue
    loop.append(" ".join(code.split()))
    if code.startswith("j") and code.split()[-1] == label:
        print("\n".join(normalize(loop)) + "\n")
        loop = None
