#!/usr/bin/env python3
"""Prints the time of all ops in profiles together, from their JSON form.

usage: total_time.py PROFILE_JSON...
"""

import json
import sys


def time_of(op):
    sums = {
        m["quantity"]: int(m["summary"].get("sum", 0)) for m in op.get("measurements", [])
    }
    # Fields that are 0 are left out, and EXECUTE is 0.
    execute = sums.get("EXECUTE")
    time = sums.get("SELF", execute or 0)
    if execute is not None and "BOUNDED" in sums:
        time += sums["BOUNDED"] - execute
    return time


def main():
    total = 0
    for path in sys.argv[1:]:
        profile = json.load(open(path, encoding="utf-8"))
        for run in profile.get("runs", []):
            for op in run.get("ops", []):
                for measurement in op.get("measurements", []):
                    measurement.setdefault("quantity", "EXECUTE")
                    measurement.setdefault("summary", {})
                total += time_of(op)
    print("time", total)


if __name__ == "__main__":
    main()
