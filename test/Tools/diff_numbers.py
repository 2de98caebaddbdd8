#!/usr/bin/env python3
"""Compares what mlir-prof diff says of two synthetic profiles with Welch's test
as it stands in textbooks, over the single numbers.

usage: diff_numbers.py DIFF_JSON BEFORE_OPTION,... AFTER_OPTION,...
"""

import json
import math
import statistics
import sys

from synthetic_profile import samples_of


def tail_of(t, freedom):
    """The chance of |T| >= t, by Simpson's rule over the density."""
    log = (
        math.lgamma((freedom + 1) / 2)
        - math.lgamma(freedom / 2)
        - math.log(freedom * math.pi) / 2
    )
    steps, inside = 20000, 0.0
    for i in range(steps + 1):
        x = abs(t) * i / steps
        weight = 1 if i in (0, steps) else 4 if i % 2 else 2
        density = math.exp(log - (freedom + 1) / 2 * math.log1p(x * x / freedom))
        inside += weight * density
    return max(0.0, 1 - 2 * inside * abs(t) / steps / 3)


def welch(before, after):
    """Change of the mean, its error, and degrees of freedom."""
    parts = [statistics.variance(v) / len(v) for v in (before, after)]
    freedom = sum(parts) ** 2 / sum(
        p * p / (len(v) - 1) for p, v in zip(parts, (before, after))
    )
    return statistics.mean(after) - statistics.mean(before), sum(parts) ** 0.5, freedom


def options_of(text):
    return dict(part.split("=", 1) for part in text.split(",") if part)


def main():
    diff = json.load(open(sys.argv[1], encoding="utf-8"))
    before, after = (samples_of(options_of(text)) for text in sys.argv[2:4])
    rows = {row["name"]: row for row in diff["rows"]}
    plain = {}
    for name in before.keys() & after.keys():
        change, error, freedom = welch(before[name], after[name])
        plain[name] = tail_of(change / error, freedom)
        row = rows[name]
        assert abs(row["change"] - change) <= 1, (row, change)
        # Its change is in whole picoseconds.
        assert abs(row["p"] - plain[name]) < 1e-4, (row, plain[name])
        # Its ends are as unlikely as the confidence says.
        assert abs((row["low"] + row["high"]) / 2 - row["change"]) <= 1, row
        reach = (row["high"] - row["low"]) / 2 / error
        assert abs(tail_of(reach, freedom) - 0.05) < 1e-4, (row, reach)
    # Holm: the largest of p * (number of tests that are left), up to here.
    largest, order = 0.0, sorted(plain, key=plain.get)
    appeared = [r for r in diff["rows"] if r["match"] in ("appeared", "disappeared")]
    for i, name in enumerate(order):
        tests = len(order) + len(appeared)
        # What appeared is as unlikely as can be, and comes first.
        largest = max(largest, plain[name] * (tests - len(appeared) - i))
        assert abs(rows[name]["adjusted_p"] - min(1, largest)) < 1e-3, rows[name]
    total = sum(row["change"] for row in diff["rows"]) + diff["rounding"]
    assert total == diff["total"]["change"], (total, diff["total"])
    print("agrees on", len(plain), "ops")


if __name__ == "__main__":
    main()
