#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads chosen by profile: never slower than one on small work, all of the
gain on large.

  python bench/optimize/threads.py --models FOLDER [--threads=2] [--budget=30]

Small work: chains of dense layers of 1 to 20 us each, and mlp_dyn with one row
and with eight; large work: mlp, the transformer and cnn. Each is built for one
thread, for several by the compiler's rules (twice, the control), and for
several by what `optimize --technique=threads` decides. Turns are separate
processes in an order that changes from round to round; ratios are of medians
in the same round, min / median / max. Limits: decided/one at most 1 beyond
what the control spreads on small work, decided/rules the same on large.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "record"), str(HERE)]

import common  # noqa: E402
import harness  # noqa: E402
import versions  # noqa: E402

#: Chains of layers: rows, width, number of layers. Operations of a layer are
#: twice the rows times the width squared.
CHAINS = {"chain, 1 us each": (8, 64, 16), "chain, 3 us each": (32, 72, 16),
          "chain, 9 us each": (48, 100, 12), "chain, 20 us each": (66, 128, 12)}
LARGE = ("mlp", "transformer", "cnn")
ROWS = (1, 8)


def chain(rows, width, layers):
    """x = tanh(x w_i + x), repeatedly."""
    rank2 = f"tensor<{rows}x{width}xf32>"
    weight = f"tensor<{width}x{width}xf32>"
    identity = "affine_map<(d0, d1) -> (d0, d1)>"
    arguments = [f"%x: {rank2}"] + [f"%w{i}: {weight}" for i in range(layers)]
    lines, last = [], "%x"
    for i in range(layers):
        lines.append(f"""  %e{i} = tensor.empty() : {rank2}
  %f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {rank2}) -> {rank2}
  %p{i} = linalg.matmul ins({last}, %w{i} : {rank2}, {weight}) outs(%f{i} : {rank2}) -> {rank2}
  %y{i} = linalg.generic {{indexing_maps = [{identity}, {identity}, {identity}], iterator_types = ["parallel", "parallel"]}} ins(%p{i}, {last} : {rank2}, {rank2}) outs(%e{i} : {rank2}) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }} -> {rank2}
""")
        last = f"%y{i}"
    return (f"func.func @main({', '.join(arguments)}) -> {rank2} {{\n"
            "  %zero = arith.constant 0.0 : f32\n" + "".join(lines)
            + f"  return {last} : {rank2}\n}}\n")


def get_cases(options, folder):
    """{name: (file, options, whether it is small)}."""
    cases = {name: (versions.write(folder, name.replace(" ", "-"),
                                   chain(*shape)), [], True)
             for name, shape in CHAINS.items()}
    for case in common.bench_cases(options.models):
        if case.name == "mlp_dyn":
            for rows in ROWS:
                cases[f"mlp_dyn, {rows} row{'s' if rows > 1 else ''}"] = (
                    case.path, [f"--shape=x={rows}x1024"], True)
        elif case.name in LARGE:
            cases[case.name] = (case.path, case.options, False)
    wanted = options.only.split(";") if options.only else cases
    return {name: case for name, case in cases.items() if name in wanted}


def measure(options, name, case, folder):
    path, arguments, is_small = case
    decisions, receipts = folder / "decisions.db", folder / "receipts.json"
    several = [*arguments, f"--threads={options.threads}"]
    common.tool(options.tool, "optimize", path, *several, "--technique=threads",
                f"--budget={options.budget}s", f"--decisions={decisions}",
                f"--receipts={receipts}")
    facts = json.loads(receipts.read_text())
    rules = versions.Build(path, several)
    builds = {"one": versions.Build(path, [*arguments, "--threads=1"]),
              "rules": rules, "rules (A/A)": rules,
              "decided": versions.Build(
                  path, [*several, f"--decisions={decisions}"])}
    times = versions.compare(options, name, builds, folder, "one")
    decisions.unlink()
    return dict(times=times, is_small=is_small, receipts=facts)


def print_results(results):
    rows = []
    for name, result in results.items():
        medians = {build: figures["round_medians_ns"]
                   for build, figures in result["times"].items()}
        kept = [receipt for receipt in result["receipts"]["receipts"]
                if receipt["applied"]]
        ratio = lambda a, b: harness.format_spread(
            harness.ratios(medians[a], medians[b]), 3)
        rows.append([
            name, f"{statistics.median(medians['one']) / 1e3:.1f}",
            ratio("rules", "one"), ratio("decided", "one"),
            ratio("decided", "rules"), ratio("rules (A/A)", "rules"),
            sum(len(receipt["ops"]) for receipt in kept)])
    print()
    harness.print_table(["model", "one [us]", "rules/one", "decided/one",
                         "decided/rules", "control", "ops decided"], rows)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", required=True,
                        help="where bench/models.py wrote to")
    parser.add_argument("--only", help="names of models with ; between them")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--budget", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of a turn")
    parser.add_argument("--json", help="write all figures to this file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    results = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, case in get_cases(options, folder).items():
            results[name] = measure(options, name, case, folder)
    print_results(results)
    if options.json:
        harness.write_json(options.json, dict(machine=harness.machine(),
                                              results=results))


if __name__ == "__main__":
    main()
