"""Prints which share of the annotated time arrived in each of MODULEs, in
thousandths, as prof-materialize says it, after comparing that with the sum of
the parts written on the ops.

    arrived.py MLIR-OPT PLUGIN MODULE...
"""
import os
import re
import subprocess
import sys

tool, plugin, *modules = sys.argv[1:]
for module in modules:
    result = subprocess.run(
        [tool, f"--load-dialect-plugin={plugin}", f"--load-pass-plugin={plugin}",
         "--pass-pipeline=builtin.module(prof-materialize)", module],
        capture_output=True, encoding="utf-8")
    if result.returncode:
        sys.exit(result.stderr)
    arrived, whole = map(
        int, re.search(r"arrived, (\d+) of (\d+) ps", result.stderr).groups())
    total = sum(
        int(number)
        for data in re.findall("#prof.data<([^>]*)>", result.stdout)
        for name, number in re.findall(r"(\w+) = (-?\d+)", data)
        if name in ("sole_ps", "estimated_ps"))
    if total != arrived:
        sys.exit(f"{module}: {total} ps on the ops, {arrived} said")
    level = os.path.splitext(os.path.basename(module))[0]
    print(f"{level}: {arrived * 1000 // whole}")
