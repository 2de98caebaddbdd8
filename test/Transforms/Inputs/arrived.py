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
    heat = sum(
        int(number)
        for data in re.findall("#prof.data<([^>]*)>", result.stdout)
        for name, number in re.findall(r"(\w+) = (-?\d+)", data)
        if name in ("exclusive_ps", "modelled_ps"))
    if heat != arrived:
        sys.exit(f"{module}: {heat} ps on the ops, {arrived} said")
    level = os.path.splitext(os.path.basename(module))[0]
    print(f"{level}: {arrived * 1000 // whole}")
