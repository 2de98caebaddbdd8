"""Writes a file of decisions with trials of the op that `mlir-prof optimize
--explain` told of on standard input, on the machine of the receipts.

    observe.py RECEIPTS OUTCOME... > DECISIONS

The first trial took 1.02 of the time, each other one 0.01 more.
"""

import json
import re
import sys

receipts, *outcomes = sys.argv[1:]
machine = json.load(open(receipts))["machine"]
[exact] = re.findall(r"^  hash ([0-9a-f]{32})$", sys.stdin.read(), re.M)
observations = [{
    "exact": exact, "shapeErased": "0" * 32, "neighborhood": "", "machine": machine,
    "technique": "tiles", "choice": {"sizes": f"8x{8 + number}"}, "whenMs": str(number),
    "producer": "", "outcome": "kept" if outcome == "kept" else "rejected",
    "reason": outcome.replace("-", " "), "oldPs": "1000000",
    "newPs": str(1020000 + 10000 * number), "spread": 0.004, "rounds": 40,
} for number, outcome in enumerate(outcomes)]
# Of an op that the model does not have, and of another machine.
observations += [dict(observations[0], exact="1" * 32), dict(observations[0], machine="z80")]
observations.sort(key=lambda o: (o["exact"], o["machine"], int(o["whenMs"])))
json.dump({"format": "mlir-prof.decisions/1", "decisions": [],
           "observations": observations}, sys.stdout)
