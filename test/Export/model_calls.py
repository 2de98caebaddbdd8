"""usage: model_calls.py FOLDED OPS TRACE

Checks the stacks of calls of a model: FOLDED has them with the model's parts, OPS is the
report of the model's ops as CSV, TRACE has the single calls as Chrome's JSON. The calls
of the trace and the stacks add up to the same picoseconds; of the ops, each pair has the
ratio that the report tells, but for the picosecond to which each is rounded."""

import collections
import csv
import json
import sys

ENTRY = "main"


def main():
    folded, ops, trace = sys.argv[1:]
    # By the stack around the call, and the op in it.
    parts = collections.defaultdict(lambda: collections.Counter())
    with open(folded, encoding="utf-8") as file:
        for line in file:
            stack, time = line.rstrip("\n").rsplit(" ", 1)
            frames = stack.split(";")
            if ENTRY in frames:
                at = frames.index(ENTRY)
                op = frames[at + 1] if at + 1 < len(frames) else None
                parts[tuple(frames[:at])][op] += int(time)
    with open(trace, encoding="utf-8") as file:
        # Decimals of microseconds have six digits.
        calls = [round(event["dur"] * 1e6) for event in json.load(file)["traceEvents"]
                 if event["ph"] == "X" and event["name"] == ENTRY]
    total = sum(sum(of.values()) for of in parts.values())
    if total != sum(calls):
        sys.exit(f"stacks have {total} ps, calls {sum(calls)} ps")
    print(f"{len(calls)} calls of {ENTRY}")
    with open(ops, encoding="utf-8") as file:
        # Places of stacks do not have columns.
        known = {f"{row['op']} ({row['location'].rsplit(':', 1)[0]})": int(row["total_ps"])
                 for row in csv.DictReader(file) if row["op"] == "linalg.matmul"}
    for around, of in parts.items():
        for one in known:
            for other in known:
                if abs(of[one] * known[other] - of[other] * known[one]) > \
                        known[one] + known[other]:
                    sys.exit(f"{around}: {of} against {known}")
        # What the iterations spent outside of ops is the call's own.
        if not 0 < of[None] < sum(of.values()):
            sys.exit(f"{around}: {of[None]} of its own")
    print("\n".join(known))


main()
