# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts that all measurements of the zoo share."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pipelines")]

# It adds the paths of the next ones.
import problems  # noqa: E402, F401

import common  # noqa: E402
import contestants as players  # noqa: E402
import harness  # noqa: E402


def make_case(problem, form):
    """The form of the model that was chosen or, if there is none, the other
    one."""
    forms = sorted(("model", "onnx"), key=lambda other: other != form)
    paths = [problem.folder / f"{form}.mlir" for form in forms]
    path = next((path for path in paths if path.exists()), paths[0])
    if path != paths[0]:
        print(f"{paths[0].name} does not exist; taking {path.name}")
    inputs = [f"--input={i}={path}"
              for i, path in enumerate(problem.input_paths())]
    return common.Case(problem.name, path, inputs)


def get_peers(options, problem, threads, folder):
    """{name: function that starts the peer's process}."""
    return {name: lambda name=name: players.PeerProcess(
                name, problem, threads, folder)
            for name in filter(None, options.peers.split(","))}


def summarize(values, rivals, absent, unit, scale):
    """Prints and returns {contestant: values of each round} and their ratios
    to the smallest of the rivals in each round."""
    rivals = [name for name in values if name in rivals]
    best = [min(turn) for turn in zip(*(values[name] for name in rivals))]
    figures = {name: dict(harness.spread(turns), rounds=turns)
               for name, turns in values.items()}
    rows = []
    for name, figure in figures.items():
        if rivals:
            figure["ratio"] = harness.ratios(figure["rounds"], best)
            figure["ratio_of_min"] = figure["min"] / min(best)
        rows.append([name, f"{figure['min'] / scale:.3f}",
                     f"{figure['median'] / scale:.3f}",
                     f"{figure['ratio_of_min']:.2f}" if rivals else "",
                     harness.format_spread(figure["ratio"], 2)
                     if rivals else ""])
    harness.print_table(["contestant", f"min [{unit}]", f"median [{unit}]",
                         "min/best", "of the round"], rows)
    for name, reason in absent.items():
        print(f"{name}: {reason}")
    sys.stdout.flush()
    return dict(figures=figures, absent=absent)
