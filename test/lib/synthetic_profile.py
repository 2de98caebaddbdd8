"""Profiles in JSON whose every number is known, for tests of what compares and
adds up profiles.

usage: synthetic_profile.py OUT [KEY=VALUE...]
  seed=N      of the random numbers (0)
  factor=X    what the times of op0 are multiplied by (1)
  ops=N       number of ops (5); op I takes 1000000 * (I + 1) ps on average
  events=N    executions of each, one an iteration (50)
  noise=X     standard deviation as a part of the time (0.05)
  hash=TEXT   of the recording (that of the seed)
  cpu=TEXT    of the machine (none)
  extra=NAME  one more op, of 500000 ps
  prefix=TEXT of the ops' names (op)
  quantity=Q  SELF, CYCLES ... (SELF)
"""

import json
import random
import sys


def bucket_of(value):
    if value <= 0:
        return 0
    if value < 4:
        return value
    log = value.bit_length() - 1
    return 4 * log - 4 + ((value >> (log - 2)) & 3)


def lower_bound(bucket):
    """Smallest value of a bucket above 0."""
    if bucket < 4:
        return bucket
    log = bucket // 4 + 1
    return (4 | bucket & 3) << (log - 2)


def summary_of(values):
    squares = sum(v * v for v in values)
    buckets = {}
    for value in values:
        buckets[bucket_of(value)] = buckets.get(bucket_of(value), 0) + 1
    first, last = min(buckets), max(buckets)
    return {
        "count": str(len(values)),
        "sum": str(sum(values)),
        "sumSquaresLow": str(squares % 2**64),
        "sumSquaresHigh": str(squares >> 64),
        "min": str(min(values)),
        "max": str(max(values)),
        "histogramFirst": first,
        "histogramCounts": [str(buckets.get(i, 0)) for i in range(first, last + 1)],
    }


def samples_of(options):
    """Times of each op by name."""
    numbers = random.Random(int(options.get("seed", 0)))
    events, noise = int(options.get("events", 50)), float(options.get("noise", 0.05))
    factor = float(options.get("factor", 1))
    means = {
        f"{options.get('prefix', 'op')}{i}": 1e6 * (i + 1) * (factor if i == 0 else 1)
        for i in range(int(options.get("ops", 5)))
    }
    if "extra" in options:
        means[options["extra"]] = 5e5
    return {
        name: [int(numbers.gauss(mean, noise * mean)) for _ in range(events)]
        for name, mean in means.items()
    }


def profile_of(options):
    samples = samples_of(options)
    quantity = options.get("quantity", "SELF")
    run = {
        "hash": options.get("hash", f"{int(options.get('seed', 0)):032x}"),
        "source": "synthetic",
        "producer": {"format": "synthetic"},
        "machine": {"cpu": options.get("cpu", "")},
        "ops": [
            {
                "op": i,
                "measurements": [{"quantity": quantity, "summary": summary_of(values)}],
            }
            for i, values in enumerate(samples.values())
        ],
        "iterations": summary_of([max(0, sum(v)) for v in zip(*samples.values())]),
    }
    return {
        "schema": "mlir-prof.profile/1",
        "minor": 1,
        "opKeys": [{"kind": "FRAMEWORK_NODE", "op": name} for name in samples],
        "runs": [run],
    }


def main():
    options = dict(argument.split("=", 1) for argument in sys.argv[2:])
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(profile_of(options), file, indent=1)


if __name__ == "__main__":
    main()
