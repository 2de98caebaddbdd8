#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accuracy of the ops' shares of time, compared with clocks around every op.

  python bench/record/truth.py --tool build/bin/mlir-prof --models FOLDER

The ground truth does not depend on the recorder. Stock mlir-opt bufferizes the
model (linalg on memrefs, one op after the other); around every op this script
inserts calls of a function that reads a clock and adds up the time by op, in
an array that is one more argument and result of the model. That module,
unfused, is recorded: so one run yields both the truth and the compared shares,
of samples or of inline probes. "truth again" is the distance of the truths of
two runs. The figure is the L1 distance of the shares of time: min / median /
max over the rounds.
"""

import argparse
import os
import re
import subprocess
import tempfile

import common
import harness

import numpy

PASSES = ("one-shot-bufferize{bufferize-function-boundaries "
          "function-boundary-type-conversion=identity-layout-map},"
          "canonicalize,cse")

#: Capacity for iterations; later ones share the last row.
ROWS = 8192
#: Warm-up iterations.
WARM_UP = 3
#: One row per iteration. Slot K: the time of op K; then the begin of the
#: current op, and, in row 0, the index of the current row.
MARKS = """
  llvm.func @clock_gettime(i32, !llvm.ptr) -> i32
  func.func private @now() -> i64 attributes {no_inline} {
    %one = arith.constant 1 : i32
    %clock = arith.constant CLOCK : i32
    %e = arith.constant 1000000000 : i64
    %p = llvm.alloca %one x !llvm.struct<(i64, i64)> : (i32) -> !llvm.ptr
    %r = llvm.call @clock_gettime(%clock, %p) : (i32, !llvm.ptr) -> i32
    %t = llvm.load %p : !llvm.ptr -> !llvm.struct<(i64, i64)>
    %s = llvm.extractvalue %t[0] : !llvm.struct<(i64, i64)>
    %n = llvm.extractvalue %t[1] : !llvm.struct<(i64, i64)>
    %a = arith.muli %s, %e : i64
    %b = arith.addi %a, %n : i64
    return %b : i64
  }
  func.func private @row(%marks: MEMREF) -> index attributes {no_inline} {
    %zero = arith.constant 0 : index
    %at = arith.constant ROW : index
    %row = memref.load %marks[%zero, %at] : MEMREF
    %r = arith.index_cast %row : i64 to index
    return %r : index
  }
  func.func private @mark_start(%marks: MEMREF) attributes {no_inline} {
    %zero = arith.constant 0 : index
    %at = arith.constant ROW : index
    %one = arith.constant 1 : i64
    %most = arith.constant LAST : i64
    %row = memref.load %marks[%zero, %at] : MEMREF
    %next = arith.addi %row, %one : i64
    %r = arith.minsi %next, %most : i64
    memref.store %r, %marks[%zero, %at] : MEMREF
    return
  }
  func.func private @mark_begin(%marks: MEMREF) attributes {no_inline} {
    %at = arith.constant BEGIN : index
    %row = func.call @row(%marks) : (MEMREF) -> index
    %t = func.call @now() : () -> i64
    memref.store %t, %marks[%row, %at] : MEMREF
    return
  }
  func.func private @mark_end(%marks: MEMREF, %op: index)
      attributes {no_inline} {
    %t = func.call @now() : () -> i64
    %at = arith.constant BEGIN : index
    %row = func.call @row(%marks) : (MEMREF) -> index
    %b = memref.load %marks[%row, %at] : MEMREF
    %d = arith.subi %t, %b : i64
    %o = memref.load %marks[%row, %op] : MEMREF
    %n = arith.addi %o, %d : i64
    memref.store %n, %marks[%row, %op] : MEMREF
    return
  }
"""

WAYS = {
    "sampling": ["--mode=sample"],
    "sampling by timers": ["--mode=sample", "--sampler=timer"],
    "instrumented": ["--mode=instrument", "--no-functions", "--no-values"],
}


def add_marks(text, clock):
    """The module with marks, and its number of marked ops."""
    lines, out, count, i = text.splitlines(), [], 0, 0
    while i < len(lines):
        line = lines[i]
        if not re.match(r"    (linalg\.|memref\.copy)", line):
            out.append(line)
            i += 1
            continue
        end = i
        # The region of linalg.map begins on a separate line.
        if line.endswith("{"):
            end = lines.index("    }", i)
        elif lines[i + 1].startswith("      ("):
            end = lines.index("      }", i)
        out.append("    func.call @mark_begin(%marks) : (MEMREF) -> ()")
        out += lines[i:end] + [f'{lines[end]} loc("op{count}")']
        out.append(f"    %mark{count} = arith.constant {count} : index")
        out.append(f"    func.call @mark_end(%marks, %mark{count})"
                   " : (MEMREF, index) -> ()")
        count += 1
        i = end + 1
    text = "\n".join(out)
    # The entry function takes the marks last, and returns them last.
    head = re.search(r"  func\.func @\w+\(.*\) -> .* \{\n", text)
    new = re.sub(r"\) -> \(?([^{()]*?)\)?( attributes .*)? \{\n",
                 r", %marks: MEMREF) -> (\1, MEMREF) {\n"
                 "    func.call @mark_start(%marks) : (MEMREF) -> ()\n", head[0])
    text = re.sub(r"\n    return (.*) : (.*)\n",
                  r"\n    return \1, %marks : \2, MEMREF\n", text)
    text = text.replace(head[0], MARKS + new, 1)
    for name, value in dict(MEMREF=f"memref<{ROWS}x{count + 2}xi64>", CLOCK=clock,
                            BEGIN=count, ROW=count + 1, LAST=ROWS - 1).items():
        text = text.replace(name, str(value))
    return text, count


def build(options, case, folder):
    """A case of the marked module; and its number of ops."""
    result = subprocess.run(
        [options.mlir_opt, case.path, f"--pass-pipeline=builtin.module({PASSES})"],
        check=True, capture_output=True, encoding="utf-8")
    text, count = add_marks(result.stdout, options.clock)
    path = os.path.join(folder, f"{case.name}.mlir")
    with open(path, "w") as file:
        file.write(text)
    return common.Case(case.name, path,
                       [*case.options, f"--input={len(case.options)}=zeros"],
                       case.expected), count


def measure(options, case, count, folder, arguments):
    """The true shares, and the recorded ones."""
    profile = os.path.join(folder, "run.mlprof")
    common.record(options.tool, case, profile, "--pipeline=naive",
                  f"--seconds={options.seconds}", f"--save-results={folder}",
                  f"--warm-up={WARM_UP}",
                  *case.compare(), *arguments)
    marks = next(array for array in (
        numpy.load(os.path.join(folder, name)) for name in os.listdir(folder)
        if name.endswith(".npy")) if array.dtype == numpy.int64)
    # Row 0 stays empty; the last one may cover several iterations.
    rows = marks[1 + WARM_UP:min(marks[0, count + 1] + 1, ROWS - 1)]
    truth = {f"op{i}": int(rows[:, i].sum()) for i in range(count)}
    recorded = common.location_times(options.tool, profile)
    return common.shares(truth), common.shares(
        {name: recorded.get(name, 0) for name in truth})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--mlir-opt", default="mlir-opt")
    parser.add_argument("--models", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--clock", type=int, default=1, help="of clock_gettime: "
                        "1 monotonic, 3 processor time of the thread")
    parser.add_argument("--only", default="mlp,transformer,cnn,mlp_dyn")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    rows = []
    for case in common.bench_cases(options.models, "args"):
        if case.name not in options.only.split(","):
            continue
        with tempfile.TemporaryDirectory() as folder:
            marked, count = build(options, case, folder)
            rounds = harness.alternate(
                {name: lambda a=arguments: measure(options, marked, count, folder,
                                                   a)
                 for name, arguments in WAYS.items()}, options.rounds)
        figures = {name: [common.distance(*pair) for pair in rounds[name]]
                   for name in WAYS}
        truths = [truth for truth, _ in rounds["sampling"]]
        figures["truth again"] = [common.distance(a, b) for a, b in
                                  zip(truths, truths[1:] + truths[:1])]
        rows.append([case.name, count] + [
            harness.format_spread(harness.spread(values), 4)
            for values in figures.values()])
        if options.verbose:
            for name in WAYS:
                truth, recorded = rounds[name][0]
                for op in sorted(truth, key=truth.get, reverse=True)[:12]:
                    print(name, op, f"{truth[op]:.4f} {recorded.get(op, 0):.4f}")
    harness.print_table(["model", "ops", *WAYS, "truth again"], rows)


if __name__ == "__main__":
    main()
