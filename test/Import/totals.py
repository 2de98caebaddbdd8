#!/usr/bin/env python3
"""Prints sums of a profile in JSON, or fails when those of several differ.

usage: totals.py WHAT PROFILE.json...

WHAT: events (count and time of all events), or ops (weight of all ops, ps)."""

import json
import sys


def measured(op, quantity):
    return sum(int(one["summary"].get("sum", 0))
               for one in op.get("measurements", ())
               if one.get("quantity", "EXECUTE") == quantity)


def weight(op):
    """docs/matching.md: self + (bounded - execute), where they were measured."""
    late = 0
    if any(one.get("quantity") == "BOUNDED" for one in op["measurements"]):
        late = measured(op, "BOUNDED") - measured(op, "EXECUTE")
    return measured(op, "SELF") + late


def totals(what, path):
    with open(path) as file:
        runs = json.load(file)["runs"]
    if what == "ops":
        return sum(weight(op) for run in runs for op in run.get("ops", ()))
    events = [event["total"] for run in runs for event in run["events"]]
    return (sum(int(total["count"]) for total in events),
            sum(int(total.get("sum", 0)) for total in events))


def main():
    what, *paths = sys.argv[1:]
    found = [totals(what, path) for path in paths]
    print(*found)
    sys.exit(any(one != found[0] for one in found))


if __name__ == "__main__":
    main()
