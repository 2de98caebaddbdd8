#!/usr/bin/env python3
"""every_pass.py MLIR-PROF-OPT PASSES.TD FOLDER: checks what all passes of the code
generator have in common.

Each pass has a lit test of its name in a folder of FOLDER, and a second one,
NAME-errors, when it has options; it leaves an empty module as it is; and on an op
that it is not for, it is refused. Prints how many passes there are.
"""

import pathlib
import re
import subprocess
import sys

tool, definitions, folder = sys.argv[1:]
text = pathlib.Path(definitions).read_text(encoding="utf-8")
found = re.findall(
    r'^def \w+\s*: Pass<"([\w-]+)"(?:, "::mlir::([\w:]+)")?> \{(.*?)^\}', text,
    re.MULTILINE | re.DOTALL)
tests = {path.stem for path in pathlib.Path(folder).glob("*/*.mlir")}
# A pass that values of other tests show, or tests of several files.
SHOWN_BY = {"cpu-apply-rules": "elementwise", "cpu-group-weights": "values-in-groups",
            "cpu-versions": "dispatch"}
ANCHORS = {"ModuleOp": "builtin.module", "func::FuncOp": "func.func"}


def run(pipeline):
    return subprocess.run([tool, f"--pass-pipeline={pipeline}"], input="", text=True,
                          capture_output=True)


failures = []
for name, anchor, body in found:
    test = SHOWN_BY.get(name, re.sub("^[cg]pu-", "", name))
    if test not in tests:
        failures.append(f"{name} has no test")
    if "let options" in body and re.sub("^[cg]pu-", "", name) + "-errors" not in tests:
        failures.append(f"{name} has options and no test of errors")
    own = ANCHORS.get(anchor, "func.func")
    nested = name if own == "builtin.module" else f"{own}({name})"
    if name != "cpu-apply-schedule":
        result = run(f"builtin.module({nested})")
        if result.returncode or result.stdout.split() != ["module", "{", "}"]:
            failures.append(f"{name} on an empty module: {result.stderr}{result.stdout}")
    if anchor:
        other = f"func.func({name})" if own == "builtin.module" else name
        result = run(f"builtin.module({other})")
        if not result.returncode or "restricted to" not in result.stderr:
            failures.append(f"{name} runs on another op than {own}: {result.stderr}")
print(f"{len(found)} passes")
if failures:
    sys.exit("\n".join(failures))
