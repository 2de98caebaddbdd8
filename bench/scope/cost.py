#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a scope in each mode, against its floors and other profilers.

  python3 bench/scope/cost.py --build build

cost.cpp times batches of 4000 intervals, one contestant after the other in an order that
changes from round to round, each thread bound to its processor. Two readings of the clock
are the floor of a scope that is recorded, the empty loop is that of one that is off. A
machine that others share only adds to a batch: compare minima there, and medians where it
is quiet. volume.cpp times records that are written and read, and measures the memory of a
ring. peers.py says which other profilers take part, and what they need.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

import harness  # noqa: E402
import peers  # noqa: E402

EMPTY, READS = "empty loop", "two clock reads"

# The goal of each contestant: at most so much more than the empty loop in ns, or so many
# times two readings of the clock, or so many ns.
GOALS = {
    "off": ("over the empty loop", 0.5),
    "on, ring": ("of two reads", 1.15),
    "on, C, ring": ("of two reads", 1.25),
    "statistics": ("of two reads", 1.55),
    "on, run-time name, ring": ("ns", 45.0),
    "stop and write, a record": ("ns", 100.0),
}


def build_programs(options, folder):
    """Builds the programs and what peers there are: (cost, volume, loaded peers, reasons
    by absent peer)."""
    compiler = peers.Compiler(options, folder)
    # Without LLVM, whose library would be most of the memory that is measured.
    volume = compiler.link("volume", [
        compiler.compile(HERE / "volume.cpp"),
        compiler.compile(ROOT / "lib/Support/Loss.cpp")], [
        f"{options.build}/lib/Scope/libMLIRProfScope.a",
        f"{options.build}/lib/libprof_rt.a"])
    sources = [HERE / name for name in ("cost.cpp", "floors.cpp", "scopes.cpp")]
    sources += [HERE / "peers" / f"{name}.cpp" for name in peers.ALWAYS]
    cost = compiler.link("cost", [compiler.compile(source) for source in sources], [
        "-rdynamic", f"{options.build}/lib/libprof_rt.a", "-lMLIR", "-lLLVM", "-ldl"])
    loaded, absent = [], {}
    for peer in peers.make_optional(options):
        try:
            loaded.append((peer, peer.build(compiler)))
        except peers.Absent as reason:
            absent[peer.name] = str(reason)
    return cost, volume, loaded, absent


def measure_costs(options, cost, loaded, folder, threads):
    """Nanoseconds by contestant and round."""
    cpus = ",".join(map(str, options.cpus))
    command = [cost, str(options.rounds), str(threads), cpus,
               os.path.join(folder, "scopes")]
    # Peers that were not told to start would be called off.
    for peer, library in loaded:
        peer.start(folder)
        command.append(library)
    try:
        return json.loads(subprocess.check_output(command, encoding="utf-8",
                                                  env=peers.environment(loaded)))
    finally:
        for peer, _ in loaded:
            peer.stop()


def compare(name, times):
    """The figure that a goal limits, of minima; the goal; whether it holds."""
    unit, most = GOALS[name]
    value = min(times[name])
    if unit == "of two reads":
        value /= min(times[READS])
    elif unit != "ns":
        value -= min(times[EMPTY])
    return f"{value:.2f} {unit}", f"{most:g}", "yes" if value <= most else "NO"


def make_row(name, times):
    values = times[name]
    low, middle, high = (harness.quantile(values, part) for part in (.25, .5, .75))
    row = [name, f"{min(values):.2f}", f"{middle:.2f}", f"{low:.2f} to {high:.2f}"]
    if READS in times and len(values) == len(times[READS]):
        ratios = [a / b for a, b in zip(values, times[READS])]
        row += [f"{min(values) / min(times[READS]):.2f}",
                f"{harness.quantile(ratios, .5):.2f}"]
    else:
        row += ["", ""]
    return row + list(compare(name, times) if name in GOALS else ("", "", ""))


def measure_volume(options, volume, folder):
    """Rows of records, and sentences about memory."""
    path = os.path.join(folder, "volume.scopes")

    def run(*arguments):
        return json.loads(subprocess.check_output([volume, *map(str, arguments)],
                                                  encoding="utf-8"))

    records = run("records", options.volume_rounds, options.records, path)
    bounded = {"in memory": run("bounded", options.scopes),
               "in a file": run("bounded", options.scopes, path)}
    return records, bounded


def show(results):
    header = ["ns of one", "min", "median", "middle half", "min / two reads",
              "of rounds", "goal", "at most", "holds"]
    rows = []
    for threads, times in results["threads"].items():
        rows.append([f"-- threads: {threads}, load {results['load'][threads]:.1f}"])
        rows += [make_row(name, times)
                 for name in sorted(times, key=lambda of: min(times[of]))]
    rows.append([f"-- {results['records']} records"])
    rows += [make_row(name, results["volume"]) for name in results["volume"]]
    harness.print_table(header, [row + [""] * (len(header) - len(row)) for row in rows])
    for where, of in results["bounded"].items():
        grown = (of["after"] - of["before"]) / 1024
        print(f"ring {where}: {of['scopes']} scopes, {of['ns']:.1f} ns each, resident "
              f"memory grew by {grown:.0f} KiB to {of['after'] / 1024:.0f} KiB after the "
              f"first million")
    for name, reason in results["absent"].items():
        print(f"absent: {name}: {reason}")
    print(f"processor: {results['machine']['cpu']}, {results['machine']['threads']} "
          f"threads; rounds: {results['rounds']}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build", help="build folder")
    parser.add_argument("--cxx", default="clang++-22", help="compiler")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22", help="LLVM's folder")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--threads", default="1,2", help="numbers of threads")
    parser.add_argument("--cpus", help="processors of the threads, default: the last ones",
                        type=lambda text: [int(cpu) for cpu in text.split(",")],
                        default=sorted(os.sched_getaffinity(0), reverse=True))
    parser.add_argument("--records", type=int, default=1000000,
                        help="records that are written and read")
    parser.add_argument("--volume-rounds", type=int, default=10)
    parser.add_argument("--scopes", type=int, default=100000000,
                        help="scopes in a ring")
    parser.add_argument("--paddle", help="folder of the package paddle, with its headers")
    parser.add_argument("--perfetto", help="folder with perfetto.h and perfetto.cc")
    parser.add_argument("--lttng", action="store_true",
                        help="start LTTng's daemon and a session")
    parser.add_argument("--keep", help="folder in which built programs are kept")
    parser.add_argument("--json", help="file for all times")
    return parser.parse_args()


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        cost, volume, loaded, absent = build_programs(options, options.keep or folder)
        results = dict(machine=harness.machine(), rounds=options.rounds, absent=absent,
                       records=options.records, threads={}, load={})
        for threads in map(int, options.threads.split(",")):
            results["threads"][threads] = measure_costs(options, cost, loaded, folder,
                                                        threads)
            results["load"][threads] = os.getloadavg()[0]
        results["volume"], results["bounded"] = measure_volume(options, volume, folder)
    show(results)
    if options.json:
        harness.write_json(options.json, results)


if __name__ == "__main__":
    main()
