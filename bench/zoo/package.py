#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes models through the package, and prints a table of what became of them.

  python bench/zoo/package.py [NAME...] [--models FILE.py] [--json FILE]

Each model is compiled with one thread and with two, called, and recorded. The table
has the largest difference of both results from the framework's, relative to the
result's largest element (PyTorch computes in double precision if it can); the part of
the recorded time in the model that has an op; the number of module paths in the report;
seconds to compile; and of a model that is not taken the reason. Each model is tried in
a process of its own, within --limit seconds. Models are those of architectures.py, or
of another file with a dictionary MODELS of functions that return (module, arguments), modules of
PyTorch or functions of JAX, and perhaps another, TRAINING. Needs PYTHONPATH with the
package and its extension, and the frameworks.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
OWN = HERE / "architectures.py"
COLUMNS = {"name": "model", "one": "error, 1 thread", "two": "error, 2 threads",
           "share": "time with an op", "samples": "samples", "paths": "module paths",
           "compile_s": "compile [s]", "error": "why not"}


def load_models(path):
    import importlib.util
    spec = importlib.util.spec_from_file_location("package_models", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(pathlib.Path(path).resolve().parent))
    spec.loader.exec_module(module)
    return module.MODELS, getattr(module, "TRAINING", {})


class Torch:
    @staticmethod
    def prepare(module, is_training):
        return module.train(is_training)

    @staticmethod
    def compute(module, arguments):
        """Results in double precision, or in the module's own if it has parts that
        cannot be converted; and which it is."""
        import copy
        import torch
        with torch.no_grad():
            # A module may change its own buffers.
            own = copy.deepcopy(module)
            torch.set_default_dtype(torch.float64)
            try:
                results = copy.deepcopy(module).double()(
                    *torch.utils._pytree.tree_map_only(
                        torch.Tensor,
                        lambda x: x.double() if x.is_floating_point() else x,
                        arguments))
            except Exception:
                torch.set_default_dtype(torch.float32)
                results = own(*arguments)
            finally:
                torch.set_default_dtype(torch.float32)
        return results

    @staticmethod
    def flatten(results):
        import torch
        from torch.utils import _pytree
        return [x.detach().numpy() for x in _pytree.tree_leaves(results)
                if isinstance(x, torch.Tensor)]


class Jax:
    @staticmethod
    def prepare(function, is_training):
        return function

    @staticmethod
    def compute(function, arguments):
        import jax
        return jax.jit(function)(*arguments)

    @staticmethod
    def flatten(results):
        import jax
        import numpy
        return [numpy.asarray(x) for x in jax.tree_util.tree_leaves(results)]


def find_error(found, expected):
    """The largest difference, relative to the largest element of its result."""
    import numpy
    if [x.shape for x in found] != [x.shape for x in expected]:
        raise ValueError(f"shapes are {[x.shape for x in found]}, not "
                         f"{[x.shape for x in expected]}")
    worst = 0.0
    for one, other in zip(found, expected):
        if not other.size:
            continue
        one, other = (x.astype(numpy.complex128 if numpy.iscomplexobj(x)
                               else numpy.float64) for x in (one, other))
        difference = numpy.abs(one - other)
        # Infinities and what is no number must be the same.
        same = (one == other) | (numpy.isnan(one) & numpy.isnan(other))
        difference = numpy.where(same, 0, difference)
        if not numpy.isfinite(difference).all():
            return float("inf")
        largest = numpy.abs(other[numpy.isfinite(other)]).max(initial=0) or 1
        worst = max(worst, float(difference.max() / largest))
    return worst


def find_share(profile):
    """The part of the time in the model that has an op: the loop of calls around the
    model is a loss of its own."""
    coverage = profile.coverage
    outside = sum(loss["time_ps"] for loss in profile.losses
                  if loss["name"] == "unmatched: outside the model")
    return 1 - (coverage.unmatched_ps - outside) / (coverage.op_time_ps - outside)


def measure(name, source, seconds, report):
    """Calls `report(**values)` with each result as soon as it is there."""
    import mlir_prof
    ordinary, training = load_models(source)
    is_torch = "torch" in sys.modules
    if is_torch:
        import torch
        torch.manual_seed(0)
        torch.set_num_threads(1)
    framework = Torch if is_torch else Jax
    module, arguments = {**ordinary, **training}[name]()
    module = framework.prepare(module, name in training)
    expected = framework.flatten(framework.compute(module, arguments))
    models = {}
    for threads, key in ((1, "one"), (2, "two")):
        begin = time.perf_counter()
        models[threads] = mlir_prof.compile(module, *arguments, threads=threads,
                                            progress=False)
        if threads == 1:
            report(compile_s=time.perf_counter() - begin)
        found = framework.flatten(models[threads](*arguments))
        report(**{key: find_error(found, expected)})
    profile = mlir_prof.record(models[1], *arguments, seconds=seconds, progress=False)
    paths = profile.report("module-path", all=True)
    report(share=find_share(profile), paths=len(paths), samples=sum(
        row["count"] for row in profile.report("op-type", all=True)))


def try_model(name, options):
    """The reports of measure() of a model in a process of its own."""
    row = {"name": name}
    try:
        result = subprocess.run(
            [sys.executable, "-B", "-W", "ignore", __file__, name, "--one",
             f"--models={options.models}", f"--seconds={options.seconds}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            timeout=options.limit)
        output, error = result.stdout, result.stderr
        if result.returncode:
            row["error"] = (error.strip().split("\n") or [""])[-1]
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode()
        row["error"] = f"took more than {options.limit} s"
    for line in output.splitlines():
        if line.startswith("{"):
            row.update(json.loads(line))
    return row


def format_cell(key, value):
    if value is None:
        return "-"
    if key in ("one", "two"):
        return f"{value:.1e}"
    if key == "share":
        return f"{100 * value:.2f} %"
    if key == "compile_s":
        return f"{value:.1f}"
    return str(value).replace("|", "\\|")


def print_row(row):
    print("| " + " | ".join(format_cell(key, row.get(key)) for key in COLUMNS) + " |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--models", default=str(OWN), metavar="FILE.py")
    parser.add_argument("--seconds", type=float, default=1, help="of each recording")
    parser.add_argument("--limit", type=float, default=600, help="of each model")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.one:
        return measure(options.names[0], options.models, options.seconds,
                       lambda **values: print(json.dumps(values), flush=True))
    ordinary, training = load_models(options.models)
    unknown = set(options.names) - set(ordinary) - set(training)
    if unknown:
        sys.exit(f"no such model: {', '.join(sorted(unknown))}; there are: "
                 f"{', '.join([*ordinary, *training])}")
    print("| " + " | ".join(COLUMNS.values()) + " |\n" + "|---" * len(COLUMNS) + "|")
    rows = []
    for name in options.names or [*ordinary, *training]:
        rows.append(try_model(name, options))
        print_row(rows[-1])
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
