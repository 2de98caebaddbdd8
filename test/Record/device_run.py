"""Records the run of a model on a real GPU, and computes its times by op again.

usage: device_run.py TOOL INPUTS FOLDER

INPUTS has a program, a perceptron of two layers in f32 of which the last ops of the first
layer are in one kernel, and its run on an H200 by mlir-prof-gpu, with samples.
"""

import collections
import gzip
import json
import pathlib
import subprocess
import sys

TOOL, INPUTS, FOLDER = sys.argv[1:]
INPUTS, FOLDER = pathlib.Path(INPUTS), pathlib.Path(FOLDER)
PROGRAM, TIMES, PROFILE = (FOLDER / name for name in ("mlp.gpu", "mlp.json", "mlp.mlprof"))


def run(*command):
    """What a command printed."""
    done = subprocess.run([TOOL, *command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(condition, what):
    """Fails with `what`."""
    if not condition:
        sys.exit(str(what))


def get_kernel_times(document):
    """By kernel: its time in all timed iterations, without that of the events."""
    times = collections.Counter()
    for iteration in document["iterations"]:
        for step, time in zip(document["steps"], iteration.get("step_ps", [])):
            times[step["kernel"]] += time - document["event_ps"]
    return times


def get_op_times(document, times):
    """The time of each sampled op, the largest first: a line is one op of level llvm."""
    totals, lines = collections.Counter(), collections.Counter()
    for sample in document["samples"]:
        totals[sample["kernel"]] += sample["samples"]
        lines[sample["kernel"], sample["line"]] += sample["samples"]
    return sorted((times[kernel] * count / totals[kernel]
                   for (kernel, _), count in lines.items()), reverse=True)


def get_rows(level):
    """The ops of a level with a time, and the time of all."""
    report = json.loads(run("report", PROFILE, f"--level={level}", "--all",
                            "--format=json"))
    coverage = report["coverage"]
    expect(coverage["unmatched_ps"] == 0, (level, coverage))
    return [row for row in report["rows"] if row.get("total_ps")], coverage["op_time_ps"]


def check_instructions(document, times):
    """Samples divide the time of each kernel among its ops."""
    rows, total = get_rows("llvm")
    expected = get_op_times(document, times)
    actual = sorted((row["total_ps"] for row in rows), reverse=True)
    expect(total == sum(actual) == sum(times.values()), (total, sum(actual), times))
    expect(len(actual) == len(expected) > 100, (len(actual), len(expected)))
    # Parts are whole picoseconds, and what is left goes to some.
    worst = max(abs(a - b) for a, b in zip(actual, expected))
    expect(worst <= 10, worst)


def check_model(times):
    """The second layer is a kernel of its own; the ops of the first one share theirs."""
    first, second = sorted(times.values())
    rows, total = get_rows("input")
    expect(total == first + second, (total, times))
    products = [row["total_ps"] for row in rows if row["op"] == "linalg.matmul"]
    expect(len(products) == 2 and max(products) == second, (products, second))
    others = sum(row["total_ps"] for row in rows) - second
    expect(others == first, (others, first))


for path in (PROGRAM, TIMES):
    path.write_bytes(gzip.decompress((INPUTS / (path.name + ".gz")).read_bytes()))
text = run("record", PROGRAM, f"--device-run={TIMES}", "-o", PROFILE)
expect("60 iterations on NVIDIA H200: median 19.072 us on the device" in text, text)
document = json.loads(TIMES.read_text())
kernels = get_kernel_times(document)
check_instructions(document, kernels)
check_model(kernels)
