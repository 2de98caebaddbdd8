#!/usr/bin/env python3
"""Compiles the C++ examples of documents that are complete.

usage: compile_examples.py SCRATCH DOCUMENT... -- COMPILER...

A block fenced as ```c++ whose first line is an #include is a file of its own. Prints how
many there are of each document, and exits with 1 if one does not compile.
"""

import pathlib
import re
import subprocess
import sys

EXAMPLE = re.compile(r"^```c\+\+\n(#include.*?)^```\s*$", re.MULTILINE | re.DOTALL)


def main():
    split = sys.argv.index("--")
    scratch, *documents = sys.argv[1:split]
    compiler = sys.argv[split + 1:]
    pathlib.Path(scratch).mkdir(parents=True, exist_ok=True)
    failures = 0
    for document in map(pathlib.Path, documents):
        examples = EXAMPLE.findall(document.read_text())
        for number, text in enumerate(examples, 1):
            source = pathlib.Path(scratch, f"{document.stem}-{number}.cpp")
            source.write_text(text)
            done = subprocess.run([*compiler, source], stderr=subprocess.PIPE,
                                  encoding="utf-8")
            if done.returncode:
                failures += 1
                print(f"{document.name}: example {number} does not compile\n{done.stderr}")
        print(f"{document.name}: {len(examples)} examples, {failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
