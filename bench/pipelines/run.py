#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of compiled models against other compilers and runtimes.

  python bench/pipelines/run.py --models FOLDER --threads 1,2

Contestants take turns in an order that changes from round to round: each peer
in a separate process that checked its results against the float64 reference,
warmed up, and idles between its turns; the tool as `record --mode=time`. The
figure of a turn is its median (for mlp_dyn: over passes of the trace, of the
mean request). A ratio is of one round, to the best peer of that round: its min
/ median / max over the rounds, and that of the smallest times of all. With one
thread all are pinned to one processor. Peers that are not installed are
listed.

--contestant adds builds: NAME=OPTIONS of `record`, with a file first to run in
the model's place; {name} is the model's name:

  --contestant 'direct=--max-error=0' \\
  --contestant 'optimized=out/{name}.opt.mlir --decisions=decisions.db'
"""

import argparse
import random
import tempfile

import problems

import common  # noqa: E402
import contestants as players  # noqa: E402
import harness  # noqa: E402
import peers  # noqa: E402
import rounds  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    rounds.add_options(parser)
    parser.add_argument("--models", required=True,
                        help="where bench/models.py wrote to")
    parser.add_argument("--kind", default="const", choices=("const", "args"))
    parser.add_argument("--only", default="mlp,cnn,transformer,mlp_dyn")
    parser.add_argument("--peers", default=",".join(peers.PEERS))
    parser.add_argument("--pipelines", default="default",
                        help="builds of the tool, by --pipeline")
    options = parser.parse_args()
    rounds.check_options(parser, options)
    return options


def get_makers(options, case, threads, folder):
    """{name: function that makes the contestant}."""
    problem = problems.Problem(case.name)
    makers = {name: lambda name=name: players.PeerProcess(
                  name, problem, threads, folder)
              for name in filter(None, options.peers.split(","))}
    for name, flags in rounds.get_builds(
            options, options.pipelines).items():
        makers[name] = lambda flags=flags: players.Tool(
            options.tool, case, problem, threads, flags, folder)
    return makers


def measure(options, case, threads):
    with tempfile.TemporaryDirectory() as folder:
        result = rounds.compete(get_makers(options, case, threads, folder),
                                options, random.Random(case.name))
    print(f"\n{case.name}, {threads} thread{'s' if threads > 1 else ''}")
    rounds.print_figures(**result)
    return result


def main():
    options = parse_arguments()
    results = {}
    for threads in rounds.for_threads(options):
        for case in common.bench_cases(options.models, options.kind):
            if case.name in options.only.split(","):
                results[f"{case.name}/{threads}"] = measure(options, case,
                                                            threads)
    if options.json:
        harness.write_json(options.json, dict(machine=harness.machine(),
                                              results=results))


if __name__ == "__main__":
    main()
