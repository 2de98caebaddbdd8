#!/usr/bin/env python3
"""Samples of perf in a library made of an object of `record --save-object`.

usage: perf_program.py FOLDER build OBJECT...
       perf_program.py FOLDER check PROFILE.json

`build` links FOLDER/model.so and writes perf-script texts with a sample at every
third byte of @main (own.txt), called from there, in a library that is not here
(called.txt), and in the kernel, where the instruction faulted (faulted.txt). `check` compares the instruction of each sample with the
line, which is a node of the program, that llvm-symbolizer finds in the
library's debug information.
"""

import json
import pathlib
import subprocess
import sys

BASE = 0x7F00_1234_5000


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def main_function(library):
    """Address and size of @main."""
    for line in run("llvm-nm", "-S", "--defined-only", library).splitlines():
        words = line.split()
        if words[-1] == "main":
            return int(words[0], 16), int(words[1], 16)
    raise SystemExit("no @main")


def frame(library, begin, offset):
    return f"\t{BASE + begin + offset:x} main+{offset:#x} ({library})\n"


def build(folder, objects):
    library = folder / "model.so"
    run("ld.lld-22", "-shared", "--allow-shlib-undefined", "-o", library,
        *objects)
    begin, size = main_function(library)
    own, called, faulted = [], [], []
    for offset in range(0, size, 3):
        head = "model 77 1.000001:  1000 cpu-clock: \n"
        own.append(f"{head}{frame(library, begin, offset)}\n")
        # A call is before where it returns to.
        called.append(f"{head}\t7fff00000010 expf+0x10 (/gone/libm.so.6)\n"
                      f"{frame(library, begin, offset + 1)}\n")
        faulted.append(f"{head}"
                       "\tffffffff815ec4a0 handle_mm_fault+0xd0 ([kernel.kallsyms])\n"
                       "\tffffffff81000c82 asm_exc_page_fault+0x22 ([kernel.kallsyms])\n"
                       f"{frame(library, begin, offset)}\n")
    (folder / "own.txt").write_text("".join(own))
    (folder / "faulted.txt").write_text("".join(faulted))
    (folder / "called.txt").write_text("".join(called))


def lines_of(library, begin, offsets):
    found = run("llvm-symbolizer", "--obj", library, "--output-style=JSON",
                *(hex(begin + offset) for offset in offsets))
    return [answer["Symbol"][0]["Line"] for answer in json.loads(found)]


def check(folder, profile):
    begin, size = main_function(folder / "model.so")
    offsets = range(0, size, 3)
    [program] = profile["programs"]
    instructions = program["instructions"]
    main = next(function for function in program["functions"]
                if function["name"] == "main")
    text = int(main.get("begin", 0))
    # One measured op an instruction: how many samples each should have.
    addresses = [int(one.get("address", 0)) for one in instructions]
    samples, compared = {}, 0
    for offset, line in zip(offsets, lines_of(folder / "model.so", begin,
                                              offsets)):
        place = max(i for i, at in enumerate(addresses) if at <= text + offset)
        samples[place] = samples.get(place, 0) + 1
        # What LLVM gave no line counts for a neighbor.
        if line:
            node = instructions[place].get("nodePlusOne", 0)
            assert node == line, (offset, node, line)
            compared += 1
    kernels = set()
    seen = {}
    [recording] = profile["runs"]
    for op in recording["ops"]:
        key = profile["opKeys"][op.get("op", 0)]
        assert key["kind"] == "CODE" and key["module"] == program["fingerprint"]
        kernels.add(key.get("kernel", ""))
        seen[key.get("node", 0)] = int(op["measurements"][0]["summary"]["count"])
    assert seen == samples, (seen, samples)
    [kernel] = kernels
    print(f"{sum(seen.values())} samples, {compared} with lines that agree, "
          f"kernel '{kernel}'")


def main():
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "build":
        build(folder, sys.argv[3:])
    else:
        check(folder, json.loads(pathlib.Path(sys.argv[3]).read_text()))


if __name__ == "__main__":
    main()
