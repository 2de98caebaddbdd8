#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races models of known cost: a layer three times as wide as another one.

  python bench/race/known.py [--frameworks torch,onnxruntime,...]

Both layers read the same input, so that one has three times the work of the other. For
each framework the table has the time of the wide layer over that of the narrow one, by
the framework's own profiler; the part of the framework's total that has a module; and
that total over the median time of a whole call without a profiler. Needs PyTorch and the
frameworks, which say so if they are absent.
"""

import argparse

import torch

import mlir_prof

NAMES = ["torch", "inductor", "onnxruntime", "openvino", "iree", "mlir_prof"]


class Layers(torch.nn.Module):
    def __init__(self, make):
        super().__init__()
        self.narrow, self.wide = make(1), make(3)

    def forward(self, x):
        return self.narrow(x), self.wide(x)


def make_models():
    """(name, module, argument)."""
    torch.manual_seed(0)
    yield ("linear", Layers(lambda times: torch.nn.Linear(512, 256 * times)),
           torch.randn(256, 512))
    yield ("convolution", Layers(lambda times: torch.nn.Conv2d(
        32, 32 * times, 3, padding=1)), torch.randn(1, 32, 48, 48))


def print_race(name, race):
    times = {row["module"]: row for row in race.rows}
    for entry, totals in zip(race.entries, race.totals):
        key = f"{entry.name}_ps"
        narrow, wide = (times[layer].get(key) if layer in times else None
                        for layer in ("narrow", "wide"))
        if not narrow or not wide:
            why = entry.reason or entry.no_rows or "it has one for both, or for neither"
            print(f"{name:12} {entry.name:12} does not have a time for each layer: {why}")
            continue
        total = totals["total_ps"]
        whole = next(row["median_ps"] for row in race.times
                     if row["framework"] == entry.name)
        print(f"{name:12} {entry.name:12} {wide / narrow:12.2f} "
              f"{(narrow + wide) / total:12.3f} {total / whole:12.2f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--frameworks", default=",".join(NAMES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    print(f"{'model':12} {'framework':12} {'wide/narrow':>12} {'with module':>12} "
          f"{'sum/call':>12}")
    for name, module, x in make_models():
        print_race(name, mlir_prof.race(
            module.eval(), x, frameworks=options.frameworks.split(","),
            rounds=options.rounds, seconds=options.seconds, progress=False))


if __name__ == "__main__":
    main()
