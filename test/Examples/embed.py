"""Compares what examples/embed/hottest prints with the report of the tool.

usage: embed.py HOTTEST.TXT REPORT.JSON
"""

import json
import sys

printed = [line.split() for line in open(sys.argv[1], encoding="utf-8")]
with open(sys.argv[2], encoding="utf-8") as file:
    rows = json.load(file)["rows"]
wanted = [[str(row["sole_ps"] + row["estimated_ps"]), "ps", row["op"]]
          for row in rows]
if len(rows) != 10 or [line[:3] for line in printed] != wanted:
    sys.exit(f"printed {printed}\nwanted {wanted}")
