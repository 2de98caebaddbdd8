#!/usr/bin/env python3
"""Checks that every registered pass and option is in the reference exactly once.

usage: check_passes.py MLIR_PROF_OPT PASSES.md

Asks the tool itself: a pass of ours is one whose name begins with "prof-" or
"cpu-", or ends with "-dispatches", "-sizes" or "-transfers", in its help, and an
option one that --dump-pass-pipeline prints for it. Upstream has passes whose names begin with
"gpu-", too: those of ours are the ones that the page lists.
"""

import collections
import pathlib
import re
import subprocess
import sys

tool, page = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
help_text = subprocess.run([tool, "--help"], check=True, capture_output=True, text=True).stdout
names = re.findall(r"^ {6}--((?:prof|cpu)-[\w-]+|\w+-(?:dispatches|sizes|transfers))", help_text, re.MULTILINE)
all_names = set(re.findall(r"^ {6}--([\w-]+)", help_text, re.MULTILINE))
headings = collections.Counter(re.findall(r"^### `(.*)`$", page, re.MULTILINE))
names += [name for name in headings if name.startswith("gpu-") and name in all_names]
wrong = [f"{name}: printed {headings[name]} times" for name in names if headings[name] != 1]
wrong += [f"{name}: not registered" for name in headings if name not in names]

sections = dict(zip(re.findall(r"^### `(.*)`$", page, re.MULTILINE),
                    re.split(r"^### `.*`$", page, flags=re.MULTILINE)[1:]))
options = 0
for name in names:
    printed = subprocess.run([tool, f"--pass-pipeline=any({name})", "--dump-pass-pipeline"],
                             input="", capture_output=True, text=True).stderr
    match = re.search(rf"^ *{name}{{(.*)}}$", printed, re.MULTILINE)
    for option, value in re.findall(r"([\w-]+)=(\S*)", match.group(1) if match else ""):
        options += 1
        row = re.search(rf"^\| `{option}(=<.*>)?` \|(.*?)\|", sections.get(name, ""), re.MULTILINE)
        if not row or (value and value != "{}" and value.strip("}") not in row.group(2)):
            wrong.append(f"{name}: the option {option}={value} is not in its table")
print("\n".join(wrong))
print(f"{len(names)} passes, {options} options, {len(wrong)} wrong")
sys.exit(bool(wrong) or not names or not options)
