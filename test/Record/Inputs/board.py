#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the probes of a board's program counted with QEMU's plugin.

usage: board.py PROBES.json PLUGIN.json CALLS

Both reports are of ops. The sums agree within 4 %: probes make code longer, and their cost is
subtracted. The largest op is the same; a probe around a loop that computes several ops, such
as a convolution and its rescale, is that of the first one. Probes count CALLS executions.
"""

import json
import sys


def read(path, unit):
    """The sum of a report, and the place of its largest op."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    largest = max(report["rows"], key=lambda row: row["total_" + unit])
    return report["coverage"]["op_" + unit], largest["location"]


def main():
    """See the top of this file."""
    probes, plugin, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
    found, place = read(probes, "icount_instructions")
    expected, expected_place = read(plugin, "instructions")
    expected *= calls
    if abs(found - expected) > 0.04 * expected:
        sys.exit(f"{found} by probes, {expected} by the plugin")
    if place != expected_place:
        sys.exit(f"most in {place} by probes, in {expected_place} by the plugin")
    print("the sum and the largest op agree")


if __name__ == "__main__":
    main()
