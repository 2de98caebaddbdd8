"""Compares the symbols that a library needs with those that it defines.

usage: missing.py NEEDED DEFINED [--list]
"""

import sys


def symbols(path):
    with open(path, encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and ":" not in line}


needed, defined = symbols(sys.argv[1]), symbols(sys.argv[2])
if "--list" in sys.argv:
    print("offers:", *sorted(name for name in defined if name.startswith("prof_")))
else:
    print("needs:", *sorted(needed - defined))
