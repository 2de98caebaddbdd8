"""Writes a file of decisions: for the op that `mlir-prof optimize --explain` told
of on standard input, on the machine of the receipts.

    decide.py RECEIPTS TECHNIQUE NAME=VALUE... > DECISIONS
"""

import json
import re
import sys

receipts, technique, *parameters = sys.argv[1:]
machine = json.load(open(receipts))["machine"]
[exact] = re.findall(r"^  hash ([0-9a-f]{32})$", sys.stdin.read(), re.M)
decision = {
    "exact": exact,
    "shapeErased": "0" * 32,
    "neighborhood": "",
    "machine": machine,
    "technique": technique,
    "scope": "op",
    "choice": dict(p.split("=") for p in parameters),
    "basis": "given",
    "whenMs": "0",
    "producer": "",
    "label": "",
}
json.dump(
    {"format": "mlir-prof.decisions/1", "decisions": [decision], "observations": []},
    sys.stdout,
)
