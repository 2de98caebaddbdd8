"""usage: model_rows.py SCOPES FOLDED

Checks the rows of calls of a model in the report of scopes, SCOPES as CSV: the calls take
the time of their own and that of the rows right below; the raw times are those of the
stacks FOLDED."""

import csv
import sys

ENTRY = "main"


def main():
    scopes, folded = sys.argv[1:]
    with open(scopes, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    calls = [row for row in rows if row["name"] == ENTRY]
    for call in sorted(calls, key=lambda row: row["key"]):
        below = [row for row in rows if row["key"] == f"{call['key']}/{row['name']}"]
        for prefix in ("", "raw_"):
            total = int(call[f"{prefix}self_ps"]) + sum(int(row[f"{prefix}total_ps"])
                                                        for row in below)
            if total != int(call[f"{prefix}total_ps"]) or len(below) < 2:
                sys.exit(f"{call}: {total} of {below}")
        print(f"{call['key']}: {call['calls']} calls")
    stacks = 0
    with open(folded, encoding="utf-8") as file:
        for line in file:
            stack, time = line.rsplit(" ", 1)
            stacks += int(time) * (ENTRY in stack.split(";"))
    if stacks != sum(int(call["raw_total_ps"]) for call in calls):
        sys.exit(f"stacks have {stacks} ps, calls {calls}")


main()
