# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what record and report say of the iterations of one run with Python's
statistics: TIMES REPORT."""
import json
import statistics
import sys

times, report = (json.load(open(path)) for path in sys.argv[1:])
run, = report["runs"]
each = times["iteration_ns"]
assert len(each) % 2 == 0, "an even number, of which two are in the middle"
assert times["median_ns"] == statistics.median(each), times
assert run["median_ps"] == statistics.median(each) * 1000, (times, run)
assert run["mean_ps"] == sum(each) * 1000 // len(each), (times, run)
assert abs(times["mean_ns"] * 1000 - run["mean_ps"]) < 1, (times, run)
low, _, high = statistics.quantiles(each, n=4, method="inclusive")
assert abs(times["spread_ns"] - (high - low) / 2) < 0.01, times
