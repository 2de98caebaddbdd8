# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers for measuring the recorder: models, runs of the tool."""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "examples"
                                      / "transformer")]

#: Sizes of dynamic dimensions in runs.
SHAPES = {"mlp_dyn": ["--shape=x=128x1024"]}


class Case:
    """A model to record: a file, and its expected results."""

    def __init__(self, name, path, options=(), expected=None):
        self.name, self.path = name, str(path)
        self.options, self.expected = list(options), expected

    def compare(self):
        if not self.expected:
            return []
        return [f"--compare={self.expected}"]


def bench_cases(folder, kind="const"):
    """The four models that bench/models.py wrote to `folder`."""
    cases = []
    for name in ("mlp", "cnn", "transformer", "mlp_dyn"):
        data = pathlib.Path(folder) / name
        options = [f"--input=0={data}/x.npy"]
        if kind == "args":
            # Weights follow the input, in the order of the arguments.
            import models
            model = next(m for m in models.all_models() if m.name == name)
            options += [f"--input={i}={data}/{weight}.npy"
                        for i, weight in enumerate(model.weights, 1)]
        cases.append(Case(name, f"{folder}/{name}-{kind}.mlir", options,
                          data / "expected.npy"))
    return cases


def tool(binary, *arguments, check=True):
    """Runs mlir-prof; (exit code, stdout, stderr)."""
    command = [str(binary), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    if check and result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return result.returncode, result.stdout, result.stderr


def report(binary, profile, *arguments):
    _, out, _ = tool(binary, "report", profile, "--format=json", *arguments)
    return json.loads(out)


def record(binary, case, output, *arguments, check=True):
    return tool(binary, "record", case.path, "-o", output, "--no-peak",
                *case.options, *arguments, check=check)


def times(binary, case, path, *arguments):
    """Times of iterations, in ns, of a run that is not recorded."""
    tool(binary, "record", case.path, "--mode=time", f"--times={path}",
         *case.options, *arguments)
    with open(path) as file:
        return json.load(file)


def shares(weights):
    """Weights by name as parts of their sum."""
    total = sum(weights.values()) or 1
    return {name: value / total for name, value in weights.items()}


def distance(a, b):
    """L1 distance of two distributions by name."""
    return sum(abs(a.get(n, 0) - b.get(n, 0)) for n in {*a, *b})


def location_times(binary, profile, *arguments):
    """Total time of the ops of the input level, in ps, by the names in locations."""
    rows = report(binary, profile, "--by=location", *arguments)["rows"]
    return {row["key"]: row["sole_ps"] + row["estimated_ps"] for row in rows}
