#!/usr/bin/env python3
"""Times programs of mlir-prof on a GPU against PyTorch.

usage: run.py PROGRAMS [--runner=FILE] [--rounds=N] [--seconds=X] [--json=FILE] [CASE...]

PROGRAMS is a folder with NAME.gpu for each NAME.mlir of models/, which
'mlir-prof compile --device=cuda' makes; cases without one are left out. Needs PyTorch with
CUDA, and neither MLIR nor LLVM. Rounds of both take turns; a figure is the median of
rounds, its spread half of the interquartile range. Times are those of the device, between
events. The first round checks the results against PyTorch's.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy
import torch

HERE = pathlib.Path(__file__).resolve().parent
ROWS, COLUMNS = 4096, 8192
SIDE = 4096
HEADS, LENGTH, DEPTH = 32, 2048, 64


def matrix(kind=torch.float32, rows=ROWS, columns=COLUMNS, scale=1.0):
    """Random numbers on the device."""
    return (torch.randn(rows, columns, device="cuda") * scale).to(kind)


def head():
    """Random queries, keys or values."""
    return torch.randn(HEADS, LENGTH, DEPTH, device="cuda")


def layer_norm(x, scale, shift):
    """As models/layer-norm.mlir."""
    return torch.nn.functional.layer_norm(x, (COLUMNS,), scale, shift, 1e-5)


def product(a, b):
    """As models/matmul-*.mlir; PyTorch's result has the type of the operands."""
    return a @ b


class Case:
    """A model: its arguments, PyTorch's function, and its least work.

    `bytes` are those that must move, or `flops` the operations that must happen; the
    result may differ from PyTorch's by `tolerance` of its largest element."""

    def __init__(self, arguments, function, bytes=0, flops=0, tolerance=1e-5):
        self.arguments = arguments
        self.function = function
        self.bytes = bytes
        self.flops = flops
        self.tolerance = tolerance


WHOLE = 4 * ROWS * COLUMNS
CASES = {
    "add": Case(lambda: [matrix(), matrix()], torch.add, bytes=3 * WHOLE),
    "row-sum": Case(lambda: [matrix()], lambda x: x.sum(1), bytes=WHOLE),
    "softmax": Case(lambda: [matrix()], lambda x: torch.softmax(x, 1), bytes=2 * WHOLE),
    "layer-norm": Case(lambda: [matrix(), torch.randn(COLUMNS, device="cuda"),
                                torch.randn(COLUMNS, device="cuda")],
                       layer_norm, bytes=2 * WHOLE),
    "matmul-f32": Case(lambda: [matrix(rows=SIDE, columns=SIDE) for _ in range(2)],
                       product, flops=2 * SIDE ** 3, tolerance=2e-5),
    # A result in bf16 has 8 bits.
    "matmul-bf16": Case(
        lambda: [matrix(torch.bfloat16, SIDE, SIDE) for _ in range(2)],
        product, flops=2 * SIDE ** 3, tolerance=1e-2),
    # Two products; the scores never have to be in memory.
    "attention": Case(
        lambda: [head(), head(), head()],
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(
            q[None], k[None], v[None])[0],
        flops=4 * HEADS * LENGTH * LENGTH * DEPTH, tolerance=1e-4),
}


def save(path, tensor):
    """Writes a tensor for mlir-prof: bfloat16 as two bytes."""
    if tensor.dtype == torch.bfloat16:
        numpy.save(path, tensor.view(torch.int16).cpu().numpy().view("V2"))
    else:
        numpy.save(path, tensor.cpu().numpy())


def time_torch(function, arguments, seconds):
    """Median time of one call on the device, in seconds."""
    for _ in range(3):
        function(*arguments)
    torch.cuda.synchronize()
    times, spent = [], 0.0
    while spent < seconds or len(times) < 5:
        events = [torch.cuda.Event(enable_timing=True) for _ in range(9)]
        events[0].record()
        for event in events[1:]:
            function(*arguments)
            event.record()
        torch.cuda.synchronize()
        own = [a.elapsed_time(b) / 1e3 for a, b in zip(events, events[1:])]
        times += own
        spent += sum(own)
    return statistics.median(times)


def run_program(runner, program, inputs, seconds, folder, results=None):
    """The document of a run of a program."""
    path = folder / "run.json"
    command = [runner, program, f"--seconds={seconds}", f"--times={path}"]
    command += [f"--input={each}" for each in inputs]
    if results:
        command.append(f"--save-results={results}")
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(path.read_text())


def compare(results, expected):
    """The largest difference, relative to the largest element."""
    (path,) = results.iterdir()
    actual = torch.from_numpy(numpy.load(path)).to("cuda", torch.float32)
    expected = expected.to(torch.float32)
    return ((actual - expected).abs().max() / expected.abs().max()).item()


def summarize(values):
    """Median and half of the interquartile range."""
    if len(values) < 2:
        return values[0], 0.0
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return middle, (high - low) / 2


def measure_copy(seconds):
    """Bytes per second of a copy on the device, both directions counted."""
    source = matrix()
    target = torch.empty_like(source)
    return 2 * WHOLE / time_torch(lambda: target.copy_(source), [], seconds)


def run_case(name, case, options, folder):
    """The figures of a case."""
    torch.manual_seed(1)
    arguments = case.arguments()
    inputs = [folder / f"{name}-{i}.npy" for i in range(len(arguments))]
    for path, tensor in zip(inputs, arguments):
        save(path, tensor)
    program = options.programs / f"{name}.gpu"
    results = folder / f"{name}-results"
    ours, theirs, overhead = [], [], []
    for number in range(options.rounds):
        run = run_program(options.runner, program, inputs, options.seconds, folder,
                          results if number == 0 else None)
        ours.append(run["plain_median_ps"] / 1e12)
        overhead.append(run["overhead_ppm"] / 1e6)
        theirs.append(time_torch(case.function, arguments, options.seconds))
    error = compare(results, case.function(*arguments))
    time, spread = summarize(ours)
    torch_time, torch_spread = summarize(theirs)
    ratio, ratio_spread = summarize([b / a for a, b in zip(ours, theirs)])
    row = {"case": name, "seconds": time, "spread": spread, "torch_seconds": torch_time,
           "torch_spread": torch_spread, "speed_of_torch": ratio,
           "speed_spread": ratio_spread, "error": error,
           "is_right": error <= case.tolerance, "overhead": max(overhead),
           "steps": [{key: step.get(key) for key in ("kernel", "median_ps")}
                     for step in run["steps"]], "kernels": run["kernels"]}
    if case.bytes:
        row["bytes_per_second"] = case.bytes / time
    if case.flops:
        row["flops_per_second"] = case.flops / time
    for path in inputs:
        path.unlink()
    return row


def print_row(row, copy):
    """One line for people."""
    part = row.get("bytes_per_second", 0) / copy
    rate = (f"{part:.2f} of copy" if part
            else f"{row['flops_per_second'] / 1e12:.1f} TFLOP/s")
    print(f"{row['case']:12} {row['seconds'] * 1e6:9.1f} us  torch "
          f"{row['torch_seconds'] * 1e6:9.1f} us  ratio {row['speed_of_torch']:.3f} "
          f"+-{row['speed_spread']:.3f}  {rate}  error {row['error']:.1e}"
          f"{'' if row['is_right'] else ' WRONG'}  timing {row['overhead']:.1%}",
          flush=True)


def main():
    """Runs all cases that have a program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--runner", default="mlir-prof-gpu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.25)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--folder", help="for arguments and results, of the size of a GB")
    options = parser.parse_args()
    rows, failures = [], {}
    copy = measure_copy(options.seconds)
    print(f"{torch.cuda.get_device_name()}: copy {copy / 1e9:.0f} GB/s, PyTorch "
          f"{torch.__version__}", flush=True)
    for name in options.cases or CASES:
        if not (options.programs / f"{name}.gpu").exists():
            continue
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            try:
                rows.append(run_case(name, CASES[name], options, pathlib.Path(folder)))
                print_row(rows[-1], copy)
            except RuntimeError as error:
                failures[name] = str(error)
                print(f"{name}: {error}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(
            {"device": torch.cuda.get_device_name(), "copy_bytes_per_second": copy,
             "rows": rows, "failures": failures}, indent=1))
    return 1 if failures or not all(row["is_right"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
