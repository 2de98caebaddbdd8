"""Checks where instances say that the code was: against the size of the object's
function, and that the export says the same."""

import json
import re
import sys

places, export, sizes = sys.argv[1:4]
only_ends = "--ends" in sys.argv
text = open(places).read()
instances = [
    (int(probe), int(begin, 16), int(end, 16))
    for probe, begin, end in re.findall(
        r"instance of (\d+): 0x([0-9a-f]+) to 0x([0-9a-f]+)", text
    )
]
size = int(re.search(r"^\w+ (\w+) T model$", open(sizes).read(), re.M)[1], 16)
used = {end for _, _, end in instances}
if not only_ends:
    used |= {begin for _, begin, _ in instances}
assert all(0 < place <= size for place in used), (used, size)
copies = {(begin, end) for probe, begin, end in instances if probe == 1}
entries = json.load(open(export))["entries"]
exported = sorted((entry["id"], entry["ret"]) for entry in entries)
expected = sorted(
    (probe, place) for probe, begin, end in instances for place in (begin, end)
)
assert exported == expected, (exported, expected)
print(
    f"{len(instances)} instances, {len(copies)} copies of probe 1, "
    "all places within the function"
)
