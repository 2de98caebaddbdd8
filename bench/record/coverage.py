#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of a recording has an op at every level, and whether results are right.

  python bench/record/coverage.py --tool build/bin/mlir-prof --models FOLDER \
      [more.mlir ...]

Records each model with both pipelines and 1 and 2 threads. For every level:
the share of samples in compiled code that an op owns, and the time of all
classes together, which must be the same at every level.
"""

import argparse
import itertools
import os
import sys
import tempfile

import common
import harness

LEVELS = ("input", "tiled", "bufferised", "loops", "llvm", "asm")
#: Time that no compiled code took.
NOT_CODE = ("waiting", "outside")


def measure_level(binary, profile, level):
    """(total, in compiled code, owned) of a level in ps; None without it."""
    code, out, error = common.tool(
        binary, "report", profile, f"--level={level}", "--by=mlir-op", "--top=1",
        "--format=json", "--allow-unmatched", check=False)
    if code:
        return None
    import json
    result = json.loads(out)
    coverage = result["coverage"]
    total = coverage["op_time_ps"]
    elsewhere = sum(reason["time_ps"] for reason in result.get("unmatched", [])
                    if any(word in reason["reason"] for word in NOT_CODE))
    return total, total - elsewhere, total - coverage["none_ps"]


def measure(options, case, pipeline, threads, folder):
    profile = os.path.join(folder, "run.mlprof")
    code, _, error = common.record(
        options.tool, case, profile, f"--pipeline={pipeline}",
        f"--threads={threads}", f"--seconds={options.seconds}",
        *case.compare(), check=False)
    row = [case.name, pipeline, threads]
    if code not in (0, 3):
        return row + ["failed: " + error.strip().splitlines()[0][:60]], False
    good = code == 0
    levels, totals = [], set()
    for level in LEVELS:
        found = measure_level(options.tool, profile, level)
        if not found:
            levels.append("-")
            continue
        total, in_code, owned = found
        totals.add(total)
        share = owned / in_code if in_code else 0
        levels.append(f"{100 * share:.2f}")
        good &= share >= 0.994
    good &= len(totals) == 1
    error = [word for line in error.splitlines() if "largest error" in line
             for word in [line.split("largest error")[1].split(",")[1].split()[0]]]
    return row + levels + ["yes" if len(totals) == 1 else "NO",
                           error[0] if error else "-",
                           "right" if code == 0 else "WRONG"], good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", help="what bench/models.py wrote")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--pipelines", default="default,naive")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("more", nargs="*")
    options = parser.parse_args()
    cases = common.bench_cases(options.models) if options.models else []
    cases += [common.Case("/".join(path.split("/")[-2:]), path)
              for path in options.more]
    rows, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for case, pipeline, threads in itertools.product(
                cases, options.pipelines.split(","), options.threads.split(",")):
            row, good = measure(options, case, pipeline, threads, folder)
            rows.append(row + [""] * (12 - len(row)))
            failed += not good
            print(*row, flush=True, file=sys.stderr)
    harness.print_table(["model", "pipeline", "threads", *LEVELS, "same total",
                         "error", "result"], rows)
    print(f"{len(rows) - failed} good, {failed} not")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
