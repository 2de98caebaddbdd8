"""Prints the named columns of a table in CSV on standard input."""

import csv
import sys

rows = (line for line in sys.stdin if not line.startswith("#"))
for row in csv.DictReader(rows):
    print(*(row[name] for name in sys.argv[1:]))
