#!/usr/bin/env python3
"""Compares what mlir-prof diff says of two synthetic profiles of one run each with
the tests of docs/comparing.md, over the single numbers.

usage: diff_numbers.py DIFF_JSON BEFORE_OPTION,... AFTER_OPTION,...
"""

import json
import math
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
from synthetic_profile import samples_of  # noqa: E402


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


def quantile_of(tail, freedom):
    """The t whose tail it is."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail_of(middle, freedom) > tail else (low, middle)
    return high


def wall_of(samples):
    """Iterations, each as long as its ops."""
    return [max(0, sum(v)) for v in zip(*samples.values())]


def compare_means(before, after, scatter):
    """Change of the mean, and its error, of one run a side: runs are taken to
    differ by 1.5 % and by twice what their iterations scatter by, beside what
    the events tell."""
    means = [statistics.mean(v) for v in (before, after)]
    events = sum(statistics.variance(v) / len(v) for v in (before, after)) / 2
    expected = (sum(means) / 2) ** 2 * (0.015**2 + (2 * scatter) ** 2) + events
    return means[1] - means[0], (2 * expected) ** 0.5


def deviation_of(values):
    """How uncertain the smallest value is; of no more than 64."""
    excess = statistics.mean(values) - min(values)
    deviation = statistics.stdev(values)
    few = excess / len(values) * max(0, 1 - len(values) / 64)
    return max(few, min(excess, deviation * (excess / deviation) ** 4 / min(64, len(values))))


def compare_quickest(before, after, all_quickest):
    """As compare_means, of the quickest executions: runs are taken to differ by 0.75 % divided by the root of the share."""
    quickest = [min(v) for v in (before, after)]
    level = sum(quickest) / 2
    events = sum(deviation_of(v) ** 2 for v in (before, after)) / 2
    expected = (level * 0.0075) ** 2 / (level / all_quickest) + events
    return quickest[1] - quickest[0], (2 * expected) ** 0.5


def options_of(text):
    return dict(part.split("=", 1) for part in text.split(",") if part)


def main():
    diff = json.load(open(sys.argv[1], encoding="utf-8"))
    before, after = (samples_of(options_of(text)) for text in sys.argv[2:4])
    rows = {row["name"]: row for row in diff["rows"]}
    plain, share = {}, {}
    wholes = [sum(map(sum, side.values())) / len(wall_of(side)) for side in (before, after)]
    scatter = statistics.median(
        statistics.stdev(w) / statistics.mean(w) for w in map(wall_of, (before, after))
    )
    all_quickest = sum(min(v) for side in (before, after) for v in side.values()) / 2
    # What is expected of a run is worth 8 degrees of freedom.
    freedom = 8
    for name in before.keys() & after.keys():
        row = rows[name]
        share[name] = max(row["before"], row["after"]) / max(wholes)
        means = statistics.mean(after[name]) - statistics.mean(before[name])
        assert abs(row["change"] - means) <= 1, (row, means)
        # Two tests, each with its part of the chance of an error.
        tests = [
            (
                *compare_quickest(before[name], after[name], all_quickest),
                0.8,
                "fastest",
                min(before[name]),
            ),
            (
                *compare_means(before[name], after[name], scatter),
                0.2,
                "mean",
                statistics.mean(before[name]),
            ),
        ]
        change, error, part, measure, base = min(tests, key=lambda t: tail_of(t[0] / t[1], freedom) / t[2])
        plain[name] = min(1, tail_of(change / error, freedom) / part)
        assert row["measure"] == measure, (row, measure)
        assert abs(row["tested_change"] - change) <= 1, (row, change)
        assert abs(row["tested_before"] - base) <= 1, (row, base)
        assert row["base"] == row["tested_before"], row
        assert row["tested_after"] == row["tested_before"] + row["tested_change"], row
        # Its change is in whole picoseconds.
        assert abs(row["p"] - plain[name]) < 1e-4, (row, plain[name])
        # Its ends are as unlikely as the confidence says.
        assert abs((row["low"] + row["high"]) / 2 - row["tested_change"]) <= 1, row
        reach = (row["high"] - row["low"]) / 2 / error
        assert abs(tail_of(reach, freedom) - 0.01 * part) < 1e-4, (row, reach)
        # Half of the chance of 1 % is for ops, by their shares.
        reach = quantile_of(0.01 * 0.5 * share[name] * part, freedom) * error
        assert abs(row["detectable"] - reach) < 1e-3 * reach, (row, reach)
    # Holm, with weights: the largest of p * (weight that is left) / (own weight),
    # up to here, of half the chance. What appeared is as unlikely as can be, and
    # comes first.
    largest, left = 0.0, sum(share.values())
    for name in sorted(plain, key=lambda name: plain[name] / share[name]):
        largest = max(largest, plain[name] * left / share[name] / 0.5)
        left -= share[name]
        adjusted = rows[name]["adjusted_p"]
        assert abs(adjusted - min(1, largest)) < 1e-3, (rows[name], largest)
    total = sum(row["change"] for row in diff["rows"]) + diff["rounding"]
    assert total == diff["total"]["change"], (total, diff["total"])
    print("agrees on", len(plain), "ops")


if __name__ == "__main__":
    main()
