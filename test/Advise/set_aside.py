#!/usr/bin/env python3
"""Compares advice without and with decisions that refute its first rule.

usage: set_aside.py PLAIN WITH_DECISIONS
"""

import json
import sys

plain, aside = (json.load(open(path))["advice"] for path in sys.argv[1:])
RULE = "hot-op-far-from-roofline"
[before] = [advice for advice in plain if advice["rule"] == RULE]
[after] = [advice for advice in aside if advice["rule"] == RULE]
assert not before["refuted"] and before["trials"] == [] and "set_aside_ps" not in before
assert after["refuted"] and after["gain_ps"] is None, after
assert after["set_aside_ps"] == before["gain_ps"], (before, after)
assert after is aside[-1] and len(aside) == len(plain), aside
assert after["trials"][0] == {
    "technique": "tiles", "choice": "sizes=8x8", "kept": False, "reason": "not faster",
    "old_ps": 1000000, "new_ps": 1020000, "ratio_ppm": 1020000, "spread_ppm": 4000,
    "rounds": 40}, after["trials"]
print("set aside and last")
