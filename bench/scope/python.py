#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a scope in Python, off and on, against an empty context manager
written in Python and against other profilers.

  python3 bench/scope/python.py --package build/python
  python3 bench/scope/python.py --peers paddlepaddle,torch,apache-tvm,jax

Contestants take turns in an order that changes from round to round; the time of an
empty loop is subtracted. Ratios are of the empty context manager of the same process.
Each peer has a process and a virtual environment of its own, which is made from PyPI
with `pip install` of the peer and of python/, and stays in --environments. Without
--package, mlir-prof is that of such an environment. A machine that others share only
adds to a batch: compare minima there.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

# At most so many times the empty context manager, off and on.
TARGETS = {"with, made once": (0.8, 1.0), "with, made per call": (0.8, 1.0),
           "begin and end": (0.25, 0.4)}
PEERS = ("paddlepaddle", "torch", "apache-tvm", "jax")


# ------------------------------------------------------------------------------
# In the measuring process: functions that run so many scopes
# ------------------------------------------------------------------------------


def use_with(manager):
    def run(count):
        for _ in range(count):
            with manager:
                pass
    return run


def use_made(make, *arguments):
    def run(count):
        for _ in range(count):
            with make(*arguments):
                pass
    return run


def list_own():
    """Contestants that every process has."""
    import contextlib

    import mlir_prof

    class Empty:
        def __enter__(self):
            pass

        def __exit__(self, kind, value, trace):
            pass

    @contextlib.contextmanager
    def timed(name):
        begin = time.perf_counter_ns()
        try:
            yield
        finally:
            sums[name] = sums.get(name, 0) + time.perf_counter_ns() - begin

    sums = {}

    def loop(count):
        for _ in range(count):
            pass

    def begin_end(count, begin=mlir_prof.begin, end=mlir_prof.end):
        for _ in range(count):
            begin("scope")
            end()

    @mlir_prof.scope("scope")
    def decorated():
        pass

    def decorator(count):
        for _ in range(count):
            decorated()

    scope = mlir_prof.scope
    return {"loop": loop, "empty context manager": use_with(Empty()),
            "contextmanager, perf_counter_ns": use_made(timed, "scope"),
            "with, made once": use_with(scope("scope")),
            "with, made per call": use_made(scope, "scope"),
            "begin and end": begin_end, "decorator, call included": decorator}


def make_paddle():
    import paddle.profiler as profiler
    recorder = profiler.Profiler(targets=[profiler.ProfilerTarget.CPU],
                                 on_trace_ready=lambda recorder: None)
    return ({"RecordEvent": use_made(profiler.RecordEvent, "scope")},
            recorder.start, recorder.stop)


def make_torch():
    import torch
    recorder = torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU])
    fast = torch._C._profiler._RecordFunctionFast
    return ({"record_function": use_made(torch.profiler.record_function,
                                         "scope"),
             "_RecordFunctionFast": use_made(fast, "scope")},
            recorder.start, recorder.stop)


def make_tvm():
    try:
        from tvm.s_tir import meta_schedule
    except ImportError:
        from tvm import meta_schedule
    profiler = meta_schedule.Profiler()
    return ({"Profiler.timeit": use_made(meta_schedule.Profiler.timeit,
                                         "scope")},
            profiler.__enter__, lambda: profiler.__exit__(None, None, None))


def make_jax():
    import tempfile

    import jax
    folder = tempfile.TemporaryDirectory()
    return ({"TraceAnnotation": use_made(jax.profiler.TraceAnnotation, "scope")},
            lambda: jax.profiler.start_trace(folder.name),
            jax.profiler.stop_trace)


MAKERS = {"paddlepaddle": make_paddle, "torch": make_torch,
          "apache-tvm": make_tvm, "jax": make_jax}


def measure(contestants, rounds, count):
    """ns of one scope: {name: [ns]}."""
    times = {name: [] for name in contestants}
    shuffle = random.Random(1).shuffle
    for number in range(rounds + 1):
        order = list(contestants)
        shuffle(order)
        for name in order:
            begin = time.perf_counter_ns()
            contestants[name](count)
            taken = (time.perf_counter_ns() - begin) / count
            if number:
                times[name].append(taken)
    loop = min(times.pop("loop"))
    return {name: [value - loop for value in values]
            for name, values in times.items()}


def prefer(cpu):
    """Binds the process to a processor, before others if that is allowed."""
    os.sched_setaffinity(0, {cpu})
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        return "SCHED_OTHER"
    return "SCHED_FIFO"


def work(options):
    """Prints the times of a process as JSON."""
    contestants = list_own()
    extra, start, stop = {}, None, None
    if options.work != "none":
        extra, start, stop = MAKERS[options.work]()
    scheduling = prefer(options.cpu)
    results = dict(scheduling=scheduling, load=os.getloadavg()[0])
    everything = dict(contestants, **extra)
    results["off"] = measure(everything, options.rounds, options.count)
    import mlir_prof
    with mlir_prof.Profiler(ring=1 << 16):
        results["on"] = measure(contestants, options.rounds, options.count)
    if extra:
        start()
        # Their recordings grow without bound: fewer scopes.
        peer = measure(dict(loop=contestants["loop"], **extra),
                       max(options.rounds // 10, 1), options.count)
        stop()
        results["on"].update(peer)
    json.dump(results, sys.stdout)


# ------------------------------------------------------------------------------
# In the process that compares
# ------------------------------------------------------------------------------


def make_environment(folder, peer):
    """The interpreter of a virtual environment with mlir-prof and a peer."""
    place = pathlib.Path(folder) / peer
    python = place / "bin" / "python"
    if not python.exists():
        packages = [ROOT / "python"] + ([peer] if peer != "none" else [])
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages],
                       check=True)
    return python


def show(peer, results):
    import harness
    empty = {state: min(results[state]["empty context manager"])
             for state in ("off", "on")}
    rows = []
    for name, off in results["off"].items():
        on = results["on"].get(name)
        row = [name, f"{min(off):.1f}", f"{statistics.median(off):.1f}"]
        row += ([f"{min(on):.1f}", f"{statistics.median(on):.1f}"] if on
                else ["", ""])
        ratios = [min(off) / empty["off"],
                  min(on) / empty["on"] if on else float("nan")]
        row += [f"{ratio:.2f}" for ratio in ratios]
        most = TARGETS.get(name)
        row.append("" if most is None else
                   "yes" if all(a <= b for a, b in zip(ratios, most)) else "NO")
        rows.append(row)
    print(f"process with {peer}: {results['scheduling']}, load "
          f"{results['load']:.1f}")
    harness.print_table(["ns of one", "off min", "median", "on min", "median",
                         "off ratio", "on ratio", "holds"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--package", help="folder with mlir_prof, instead of pip")
    parser.add_argument("--peers", default="",
                        help=f"of {','.join(PEERS)}; default: none of them")
    parser.add_argument("--environments", default="build/bench-scope-python")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--json", help="file for all times")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options)
        return
    import harness
    everything = dict(machine=harness.machine())
    for peer in ["none", *filter(None, options.peers.split(","))]:
        python, environment = sys.executable, dict(os.environ)
        if options.package:
            environment["PYTHONPATH"] = os.path.abspath(options.package)
        if peer != "none" or not options.package:
            python = make_environment(options.environments, peer)
        result = subprocess.run(
            [python, __file__, f"--work={peer}", f"--rounds={options.rounds}",
             f"--count={options.count}", f"--cpu={options.cpu}"],
            env=environment, stdout=subprocess.PIPE, encoding="utf-8")
        if result.returncode:
            sys.exit(f"the process with {peer} failed")
        # Peers print as well.
        everything[peer] = json.loads(result.stdout.splitlines()[-1])
        show(peer, everything[peer])
    print(everything["machine"]["cpu"], "Python", everything["machine"]["python"])
    if options.json:
        harness.write_json(options.json, everything)


if __name__ == "__main__":
    main()
