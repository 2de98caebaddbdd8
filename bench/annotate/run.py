#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of annotating a module, as a multiple of mlir-opt's own parse and print
of the same file.

    bench/annotate/run.py --build build [--ops 1000000] [--rounds 5]
"""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import harness  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--mlir-opt", default="/usr/lib/llvm-22/bin/mlir-opt")
    parser.add_argument("--ops", type=int, default=1_000_000)
    parser.add_argument("--measured", type=int, default=10,
                        help="ops of 100 that are measured")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="write the numbers here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = measure(arguments, folder)
    if arguments.json:
        harness.write_json(arguments.json, results)


def measure(arguments, folder):
    base = os.path.join(folder, "large")
    subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), base,
                    f"--ops={arguments.ops}",
                    f"--measured={arguments.measured}"], check=True)
    tools = os.path.join(arguments.build, "bin")
    model, profile = base + ".mlir", base + ".mlprof"
    out = os.path.join(folder, "out.mlir")
    harness.run([os.path.join(tools, "mlir-prof"), "import",
                 base + ".mlprof.json", "-o", profile])

    def annotate(carrier):
        return [os.path.join(tools, "mlir-prof-opt"), model, "-o", out,
                "--pass-pipeline=builtin.module(prof-annotate{profile="
                f"{profile} carrier={carrier}}})"]

    # If locations carry the profile, they are printed, and so are the peer's.
    locations = ["--mlir-print-debuginfo"]
    stock = [arguments.mlir_opt, model, "-o", out]
    commands = {
        "mlir-opt": stock,
        "annotate, attribute": annotate("attribute"),
        "mlir-opt, locations": stock + locations,
        "annotate, location": annotate("location") + locations,
    }
    seconds = harness.alternate(
        {name: lambda command=command: harness.run(command)[0]
         for name, command in commands.items()}, arguments.rounds)
    peers = {"annotate, attribute": "mlir-opt",
             "annotate, location": "mlir-opt, locations"}
    ratios = {name: harness.ratios(seconds[name], seconds[peer])
              for name, peer in peers.items()}
    rows = [(name, harness.format_spread(harness.spread(values), 2),
             harness.format_spread(ratios[name], 2) if name in ratios else "")
            for name, values in seconds.items()]
    harness.print_table(("min / median / max", "seconds", "times its peer"),
                        rows)
    return dict(ops=arguments.ops, measured=arguments.measured,
                machine=harness.machine(), seconds=seconds, ratios=ratios)


if __name__ == "__main__":
    main()
