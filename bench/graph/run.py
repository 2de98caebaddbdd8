#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of drawing a graph: reading, critical path, collapsing, layout, writing.

Graphs of 100,000 nodes are drawn as by `mlir-prof graph`, collapsed to fit a
picture. Graphviz lays out the same graph without collapsing, which is feasible
only for small ones; for these, mlir-prof does not collapse either.

    bench/graph/run.py --tool build/bin/mlir-prof [--rounds 5]
"""

import argparse
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import harness  # noqa: E402


def chain(count, _):
    return [(i - 1, i) for i in range(1, count)]


def wide(count, _):
    return []


def star(count, _):
    return [(0, i) for i in range(1, count)]


def tree(count, _):
    return [((i - 1) // 3, i) for i in range(1, count)]


def program(count, numbers):
    """As in a program: most operands were computed shortly before."""
    return [(i - 1 - int(min(i - 1, numbers.expovariate(0.1))), i)
            for i in range(1, count) for _ in range(numbers.randint(1, 2))]


def dense(count, numbers):
    return [(numbers.randrange(i), i) for i in range(1, count)
            for _ in range(8)]


def cyclic(count, numbers):
    return [(numbers.randrange(count), numbers.randrange(count))
            for _ in range(count)]


SHAPES = (chain, wide, star, tree, program, dense, cyclic)


def write_graph(path, shape, count):
    numbers = random.Random(1)
    nodes = [dict(name=f"stablehlo.op_{i % 50}", ts=i,
                  duration=int(numbers.lognormvariate(12, 3)), id=i, adj=[])
             for i in range(count)]
    edges = [dict(edgeFrom=a, edgeTo=b) for a, b in shape(count, numbers)]
    with open(path, "w") as file:
        json.dump(dict(version="1.0.0", nodes=nodes, edges=edges), file)


def measure_large(arguments, folder, path, shape):
    write_graph(path, shape, arguments.nodes)
    out = os.path.join(folder, "out")

    def draw(form):
        return lambda: harness.run([arguments.tool, "graph", path,
                                    f"--format={form}", "-o", out])[0]

    return harness.alternate({"svg": draw("svg"), "json": draw("mlirgraph")},
                             arguments.rounds)


def measure_small(arguments, folder, path):
    """Layout of all nodes of one program by mlir-prof and by Graphviz."""
    write_graph(path, program, arguments.small)
    dot, out = os.path.join(folder, "in.dot"), os.path.join(folder, "out.svg")
    harness.run([arguments.tool, "graph", path, "--format=dot", "-o", dot])
    ours = [arguments.tool, "graph", path, "--format=svg", "-o", out,
            f"--max-nodes={arguments.small}"]
    return harness.alternate(
        {"ours": lambda: harness.run(ours)[0],
         "dot": lambda: harness.run([arguments.dot, "-Tsvg", dot,
                                     "-o", out])[0]},
        arguments.rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--dot", default="dot")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--small", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="write the numbers here")
    arguments = parser.parse_args()
    results = dict(machine=harness.machine(), nodes=arguments.nodes)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.json")
        rows = []
        for shape in SHAPES:
            seconds = measure_large(arguments, folder, path, shape)
            spreads = {name: harness.spread(s) for name, s in seconds.items()}
            results[shape.__name__] = spreads
            rows.append([shape.__name__,
                         harness.format_spread(spreads["svg"], 2),
                         harness.format_spread(spreads["json"], 2)])
        harness.print_table([f"{arguments.nodes} nodes", "svg, s",
                             "read and write JSON, s"], rows)
        seconds = measure_small(arguments, folder, path)
        results["small"] = {name: harness.spread(s)
                            for name, s in seconds.items()}
        results["dot / ours"] = harness.ratios(seconds["dot"], seconds["ours"])
        print(f"{arguments.small} nodes, all drawn: ours",
              harness.format_spread(results["small"]["ours"], 3), "s, dot",
              harness.format_spread(results["small"]["dot"], 2), "s, ratio",
              harness.format_spread(results["dot / ours"], 0))
    if arguments.json:
        harness.write_json(arguments.json, results)


if __name__ == "__main__":
    main()
