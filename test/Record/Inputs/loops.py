"""Prints the loops of `report --by=loop --format=json`, from the first to the
last: depth, height, the depth of the parent, trips, executions, and whether the
times are in order."""

import json
import sys

rows = json.load(open(sys.argv[1]))["rows"]
by_index = {row["index"]: row for row in rows}
for row in sorted(rows, key=lambda row: row["index"]):
    parent = by_index[row["parent"]]["depth"] if row["parent"] is not None else "-"
    if row["executions"] is None:
        times = "no probe"
    else:
        in_order = (0 <= row["self_ps"] <= row["time_ps"] <= row["raw_ps"]
                    and row["self_ps"] <= row["raw_self_ps"] <= row["raw_ps"])
        times = "corrected below raw" if in_order else f"wrong: {row}"
    print(row["location"], row["op"], "depth", row["depth"], "height",
          row["height"], "parent", parent, "trips", row["trips"], "executions",
          row["executions"], times)
