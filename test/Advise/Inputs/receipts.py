"""Writes the observations of a file of decisions as the receipts of a search.

    receipts.py DECISIONS > RECEIPTS
"""

import json
import sys

observations = json.load(open(sys.argv[1]))["observations"]
json.dump({"schema": "mlir-prof.receipts/2",
           "receipts": [{"observation": each} for each in observations]}, sys.stdout)
