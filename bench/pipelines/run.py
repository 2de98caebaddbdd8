#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of compiled models against ONNX Runtime.

  python bench/pipelines/run.py --tool build/bin/mlir-prof --models FOLDER

Contestants take turns: ONNX Runtime in a process of its own that idles between
its turns, and the tool with --mode=time. Each turn's figure is its median (for
mlp_dyn: the mean request over whole passes of the trace); ratios are of one
round, min / median / max over the rounds. With one thread all are pinned to one
processor. Needs numpy, onnx and onnxruntime.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "record")]

import numpy as np  # noqa: E402

import common  # noqa: E402
import harness  # noqa: E402
import models  # noqa: E402


def find(name):
    return next(m for m in models.all_models() if m.name == name)


def serve(name, threads, seconds, path):
    """The process of ONNX Runtime: one line of input, one figure in ns."""
    import onnxruntime
    model = find(name)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options,
                                           ["CPUExecutionProvider"])
    output = session.get_outputs()[0].name

    def value(rows):
        x = model.x if rows is None else model.x[:rows]
        if x.ndim == 4:
            x = x.transpose(0, 3, 1, 2)
        return onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(x))
    trace = getattr(model, "trace", [None])
    inputs = {rows: value(rows) for rows in set(trace)}
    result = session.run([output], {"x": inputs[trace[0]].numpy()})[0]
    expected = model.expected()[:len(result)] if trace[0] else model.expected()
    error = np.abs(result - expected).max() / np.abs(expected).max()
    assert error < 1e-5, error
    for _ in sys.stdin:
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end or not times:
            begin = time.perf_counter_ns()
            for rows in trace:
                session.run_with_ort_values([output], {"x": inputs[rows]})
            times.append((time.perf_counter_ns() - begin) / len(trace))
        print(statistics.median(times), flush=True)


class OnnxRuntime:
    def __init__(self, options, name, folder):
        import onnx_models
        path = os.path.join(folder, f"{name}.onnx")
        onnx_models.save(find(name), path)
        self.child = subprocess.Popen(
            [sys.executable, __file__, "--serve", name, path,
             f"--threads={options.threads}", f"--seconds={options.seconds}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def __call__(self):
        print("go", file=self.child.stdin, flush=True)
        return float(self.child.stdout.readline())


def tool(options, case, pipeline, folder):
    path = os.path.join(folder, "times.json")
    arguments, key = case.options + [f"--seconds={options.seconds}"], "median_ns"
    if case.name == "mlp_dyn":
        trace = find(case.name).trace
        shapes = ",".join(f"{rows}x1024" for rows in trace)
        arguments = [f"--shape=0={shapes}", "--warm-up=100",
                     f"--iterations={5 * len(trace)}"]
        key = "mean_ns"
    common.tool(options.tool, "record", case.path, "--mode=time",
                "--no-identities", f"--threads={options.threads}",
                f"--pipeline={pipeline}", f"--times={path}", *arguments)
    with open(path) as file:
        return json.load(file)[key]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models")
    parser.add_argument("--kind", default="const", choices=("const", "args"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", default="mlp,cnn,transformer,mlp_dyn")
    parser.add_argument("--pipelines", default="default")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve[0], options.threads, options.seconds,
              options.serve[1])
        return
    if options.threads == 1:
        harness.pin(0)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in common.bench_cases(options.models, options.kind):
            if case.name not in options.only.split(","):
                continue
            peer = OnnxRuntime(options, case.name, folder)
            contestants = {"onnxruntime": peer}
            for pipeline in options.pipelines.split(","):
                contestants[pipeline] = lambda p=pipeline: tool(options, case, p,
                                                                folder)
            measured = harness.alternate(contestants, options.rounds)
            peer.child.stdin.close()
            reference = measured["onnxruntime"]
            row = [case.name, f"{statistics.median(reference) / 1e6:.3f}"]
            for pipeline in options.pipelines.split(","):
                row += [f"{statistics.median(measured[pipeline]) / 1e6:.3f}",
                        harness.format_spread(
                            harness.ratios(measured[pipeline], reference), 3)]
            rows.append(row)
    header = ["model", "onnxruntime [ms]"]
    for pipeline in options.pipelines.split(","):
        header += [f"{pipeline} [ms]", "ratio"]
    harness.print_table(header, rows)


if __name__ == "__main__":
    main()
