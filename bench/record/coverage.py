#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of a recording with an op at every level, and whether results are
correct.

  python bench/record/coverage.py --tool build/bin/mlir-prof --models FOLDER \
      [more.mlir ...]

Records each model with both pipelines and 1 and 2 threads. For every level:
the share of samples in compiled code that an op owns (of ops and instructions
with --static), and the time of all classes together, which must be the same at
every level. Then the samples in libraries, and how many of them have a caller.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile

import common
import harness

LEVELS = ("input", "tiled", "bufferized", "loops", "llvm", "asm")
#: Time that compiled code did not take.
NOT_CODE = ("unmatched: waiting in the OpenMP runtime",
            "unmatched: outside the model")


def measure_level(binary, profile, level):
    """(total, in compiled code, owned) of a level in ps; None without it."""
    code, out, _ = common.tool(
        binary, "report", profile, f"--level={level}", "--by=op", "--top=1",
        "--format=json", "--allow-unmatched", check=False)
    if code:
        return None
    result = json.loads(out)
    coverage = result["coverage"]
    total = coverage["op_time_ps"]
    elsewhere = sum(loss["time_ps"] for loss in result["losses"]
                    if loss["name"] in NOT_CODE)
    return total, total - elsewhere, total - coverage["unmatched_ps"]


def static_shares(profile):
    """Percent of the ops of each level, and of the instructions, that come from
    an op of the input: the graph of identities, walked from the end."""
    program = profile["programs"][0]
    nodes = program["nodes"]
    levels = program["levels"]
    from_input = []
    for node in nodes:
        # Parents are at earlier levels, and thus have smaller numbers.
        from_input.append(not node.get("level", 0) or any(
            from_input[parent] for parent in node.get("parents", [])))
    shares = []
    for number, _ in enumerate(levels):
        own = [has for node, has in zip(nodes, from_input)
               if node.get("level", 0) == number and int(node.get("cost", 0))]
        shares.append(percent(sum(own), len(own)))
    own = [from_input[i["nodePlusOne"] - 1] if i.get("nodePlusOne") else False
           for i in program["instructions"]]
    return dict(zip(levels, shares), asm=percent(sum(own), len(own)))


def percent(part, whole):
    return f"{100 * part / whole:.2f}" if whole else "-"


#: Code of the harness: between iterations, around the entry, reading clocks.
HARNESS = ("between iterations", "entry", "mlir-prof", "libLLVM", "libMLIR",
           "[vdso]")


def library_share(profile):
    """(samples in libraries, percent of them that have a caller)."""
    charged = alone = 0
    keys = profile["opKeys"]
    for op in profile["runs"][0].get("ops", []):
        key = keys[op.get("op", 0)]
        samples = next(int(m["summary"]["count"]) for m in op["measurements"]
                       if m.get("quantity") == "SAMPLES")
        kernel = key.get("kernel", "")
        if key["kind"] == "CODE" and kernel not in ("", "kernel"):
            charged += samples
        elif kernel == "outside" and not key["op"].startswith(HARNESS):
            alone += samples
    return charged + alone, percent(charged, charged + alone)


def measure(options, case, pipeline, threads, folder):
    profile = os.path.join(folder, "run.json")
    code, _, error = common.record(
        options.tool, case, profile, "--format=json", f"--pipeline={pipeline}",
        f"--threads={threads}", f"--seconds={options.seconds}",
        *options.record, *case.compare(), check=False)
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
    with open(profile) as file:
        contents = json.load(file)
    library, charged = library_share(contents)
    options.library[0] += library
    options.library[1] += round(library * float(charged) / 100) if library else 0
    static = static_shares(contents)
    if options.static:
        levels = [static.get(level, "-") for level in LEVELS]
    error = [word for line in error.splitlines() if "largest error" in line
             for word in [line.split("largest error")[1].split(",")[1].split()[0]]]
    return row + levels + ["yes" if len(totals) == 1 else "NO", library, charged,
                           error[0] if error else "-",
                           "right" if code == 0 else "WRONG"], good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", help="what bench/models.py wrote")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--pipelines", default="default,naive")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--static", action="store_true",
                        help="of ops and instructions, not of samples")
    parser.add_argument("--record", action="append", default=[],
                        help="an option for mlir-prof record")
    parser.add_argument("more", nargs="*")
    options = parser.parse_args()
    #: Samples in libraries of all runs, and those of them with a caller.
    options.library = [0, 0]
    cases = common.bench_cases(options.models) if options.models else []
    cases += [common.Case("/".join(path.split("/")[-2:]), path)
              for path in options.more]
    rows, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for case, pipeline, threads in itertools.product(
                cases, options.pipelines.split(","), options.threads.split(",")):
            row, good = measure(options, case, pipeline, threads, folder)
            rows.append(row + [""] * (14 - len(row)))
            failed += not good
            print(*row, flush=True, file=sys.stderr)
    harness.print_table(["model", "pipeline", "threads", *LEVELS, "same total",
                         "library", "charged", "error", "result"], rows)
    library, charged = options.library
    print(f"library samples of all runs: {library}, with a caller "
          f"{percent(charged, library)} %")
    failed += library > 0 and charged < 0.99 * library
    print(f"{len(rows) - failed} good, {failed} not")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
