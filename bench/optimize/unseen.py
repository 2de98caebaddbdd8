#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random models with dynamic shapes, optimized on one mix of shapes and
measured on others.

  python bench/optimize/unseen.py --models=20 --shapes=10

Each model is recorded on a mix of two or three shapes (of which one has most
of the calls), optimized with that recording, and measured on shapes that are
not in it: before, after, and before once more (the control), in turn, each
turn in a separate process, in an order that changes from round to round; all
are pinned to one processor. In a process the shapes take turns.

The ratio of a shape is the median over rounds of after/before of the round.
The noise is the largest of: the control's distance from 1 in that shape, the
spread of its rounds (half of their range without the outermost two), and 3 %. A
shape is slower when its ratio is above 1 by more than that, now and when it is
measured once more: of 200 shapes with equal code some seem slower. The results
of each shape have to agree. Prints a line for each model: its
worst shape, and the recorded mix ("recorded", which is what is optimized).
"""

import argparse
import json
import math
import pathlib
import random
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "record")]

import common  # noqa: E402
import harness  # noqa: E402

#: A loss considered to be none, as a fraction of the time.
LEAST_LOSS = 0.03
#: Warm-up iterations of each shape.
WARM_UP = 3


class Model:
    """The text of a function, and the arguments' shapes with names or numbers
    for dimensions. `ranges` are the possible sizes of each name."""

    def __init__(self, text, arguments, ranges):
        self.text, self.arguments, self.ranges = text, arguments, ranges

    def draw(self, dice):
        """Sizes, with all orders of magnitude equally likely."""
        return {name: round(math.exp(dice.uniform(math.log(low),
                                                  math.log(high))))
                for name, (low, high) in self.ranges.items()}

    def options(self, many):
        """For record: each of `many` sizes in turn."""
        shapes = [",".join("x".join(str(sizes.get(d, d)) for d in argument)
                           for sizes in many)
                  if any(d in self.ranges for d in argument) else None
                  for argument in self.arguments]
        return [f"--shape={i}={shape}" for i, shape in enumerate(shapes)
                if shape]


def tensor(dimensions, ranges):
    return "tensor<" + "".join(
        ("?" if d in ranges else str(d)) + "x" for d in dimensions) + "f32>"


class Writer:
    """Builds the body of a function from values with named dimensions."""

    def __init__(self, ranges):
        self.ranges, self.arguments, self.lines = ranges, [], []
        self.sizes, self.count = {}, 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def type(self, dimensions):
        return tensor(dimensions, self.ranges)

    def argument(self, *dimensions):
        value = f"%a{len(self.arguments)}"
        self.arguments.append(dimensions)
        for index, d in enumerate(dimensions):
            if d in self.ranges and d not in self.sizes:
                self.sizes[d] = f"%size_{d}"
                self.lines += [
                    f"%i_{d} = arith.constant {index} : index",
                    f"%size_{d} = tensor.dim {value}, %i_{d} : "
                    f"{self.type(dimensions)}"]
        return value, dimensions

    def empty(self, dimensions):
        sizes = ", ".join(self.sizes[d] for d in dimensions
                          if d in self.ranges or d in self.sizes)
        value = self.name()
        self.lines.append(f"{value} = tensor.empty({sizes}) : "
                          f"{self.type(dimensions)}")
        return value

    def filled(self, dimensions, number="0.0"):
        zero, empty, value = self.name(), self.empty(dimensions), self.name()
        type_ = self.type(dimensions)
        self.lines += [f"{zero} = arith.constant {number} : f32",
                       f"{value} = linalg.fill ins({zero} : f32) "
                       f"outs({empty} : {type_}) -> {type_}"]
        return value

    def structured(self, op, inputs, dimensions, attributes=""):
        out, value = self.filled(dimensions), self.name()
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(self.type(d) for _, d in inputs)
        type_ = self.type(dimensions)
        self.lines.append(f"{value} = linalg.{op} {attributes} ins({names} : "
                          f"{types}) outs({out} : {type_}) -> {type_}")
        return value, dimensions

    def elementwise(self, body, *inputs):
        """`body` takes the elements %x0, %x1 and yields %r."""
        dimensions = inputs[0][1]
        out, value = self.empty(dimensions), self.name()
        loops = ", ".join(f"d{i}" for i in range(len(dimensions)))
        one = f"affine_map<({loops}) -> ({loops})>"
        # A vector for the last dimension.
        last = f"affine_map<({loops}) -> (d{len(dimensions) - 1})>"
        maps = ", ".join([last if len(d) < len(dimensions) else one
                          for _, d in inputs] + [one])
        kinds = ", ".join(['"parallel"'] * len(dimensions))
        names = ", ".join(name for name, _ in inputs)
        types = ", ".join(self.type(d) for _, d in inputs)
        elements = ", ".join(f"%x{i}: f32" for i in range(len(inputs)))
        self.lines.append(
            f"{value} = linalg.generic {{indexing_maps = [{maps}], "
            f"iterator_types = [{kinds}]}} ins({names} : {types}) "
            f"outs({out} : {self.type(dimensions)}) {{\n"
            f"  ^bb0({elements}, %o: f32):\n{body}\n    linalg.yield %r : f32\n"
            f"  }} -> {self.type(dimensions)}")
        return value, dimensions

    def reduce(self, op, value, axis):
        dimensions = tuple(d for i, d in enumerate(value[1]) if i != axis)
        out, result = self.filled(dimensions, "-1.0e30" if "max" in op
                                  else "0.0"), self.name()
        self.lines.append(
            f"{result} = linalg.reduce ins({value[0]} : {self.type(value[1])}) "
            f"outs({out} : {self.type(dimensions)}) dimensions = [{axis}]\n"
            f"    (%p: f32, %q: f32) {{\n      %s = arith.{op} %p, %q : f32\n"
            f"      linalg.yield %s : f32\n    }}")
        return result, dimensions

    def model(self, result):
        arguments = ", ".join(f"%a{i}: {self.type(d)}"
                              for i, d in enumerate(self.arguments))
        type_ = self.type(result[1])
        body = "\n".join("  " + line for line in self.lines)
        return Model(f"func.func @main({arguments}) -> {type_} {{\n{body}\n"
                     f"  return {result[0]} : {type_}\n}}\n",
                     self.arguments,
                     {d: self.ranges[d] for arguments in self.arguments
                      for d in arguments if d in self.ranges})


BODIES = ("    %r = math.tanh %x0 : f32", "    %r = math.exp %x0 : f32",
          "    %c = arith.constant 0.0 : f32\n"
          "    %r = arith.maximumf %x0, %c : f32",
          "    %s = arith.mulf %x0, %x0 : f32\n"
          "    %r = arith.addf %s, %x0 : f32")
ADD = "    %r = arith.addf %x0, %x1 : f32"


def product(dice):
    """All three sizes are dynamic."""
    writer = Writer(dict(m=(1, 120), k=(8, 200), n=(4, 120)))
    x, w = writer.argument("m", "k"), writer.argument("k", "n")
    value = writer.structured("matmul", [x, w], ("m", "n"))
    return writer.model(writer.elementwise(dice.choice(BODIES), value))


def layers(dice):
    """Dynamic rows, with two or three layers."""
    writer = Writer(dict(rows=(1, 200)))
    widths = [dice.choice((24, 48, 64, 100)) for _ in range(dice.choice((3, 4)))]
    value = writer.argument("rows", widths[0])
    for wide, narrow in zip(widths, widths[1:]):
        weights, bias = writer.argument(wide, narrow), writer.argument(narrow)
        value = writer.structured("matmul", [value, weights], ("rows", narrow))
        value = writer.elementwise(ADD, value, bias)
        value = writer.elementwise(dice.choice(BODIES), value)
    return writer.model(value)


def batch(dice):
    writer = Writer(dict(b=(1, 12), m=(1, 60), n=(4, 60)))
    depth = dice.choice((16, 32, 40))
    x, y = writer.argument("b", "m", depth), writer.argument("b", depth, "n")
    value = writer.structured("batch_matmul", [x, y], ("b", "m", "n"))
    return writer.model(writer.elementwise(dice.choice(BODIES), value))


def chain(dice):
    writer = Writer(dict(m=(1, 300), n=(1, 300)))
    value, other = writer.argument("m", "n"), writer.argument("n")
    for _ in range(dice.choice((2, 3, 5))):
        value = writer.elementwise(dice.choice(BODIES), value)
        if dice.random() < 0.5:
            value = writer.elementwise(ADD, value, other)
    return writer.model(value)


def reduction(dice):
    writer = Writer(dict(m=(1, 300), n=(1, 300)))
    value = writer.elementwise(dice.choice(BODIES), writer.argument("m", "n"))
    return writer.model(writer.reduce(dice.choice(("addf", "maximumf")), value,
                                      dice.choice((0, 1))))


def convolution(dice):
    """A 3x3 window over an image of any height and width."""
    ranges = dict(n=(1, 3), h=(4, 40), w=(4, 40))
    channels, filters = dice.choice((3, 8, 16)), dice.choice((8, 16))
    writer = Writer(ranges)
    image = writer.argument("n", "h", "w", channels)
    kernel = writer.argument(3, 3, channels, filters)
    writer.lines.append("%two = arith.constant 2 : index")
    for d in "hw":
        writer.lines.append(f"%less_{d} = arith.subi %size_{d}, %two : index")
        writer.sizes[d + "2"] = f"%less_{d}"
        ranges[d + "2"] = (1, 1)
    value = writer.structured(
        "conv_2d_nhwc_hwcf", [image, kernel], ("n", "h2", "w2", filters),
        "{dilations = dense<1> : tensor<2xi64>, "
        "strides = dense<1> : tensor<2xi64>}")
    return writer.model(writer.elementwise(BODIES[2], value))


KINDS = (product, layers, batch, chain, reduction, convolution)


def make_mix(model, dice):
    """Sizes of ten calls: one has most of them, of two or three."""
    sizes = [model.draw(dice) for _ in range(dice.choice((2, 3)))]
    rare = sizes[1:]
    return [sizes[0]] * (10 - len(rare)) + rare


def make_unseen(model, mix, count, dice):
    unseen = []
    while len(unseen) < count:
        sizes = model.draw(dice)
        if sizes not in mix and sizes not in unseen:
            unseen.append(sizes)
    return unseen


def turn(options, path, model, many, folder):
    """Nanoseconds of a call with each of the `many` sizes, in a new process.
    """
    times = folder / "times.json"
    common.tool(options.tool, "record", path, *model.options(many),
                "--mode=time", "--no-peak", f"--seconds={options.seconds}",
                f"--warm-up={WARM_UP * len(many)}", f"--times={times}")
    ns = json.loads(times.read_text())["iteration_ns"]
    whole = len(ns) // len(many) * len(many)
    if not whole:
        sys.exit("not each shape was run: --seconds is too short")
    # The clock ticks in tens of nanoseconds: without disturbed iterations, a
    # mean is more precise than a median.
    calm = [sorted(ns[i:whole:len(many)]) for i in range(len(many))]
    return [statistics.fmean(one[:max(1, len(one) // 2)]) for one in calm]


def spread(values):
    """Half of the range without the outermost two."""
    inner = sorted(values)[1:-1] if len(values) > 4 else sorted(values)
    return (inner[-1] - inner[0]) / 2


def measure(options, builds, model, many, folder, seed):
    """Rounds of times for each build."""
    return harness.take_turns({
        name: lambda build=build: turn(options, build, model, many, folder)
        for name, build in builds.items()}, options.rounds, seed)


def judge(turns, index):
    """For one shape: ratio, noise, and the time before in seconds."""
    def ratios(name):
        return [after[index] / before[index] for after, before in
                zip(turns[name], turns["before"])]
    seconds = statistics.median(t[index] for t in turns["before"]) * 1e-9
    noise = max(abs(statistics.median(ratios("control")) - 1),
                spread(ratios("control")), spread(ratios("after")),
                LEAST_LOSS)
    return statistics.median(ratios("after")), noise, seconds


def same_results(options, before, after, model, sizes, folder):
    results = folder / "results"
    more = ["--mode=time", "--no-peak", "--iterations=1"]
    common.tool(options.tool, "record", before, *model.options([sizes]), *more,
                f"--save-results={results}")
    compared = [f"--compare={file.stem}={file}"
                for file in sorted(results.iterdir())]
    code, _, error = common.tool(options.tool, "record", after,
                                 *model.options([sizes]), *more, *compared,
                                 check=False)
    return code == 0, error


def try_model(options, number, folder):
    dice = random.Random(options.seed * 1000 + number)
    kind = KINDS[number % len(KINDS)]
    model = kind(dice)
    mix = make_mix(model, dice)
    recorded = [sizes for i, sizes in enumerate(mix) if sizes not in mix[:i]]
    unseen = make_unseen(model, mix, options.shapes, dice)
    before, after = folder / "model.mlir", folder / "optimized.mlir"
    before.write_text(model.text)
    common.tool(options.tool, "record", before, *model.options(mix),
                "--no-peak", "--seconds=1", "-o", folder / "run.mlprof")
    receipts = folder / "receipts.json"
    common.tool(options.tool, "optimize", before, "-o", after,
                f"--profile={folder / 'run.mlprof'}",
                f"--budget={options.budget}", f"--receipts={receipts}")
    facts = json.loads(receipts.read_text())
    kept = sorted({r["technique"] for r in facts["receipts"] if r["applied"]})
    refused = sum("not recorded" in r["reason"] for r in facts["receipts"])
    wrong = [sizes for sizes in unseen + recorded
             if not same_results(options, before, after, model, sizes,
                                 folder)[0]]
    builds = dict(before=before, after=after, control=before)
    turns = measure(options, builds, model, unseen + recorded, folder, number)
    judged = [judge(turns, i) for i in range(len(unseen))]
    slower = [i for i, (ratio, noise, _) in enumerate(judged)
              if ratio > 1 + noise]
    if slower:
        again = measure(options, builds, model, [unseen[i] for i in slower],
                        folder, number + options.models)
        for place, i in enumerate(slower):
            judged[i] = judge(again, place)
        slower = [i for i in slower if judged[i][0] > 1 + judged[i][1]]
    whole = {name: [[sum(mix.count(sizes) * ns for sizes, ns
                         in zip(recorded, times[len(unseen):]))]
                    for times in rounds] for name, rounds in turns.items()}
    worst = max(range(len(unseen)), key=lambda i: judged[i][0] - judged[i][1])
    best = min(ratio for ratio, _, _ in judged)
    ratio, noise, seconds = judged[worst]
    row = dict(model=number, kind=kind.__name__, kept=kept, refused=refused,
               recorded=judge(whole, 0)[0], recorded_noise=judge(whole, 0)[1],
               best=best, worst=ratio, noise=noise, worst_seconds=seconds,
               worst_sizes=unseen[worst], slower=len(slower), wrong=len(wrong),
               shapes=[dict(sizes=sizes, ratio=r, noise=n, seconds=s)
                       for sizes, (r, n, s) in zip(unseen, judged)])
    row["verdict"] = ("wrong results" if wrong else
                      "slower" if slower else "not slower")
    return row


def print_rows(rows):
    table = [[row["model"], row["kind"], ",".join(row["kept"]) or "-",
              row["refused"],
              f"{row['recorded']:.3f} +/- {row['recorded_noise']:.3f}",
              f"{row['best']:.3f}",
              f"{row['worst']:.3f} +/- {row['noise']:.3f}",
              "x".join(map(str, row["worst_sizes"].values())),
              f"{row['worst_seconds'] * 1e6:.2f}", row["verdict"]]
             for row in rows]
    harness.print_table(["#", "kind", "kept", "refused", "recorded mix",
                         "best", "worst", "of sizes", "us", "verdict"], table)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="number of the "
                        "first model")
    parser.add_argument("--shapes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", default="30s", help="of optimize")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of a turn")
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--keep", help="folder for the files of each model")
    parser.add_argument("--json", help="write all figures to this file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    harness.pin(options.cpu)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(options.keep or scratch)
        for number in range(options.first, options.first + options.models):
            folder = root / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            rows.append(try_model(options, number, folder))
            row = rows[-1]
            print(f"{number}: {row['kind']}, worst {row['worst']:.3f}, "
                  f"{row['verdict']}", file=sys.stderr, flush=True)
    print_rows(rows)
    bad = [row for row in rows if row["verdict"] != "not slower"]
    print(f"\n{len(bad)} of {len(rows)} models are slower or wrong for a shape "
          f"that was not recorded; {harness.machine().get('cpu', '')}")
    if options.json:
        harness.write_json(options.json, dict(machine=harness.machine(),
                                              results=rows))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
