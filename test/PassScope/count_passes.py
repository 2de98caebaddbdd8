"""usage: count_passes.py TRACE DUMP

Checks that scopes tell the same runs of passes as --mlir-print-ir-before-all: TRACE is
Chrome's JSON of the scopes, DUMP what the tool printed. Prints the names that are right
inside of passes, with their numbers."""

import collections
import json
import re
import sys


def read_scopes(path):
    """Names with the names right around them, of all tracks."""
    with open(path, encoding="utf-8") as file:
        events = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
    tracks = collections.defaultdict(list)
    for event in events:
        tracks[event["pid"], event["tid"]].append(event)
    for track in tracks.values():
        # Of scopes that begin together the outer one is as long or longer, and
        # stands before.
        track.sort(key=lambda event: (event["ts"], -event["dur"]))
        around = []
        for event in track:
            while around and around[-1]["ts"] + around[-1]["dur"] <= event["ts"]:
                around.pop()
            yield event["name"], around[-1]["name"] if around else None
            around.append(event)


def main():
    trace, dump = sys.argv[1:]
    with open(dump, encoding="utf-8") as file:
        dumped = collections.Counter(re.findall(r"IR Dump Before .*?\((\S+)\)", file.read()))
    scopes = collections.Counter()
    inside = collections.Counter()
    for name, parent in read_scopes(trace):
        if name in dumped:
            scopes[name] += 1
        if parent in dumped:
            inside[parent, name] += 1
    if not dumped or scopes != dumped:
        sys.exit(f"scopes: {scopes}\nprinted: {dumped}")
    for (parent, name), count in sorted(inside.items()):
        print(f"{parent} / {name}: {count}")


main()
