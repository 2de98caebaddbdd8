#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Versions of a function against builds for one size or value alone.

  python bench/optimize/versions.py sizes [--sizes=1,8,32,128]
  python bench/optimize/versions.py trace
  python bench/optimize/versions.py values

sizes: mlp_dyn of bench/models.py, each size of its trace alone: the default
build, one with versions for all sizes, and a static build for this size.
trace: the whole trace, in which sizes alternate: costs and gains of versions
if all of them share the caches. values: attention whose numbers of keys and of
steps are arguments, equal in 99 of 100 calls; "generic path" has a version for
another length, which costs the dispatch.

Each turn is a run of `record --mode=time` in a separate process, in an order
that changes from round to round; all are pinned to one processor. Ratios are
of medians in the same round (min / median / max), and of the smallest times of
all; "(A/A)" is the same build a second time. Results are compared with
bench/models.py's, or those of plain loops.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "record")]

import common  # noqa: E402
import harness  # noqa: E402
import models  # noqa: E402

#: Rows of queries, their width, the capacity for keys, and the values of the
#: calls: the number of keys, and the number of repetitions.
ROWS, DEPTH, KEYS, LENGTH, STEPS = 64, 64, 256, 77, 1


class Build:
    """A file and how to run it; `per_pass` iterations make one figure."""

    def __init__(self, path, options, per_pass=1):
        self.path, self.options, self.per_pass = path, options, per_pass

    def record(self, tool, *more):
        common.tool(tool, "record", self.path, *self.options, *more)

    def turn(self, tool, seconds, folder):
        """Times of the iterations in nanoseconds, means over passes."""
        path = folder / "times.json"
        self.record(tool, "--mode=time", "--no-peak", f"--seconds={seconds}",
                    f"--warm-up={max(3, self.per_pass)}", f"--times={path}")
        times = json.loads(path.read_text())["iteration_ns"]
        size = self.per_pass
        passes = [statistics.fmean(times[i:i + size])
                  for i in range(0, len(times) - size + 1, size)]
        if not passes:
            sys.exit("no whole pass: --seconds is too short")
        return passes


def choose(text, versions):
    """`text` with a choice on its only public function."""
    entries = ", ".join(f'"{i}" = "{condition}"'
                        for i, condition in enumerate(versions, 1))
    attribute = ("attributes {mlirprof.choice = "
                 f"{{versions = {{{entries}}}}}}} ")
    head = re.search(r"func\.func @main\(.*\{$", text, re.MULTILINE)
    return text[:head.end() - 1] + attribute + text[head.end() - 1:]


def write(folder, name, text):
    path = folder / f"{name}.mlir"
    path.write_text(text)
    return path


def make_static(text, rows):
    return (text.replace("?x", f"{rows}x")
            .replace("tensor.empty(%rows)", "tensor.empty()"))


def compare(options, title, builds, folder, base):
    """Alternating turns; returns a table with ratios to the build `base`."""
    turns = harness.take_turns({
        name: lambda build=build: build.turn(options.tool, options.seconds,
                                             folder)
        for name, build in builds.items()}, options.rounds, title)
    medians = {name: [statistics.median(one) for one in rounds]
               for name, rounds in turns.items()}
    smallest = {name: min(map(min, rounds)) for name, rounds in turns.items()}
    print(f"\n{title}")
    rows = [[name, f"{smallest[name] / 1e3:.1f}",
             f"{statistics.median(medians[name]) / 1e3:.1f}",
             f"{smallest[name] / smallest[base]:.3f}",
             harness.format_spread(
                 harness.ratios(medians[name], medians[base]), 3)]
            for name in builds]
    harness.print_table(["build", "min [us]", "median [us]", f"min/{base}",
                         f"median/{base} of the round"], rows)
    sys.stdout.flush()
    return {name: dict(min_ns=smallest[name], round_medians_ns=medians[name])
            for name in builds}


class DynamicMlp:
    """mlp_dyn, its request sizes, and files of its builds."""

    def __init__(self, folder):
        self.folder, self.model = folder, models.DynamicMlp()
        self.text = self.model.mlir(constant_weights=True)
        self.sizes = sorted(set(self.model.trace))
        self.default = write(folder, "default", self.text)
        # The most frequent first, as a profile lists them.
        order = sorted(self.sizes, key=lambda s: -self.model.trace.count(s))
        self.versions = write(folder, "versions", choose(
            self.text, [f"arg0.dim0={rows}" for rows in order]))
        self.expected = self.model.expected()

    def check(self, tool, path, rows):
        request, wanted = (self.folder / f"{name}.npy"
                           for name in ("request", "wanted"))
        np.save(request, np.ascontiguousarray(self.model.x[:rows]))
        np.save(wanted, self.expected[:rows].astype(np.float32))
        common.tool(tool, "record", path, f"--input=0={request}",
                    "--mode=time", "--no-peak", "--iterations=1",
                    f"--compare={wanted}")


def measure_sizes(options, folder):
    mlp = DynamicMlp(folder)
    results = {}
    for rows in options.sizes or mlp.sizes:
        static = write(folder, f"static{rows}", make_static(mlp.text, rows))
        for path in (mlp.default, mlp.versions, static):
            mlp.check(options.tool, path, rows)
        shape = [f"--shape=0={rows}x{mlp.model.widths[0]}"]
        builds = {"static": Build(static, []),
                  "static (A/A)": Build(static, []),
                  "default": Build(mlp.default, shape),
                  "versions": Build(mlp.versions, shape)}
        results[str(rows)] = compare(options, f"mlp_dyn, {rows} rows", builds,
                                     folder, "static")
    return results


def measure_trace(options, folder):
    mlp = DynamicMlp(folder)
    trace = mlp.model.trace
    shapes = ",".join(f"{rows}x{mlp.model.widths[0]}" for rows in trace)
    once = choose(mlp.text, [f"arg0.dim0={rows}" for rows in mlp.sizes
                             if rows > 1])
    builds = {"default": mlp.default, "default (A/A)": mlp.default,
              "versions": mlp.versions,
              "all but one row": write(folder, "several", once)}
    builds = {name: Build(path, [f"--shape=0={shapes}"], len(trace))
              for name, path in builds.items()}
    return compare(options, "mlp_dyn, mean request of the trace", builds,
                   folder, "default")


def attention_model():
    """Attention of `q` over the first `length` keys, `steps` times."""
    q, k, v, some, scores = (
        f"tensor<{shape}xf32>" for shape in
        (f"{ROWS}x{DEPTH}", f"{DEPTH}x{KEYS}", f"{KEYS}x{DEPTH}",
         f"?x{DEPTH}", f"{ROWS}x?"))
    keys = f"tensor<{DEPTH}x?xf32>"
    return f"""func.func @main(%q: {q}, %length: index, %steps: i64, %k: {k}, %v: {v}) -> {q} {{
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %trips = arith.index_cast %steps : i64 to index
    %keys = tensor.extract_slice %k[0, 0] [{DEPTH}, %length] [1, 1] : {k} to {keys}
    %values = tensor.extract_slice %v[0, 0] [%length, {DEPTH}] [1, 1] : {v} to {some}
    %last = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %q) -> ({q}) {{
      %e1 = tensor.empty(%length) : {scores}
      %f1 = linalg.fill ins(%zero : f32) outs(%e1 : {scores}) -> {scores}
      %s = linalg.matmul ins(%a, %keys : {q}, {keys}) outs(%f1 : {scores}) -> {scores}
      %p = linalg.softmax dimension(1) ins(%s : {scores}) outs(%e1 : {scores}) -> {scores}
      %e2 = tensor.empty() : {q}
      %f2 = linalg.fill ins(%zero : f32) outs(%e2 : {q}) -> {q}
      %o = linalg.matmul ins(%p, %values : {scores}, {some}) outs(%f2 : {q}) -> {q}
      scf.yield %o : {q}
    }}
    return %last : {q}
}}
"""


def attend(values):
    q, k, v = (values[name].astype(np.float64) for name in "qkv")
    for _ in range(STEPS):
        s = q @ k[:, :LENGTH]
        p = np.exp(s - s.max(-1, keepdims=True))
        q = p / p.sum(-1, keepdims=True) @ v[:LENGTH]
    return q.astype(np.float32)


def measure_values(options, folder):
    text = attention_model()
    fixed = re.sub(r"%length: index, %steps: i64, ", "", text).replace(
        "%zero =", f"%length = arith.constant {LENGTH} : index\n"
        f"    %steps = arith.constant {STEPS} : i64\n    %zero =", 1)
    rng = np.random.default_rng(5)
    values = {name: rng.standard_normal(shape).astype(np.float32)
              for name, shape in (("q", (ROWS, DEPTH)), ("k", (DEPTH, KEYS)),
                                  ("v", (KEYS, DEPTH)))}
    values["k"] /= np.float32(np.sqrt(DEPTH))
    values.update(length=np.array(LENGTH), steps=np.array(STEPS, np.int64))
    for name, value in values.items():
        np.save(folder / f"{name}.npy", value)
    np.save(folder / "wanted.npy", attend(values))
    inputs = {name: f"--input={name}={folder}/{name}.npy" for name in values}
    condition = f"arg1={LENGTH} arg2={STEPS}"
    static = write(folder, "static", fixed)
    fewer = [inputs[name] for name in "qkv"]
    builds = {
        "static": Build(static, fewer),
        "static (A/A)": Build(static, fewer),
        "generic": Build(write(folder, "generic", text),
                         list(inputs.values())),
        "versions": Build(write(folder, "versions", choose(text, [condition])),
                          list(inputs.values())),
        "generic path": Build(write(folder, "other", choose(text, ["arg1=1"])),
                              list(inputs.values()))}
    for build in builds.values():
        build.record(options.tool, "--mode=time", "--no-peak",
                     "--iterations=1", f"--compare={folder}/wanted.npy")
    return compare(options, f"length {LENGTH}, {STEPS} step", builds, folder,
                   "static")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("sizes", "trace", "values"))
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--sizes", type=lambda text: list(
        map(int, text.split(","))))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of a turn")
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--json", help="write all figures to this file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    harness.pin(options.cpu)
    measure = dict(sizes=measure_sizes, trace=measure_trace,
                   values=measure_values)[options.what]
    with tempfile.TemporaryDirectory() as folder:
        results = measure(options, pathlib.Path(folder))
    if options.json:
        harness.write_json(options.json, dict(machine=harness.machine(),
                                              results=results))


if __name__ == "__main__":
    main()
