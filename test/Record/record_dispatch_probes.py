"""Records probes of kernels that dispatches share, and checks their counts.

  record_dispatch_probes.py FOLDER TOOL CC LIBRARY
"""

import collections
import json
import os
import re
import subprocess
import sys

from two_layers import make_layers

# Two dispatches of one kernel with sizes of their own.
SIZES = """
func.func @main(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>)
    -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %a = math.tanh %x : tensor<?x64xf32> loc("small")
  %b = math.tanh %y : tensor<?x64xf32> loc("large")
  return %a, %b : tensor<?x64xf32>, tensor<?x64xf32>
}
"""

ITERATIONS = 7
CALLS = {0: ITERATIONS, 1: 4 * ITERATIONS}

folder, tool, compiler, library = sys.argv[1:]
environment = dict(os.environ, MLIR_PROF_CACHE=os.path.join(folder, "cache"))


def run(*arguments):
    return subprocess.run([tool, *arguments], check=True, env=environment,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout


def record(name, text, *more, iterations=ITERATIONS):
    model = os.path.join(folder, name + ".mlir")
    with open(model, "w", encoding="utf-8") as file:
        file.write(text)
    profile = os.path.join(folder, f"{name}-{len(os.listdir(folder))}.mlprof")
    run("record", model,
        f"--iterations={iterations}", "--warm-up=0", "--no-peak", "-o", profile, *more)
    return profile


def report(profile, *more):
    return json.loads(run("report", profile, "--all", "--format=json", *more))


def query(profile, text):
    return json.loads(run("query", profile, text, "--format=json"))["rows"]


def executions_per_call(profile):
    """How often each loop of the kernel runs in one call, by its bounds."""
    text = run("annotate", profile, "--level=loops")
    kernel = text[text.index("func.func @matmul_kernel"):]
    constants = dict(re.findall(r"(%c\w+) = arith.constant (\d+) : index",
                                kernel))
    counts, trips_around = [], [1]
    for line in kernel.splitlines():
        loop = re.search(r"scf.for \S+ = (%c\w+) to (%c\w+) step (%c\w+)", line)
        depth = (len(line) - len(line.lstrip())) // 2
        if not loop:
            continue
        low, high, step = (int(constants[name]) for name in loop.groups())
        del trips_around[depth - 2:]
        counts.append(trips_around[-1])
        trips_around.append(trips_around[-1] * -(-(high - low) // step))
    return sorted(counts)


# Every loop, by every kind of probe, also with single executions kept.
for options in ((), ("--probe=call",), ("--instances=3",),
                ("--threads=2",)):
    profile = record("layers", make_layers(48, 64), "--mode=instrument", "--instrument=all",
                     *options)
    found = collections.defaultdict(list)
    for row in query(profile, "SELECT name, instance, count FROM ops "
                              "WHERE instance IS NOT NULL"):
        # Loops have the names of the ops that they come from.
        kind = row["name"] if row["name"].startswith("matmul_kernel") else "loop"
        found[row["instance"]].append((kind, row["count"]))
    assert set(found) == set(CALLS), found
    if "--threads=2" in options:
        # The kernel's phase runs once for each of its workgroups, which share the
        # loops: together they run the innermost one as often as one thread does.
        assert sorted(found[1]) == sorted(
            (kind, 4 * count) for kind, count in found[0]), found
        for instance, calls in CALLS.items():
            phases = [count for kind, count in found[instance]
                      if kind == "matmul_kernel_0"]
            assert len(phases) == 1 and phases[0] % calls == 0, found
            assert max(count for _, count in found[instance]) == (
                innermost[instance]), (found, innermost)
        continue
    innermost = {instance: max(count for _, count in counts)
                 for instance, counts in found.items()}
    loops = executions_per_call(profile)
    assert loops and loops[0] == 1, loops
    for instance, calls in CALLS.items():
        expected = [("matmul_kernel", calls)]
        expected += [("loop", calls * count) for count in loops]
        assert sorted(found[instance]) == sorted(expected), (found, expected)
    # Of the host side, the loop contains the second dispatch, main contains
    # both.
    by_loop = report(profile, "--by=loop")["rows"]
    main = [row for row in by_loop if row["function"] == "main"]
    assert [row["executions"] for row in main[:1]] == [ITERATIONS], main
    inside = sum(row["time_ps"] for row in query(
        profile, "SELECT SUM(self_ps) AS time_ps FROM ops WHERE instance = 1"))
    assert main[0]["time_ps"] >= inside > 0, (main, inside)

    # Levels have the same total, all of it with an op.
    totals = set()
    for level in ("input", "linalg", "dispatch", "tiled", "bufferized", "loops"):
        coverage = report(profile, f"--level={level}")["coverage"]
        totals.add(coverage["op_time_ps"])
        assert coverage["unmatched_ps"] == 0, (level, coverage)
    assert len(totals) == 1, totals
    by_op = {row["location"]: row["sole_ps"]
             for row in report(profile)["rows"] if row["op"] == "linalg.matmul"}
    assert set(by_op) == {"first", "second"}, by_op

# Fewer probes: outermost loops, and no functions.
profile = record("layers", make_layers(48, 64), "--mode=instrument", "--instrument=depth:0",
                 "--no-functions")
rows = query(profile, "SELECT instance, count FROM ops "
                      "WHERE instance IS NOT NULL ORDER BY instance")
assert [(row["instance"], row["count"]) for row in rows] == sorted(
    CALLS.items()), rows

# Trip counts of each dispatch, with samples, of which the run needs some, and
# with probes.
for mode, iterations in (("sample", 20000), ("instrument", ITERATIONS)):
    profile = record("sizes", SIZES, f"--mode={mode}", "--shape=x=5x64",
                     "--shape=y=900x64", iterations=iterations)
    trips = {row["instance"]: (row["values"], row["count"])
             for row in report(profile, "--by=value")["rows"]
             if row["kind"] == "trips"}
    assert trips == {0: ([5], iterations), 1: ([900], iterations)}, trips
    rows = query(profile, "SELECT instance, value, count FROM observed_values "
                          "WHERE kind = 'trips' ORDER BY instance")
    assert [(row["instance"], row["value"]) for row in rows] == [
        (0, 5), (1, 900)], rows

# A program that links the saved object with the runtime writes a file that has
# the whole program, its kernels included, and the same counts.
PROGRAM = """
#include <stdint.h>
#include <stdlib.h>

void mlirprof_entry(void **addresses);

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

static float x[48 * 64], a[64 * 64], b[64 * 64];

int main(void) {
  for (int call = 0; call != CALLS; ++call) {
    matrix all[] = {{x, x, 0, {48, 64}, {64, 1}},
                    {a, a, 0, {64, 64}, {64, 1}},
                    {b, b, 0, {64, 64}, {64, 1}},
                    {0}};
    void *addresses[] = {&all[0], &all[1], &all[2], &all[3]};
    mlirprof_entry(addresses);
    free(all[3].allocated);
  }
  return 0;
}
"""
COUNTS = "SELECT name, instance, count FROM ops ORDER BY instance, name, count"
source, saved, program, raw, imported = (
    os.path.join(folder, "saved" + end)
    for end in (".c", ".o", "", ".raw", ".mlprof"))
with open(source, "w", encoding="utf-8") as file:
    file.write(PROGRAM)
profile = record("layers", make_layers(48, 64), "--mode=instrument", "--instrument=all",
                 f"--save-object={saved}")
subprocess.run([compiler, f"-DCALLS={ITERATIONS}", source, saved, library, "-lm",
                "-lpthread", "-o", program], check=True)
subprocess.run([program], check=True, env=dict(os.environ, MLIR_PROF_FILE=raw))
run("import", raw, "-o", imported)
counts = query(imported, COUNTS)
assert counts and counts == query(profile, COUNTS), counts
by_op = {row["location"] for row in report(profile)["rows"]
         if row["op"] == "linalg.matmul" and row["sole_ps"]}
assert by_op == {"first", "second"}, by_op
