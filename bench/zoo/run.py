#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed, time to build, and memory of the models that zoo.py wrote.

  python bench/zoo/run.py speed FOLDER/* --threads 1,2 --control [--busy]
  python bench/zoo/run.py ready FOLDER/*
  python bench/zoo/run.py memory FOLDER/*

All contestants take turns in an order that changes from round to round; a
ratio is of one round, to the best peer of that round.

speed: times of iterations. Each contestant is a process that has built its
model and checked its results, and that idles between its turns. --busy keeps
every processor busy with another process meanwhile.

ready: seconds until the first result, in a process of its own that ends then,
with the files in the page cache. The tool's are those of the whole process,
from bytecode, with an empty cache (cold) and with that of the round before
(warm, if the tool has a cache); a peer's are from reading its file, without
the start of Python.

memory: peak resident memory of a process that loads and runs the tool's saved
object, and of one that does so with a peer's file, beyond the same process
before (which is Python and NumPy); a peer's also beyond its imported package.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "pipelines")]

import problems  # noqa: E402

import common  # noqa: E402
import contestants as players  # noqa: E402
import harness  # noqa: E402
import peers  # noqa: E402
import rounds  # noqa: E402

#: The environment's variable that names the tool's cache.
CACHE = "MLIR_PROF_CACHE"


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("models", nargs="+", metavar="FOLDER/NAME")
    rounds.add_options(parser)
    parser.add_argument("--peers", default="onnxruntime,openvino")
    parser.add_argument("--pipelines", default="default",
                        help="builds of the tool, by --pipeline")
    parser.add_argument("--form", default="model",
                        choices=("model", "onnx"),
                        help="model.mlir or onnx.mlir")
    parser.add_argument("--busy", action="store_true")
    options = parser.parse_args()
    rounds.check_options(parser, options)
    return options


def make_case(problem, form):
    """The form of the model that was chosen or, if there is none, the other
    one."""
    forms = sorted(("model", "onnx"), key=lambda other: other != form)
    paths = [problem.folder / f"{form}.mlir" for form in forms]
    path = next((path for path in paths if path.exists()), paths[0])
    if path != paths[0]:
        print(f"{paths[0].name} does not exist; taking {path.name}")
    inputs = [f"--input={i}={path}"
              for i, path in enumerate(problem.input_paths())]
    return common.Case(problem.name, path, inputs)


def get_peers(options, problem, threads, folder):
    """{name: function that starts the peer's process}."""
    return {name: lambda name=name: players.PeerProcess(
                name, problem, threads, folder)
            for name in filter(None, options.peers.split(","))}


def measure_speed(options, problem, threads, folder):
    case = make_case(problem, options.form)
    makers = get_peers(options, problem, threads, folder)
    errors = {}

    def make(flags):
        tool = players.PausedTool(options.tool, case, problem, threads, flags,
                                  folder, errors.get(flags))
        errors[flags] = tool.error
        return tool
    for name, flags in rounds.get_builds(options, options.pipelines).items():
        makers[name] = lambda flags=flags: make(flags)
    processors = len(os.sched_getaffinity(0))
    with harness.busy(processors if options.busy else 0):
        result = rounds.compete(makers, options, random.Random(problem.name))
    rounds.print_figures(**result)
    return result


class Builds:
    """Processes of the tool that build a model and run it once."""

    def __init__(self, options, problem, threads, folder):
        case = make_case(problem, options.form)
        path = os.path.join(folder, f"{problem.name}.mlirbc")
        translator = pathlib.Path(options.tool).with_name("mlir-prof-opt")
        harness.run([str(translator), case.path, "--emit-bytecode", "-o", path])
        self.folder, self.facts = folder, []
        self.command = [
            options.tool, "record", path, "--mode=time", "--iterations=1",
            "--warm-up=0", f"--threads={threads}", *case.options,
            *(f"--compare=result{i}={file}" for i, file
              in enumerate(problem.result_paths()))]

    def run(self, flags, cache):
        """Seconds of the process."""
        begin = time.perf_counter()
        result = subprocess.run(
            [*self.command, *flags.split()], encoding="utf-8",
            env={**os.environ, CACHE: cache}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        seconds = time.perf_counter() - begin
        if result.returncode:
            raise players.Failed(result.stderr.strip().split("\n")[-1][:200])
        return seconds

    def run_cold(self, flags):
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            return self.run(flags, cache)

    def make_warm(self, flags):
        """A function that runs with a filled cache, or None."""
        cache = tempfile.mkdtemp(dir=self.folder)
        self.run(flags, cache)
        return (lambda: self.run(flags, cache)) if os.listdir(cache) else None


def measure_ready(options, problem, threads, folder):
    builds = Builds(options, problem, threads, folder)
    contestants, absent = {}, {}
    for name, flags in rounds.get_builds(options, options.pipelines).items():
        try:
            warm = builds.make_warm(flags)
        except players.Failed as error:
            absent[name] = str(error)
            continue
        contestants[f"{name}, cold"] = lambda f=flags: builds.run_cold(f)
        if warm:
            contestants[f"{name}, warm"] = warm
        else:
            absent[f"{name}, warm"] = "this build does not have a cache"
    for name, start in get_peers(options, problem, threads, folder).items():
        def run(start=start):
            peer = start()
            peer.close()
            return peer.facts["ready"]
        try:
            run()
            contestants[name] = run
        except (players.Failed, peers.Missing) as error:
            absent[name] = str(error)
    seconds = harness.take_turns(contestants, options.rounds, problem.name)
    return summarize(seconds, set(options.peers.split(",")), absent, "s", 1)


def summarize(values, rivals, absent, unit, scale):
    """Prints and returns {contestant: values of each round} and their ratios
    to the smallest of the rivals in each round."""
    rivals = [name for name in values if name in rivals]
    best = [min(turn) for turn in zip(*(values[name] for name in rivals))]
    figures = {name: dict(harness.spread(turns), rounds=turns)
               for name, turns in values.items()}
    rows = []
    for name, figure in figures.items():
        if rivals:
            figure["ratio"] = harness.ratios(figure["rounds"], best)
            figure["ratio_of_min"] = figure["min"] / min(best)
        rows.append([name, f"{figure['min'] / scale:.3f}",
                     f"{figure['median'] / scale:.3f}",
                     f"{figure['ratio_of_min']:.2f}" if rivals else "",
                     harness.format_spread(figure["ratio"], 2)
                     if rivals else ""])
    harness.print_table(["contestant", f"min [{unit}]", f"median [{unit}]",
                         "min/best", "of the round"], rows)
    for name, reason in absent.items():
        print(f"{name}: {reason}")
    sys.stdout.flush()
    return dict(figures=figures, absent=absent)


def measure_memory(options, problem, threads, folder):
    case = make_case(problem, options.form)
    saved = os.path.join(folder, f"{problem.name}.o")
    code, _, error = common.tool(
        options.tool, "record", case.path, "--mode=time", "--iterations=1",
        f"--threads={threads}", f"--save-object={saved}", *case.options,
        check=False)
    if code:
        print(f"mlir-prof: {error.strip()[:200]}")
        return dict(figures={}, absent={peers.IMAGE: error})
    makers = get_peers(options, problem, threads, folder)
    makers[peers.IMAGE] = lambda: players.PeerProcess(
        peers.IMAGE, problem, threads, folder)
    values, absent = {}, {}
    for name, start in makers.items():
        try:
            peer = start()
        except (players.Failed, peers.Missing) as failure:
            absent[name] = str(failure)
            continue
        peer.close()
        memory = peer.facts["memory"]
        peak = memory["ready"]["peak"]
        values[name] = [peak - memory["empty"]["peak"]]
        if name != peers.IMAGE:
            values[f"{name} beyond its package"] = [
                peak - memory["loaded"]["peak"]]
    return summarize(values, {"onnxruntime"}, absent, "MB", 1e6)


def print_summary(options, results):
    """One line for each of the tool's contestants."""
    rivals = set(options.peers.split(","))
    rows = []
    for key, result in results.items():
        figures = result["figures"]
        best = min(rivals & set(figures), default="", key=lambda name: (
            figures[name]["ratio_of_min"]))
        rows += [[key, name, best, f"{figure['ratio_of_min']:.2f}",
                  harness.format_spread(figure["ratio"], 2)]
                 for name, figure in figures.items()
                 if best and not name.startswith(tuple(rivals))]
    print()
    harness.print_table(["model/threads", "contestant", "best peer",
                         "min/best", "of the round"], rows)


MEASURES = {"speed": measure_speed, "ready": measure_ready,
            "memory": measure_memory}


def main():
    options = parse_arguments()
    results = {}
    print(f"load {os.getloadavg()[0]:.1f}, {harness.machine()['cpu']}")
    for threads in rounds.for_threads(options):
        for path in options.models:
            problem = problems.find(f"{path}/model.json")
            print(f"\n{problem.name}, {threads} "
                  f"thread{'s' if threads > 1 else ''}, load "
                  f"{os.getloadavg()[0]:.1f}")
            with tempfile.TemporaryDirectory() as folder:
                results[f"{problem.name}/{threads}"] = MEASURES[options.what](
                    options, problem, threads, folder)
            if options.json:
                harness.write_json(options.json, dict(
                    machine=harness.machine(), results=results))
    print_summary(options, results)


if __name__ == "__main__":
    main()
