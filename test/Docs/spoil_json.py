"""Writes a report as JSON with one mistake each: REPORT FOLDER."""
import json
import os
import sys


def spoil(name, change):
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    change(document)
    with open(os.path.join(sys.argv[2], name + ".json"), "w",
              encoding="utf-8") as file:
        json.dump(document, file)


spoil("extra", lambda document: document["rows"][0].update(heat_ps=1))
spoil("missing", lambda document: document["rows"][0].pop("total_ps"))
spoil("other", lambda document: document.update(schema="mlir-prof.report/1"))
spoil("type", lambda document: document["coverage"].update(unique_ps=1.5))
