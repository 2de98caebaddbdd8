#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether recording leaves the code of innermost loops unchanged.

  python bench/record/loops.py --tool build/bin/mlir-prof --models FOLDER

Compares the disassembly of the innermost loops of the plain build (no
identities) with that of the sampled and of the instrumented build, with
registers and addresses renamed in order of appearance. The figures are loops
of the plain build, and how many of them the other build has as well.
"""

import argparse
import collections
import os
import re
import subprocess
import tempfile

import common
import harness

WAYS = {
    "sample": ["--mode=sample"],
    "instrument op": ["--mode=instrument"],
    "instrument siblings": ["--mode=instrument", "--instrument=siblings"],
    "instrument height:1": ["--mode=instrument", "--instrument=height:1"],
}


#: Moves that differ only in the unit that LLVM expects to be next.
MOVES = {"vmovdqa64": "vmovaps", "vmovdqa": "vmovaps", "vmovdqu64": "vmovups",
         "vmovdqu": "vmovups", "vmovd": "vmovss"}


def rename(lines):
    """Text of instructions without dependence on registers and addresses."""
    lines = [" ".join([MOVES.get(word, word) for word in line.split(" ")])
             for line in lines]
    names = {}

    def name(match):
        return names.setdefault(match.group(0), f"n{len(names)}")

    text = re.sub(r"\s*(#|<).*", "", "\n".join(lines))
    text = re.sub(r"\b0x[0-9a-f]+$", "target", text, flags=re.M)
    text = re.sub(r"-?(0x[0-9a-f]+)?\(%r[sbi]p\)", "place", text)
    return re.sub(r"%\w+", name, text)


def innermost_loops(path):
    """Texts of the innermost loops of an object, with their numbers."""
    out = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", path],
                         check=True, capture_output=True, encoding="utf-8").stdout
    code = []
    for line in out.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\s+(.*)", line)
        if match:
            code.append((int(match[1], 16), " ".join(match[2].split())))
    index = {address: i for i, (address, _) in enumerate(code)}
    ends = {}
    for i, (address, text) in enumerate(code):
        match = re.match(r"j\w+ 0x([0-9a-f]+)", text)
        if match and int(match[1], 16) <= address:
            begin = index[int(match[1], 16)]
            ends[begin] = max(ends.get(begin, 0), i + 1)
    loops = collections.Counter()
    for begin, end in ends.items():
        if any(begin < other < end and ends[other] <= end for other in ends):
            continue
        loops[rename([text for _, text in code[begin:end]
                      if not text.startswith(("nop", "data16"))])] += 1
    return loops


def build(options, case, arguments, folder):
    path = os.path.join(folder, "model.o")
    out = [] if "--mode=time" in arguments else [
        "-o", os.path.join(folder, "run.mlprof"), "--no-peak"]
    common.tool(options.tool, "record", case.path, *out, *case.options,
                f"--threads={options.threads}", "--iterations=1",
                f"--pipeline={options.pipeline}", f"--save-object={path}",
                *arguments)
    return innermost_loops(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pipeline", default="default")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in common.bench_cases(options.models):
            plain = build(options, case, ["--mode=time", "--no-identities"], folder)
            row = [case.name, sum(plain.values())]
            for name, arguments in WAYS.items():
                other = build(options, case, arguments, folder)
                row.append(sum((plain & other).values()))
                if options.verbose:
                    for text in plain - other:
                        print(f"-- {case.name}, {name}:\n{text}\n-- among:")
                        print("\n\n".join(other - plain))
            rows.append(row)
    harness.print_table(["model", "plain", *WAYS], rows)


if __name__ == "__main__":
    main()
