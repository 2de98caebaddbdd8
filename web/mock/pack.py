#!/usr/bin/env python3
"""Writes profiles and the page into one HTML file: pack.py OUTPUT PROFILE...

A stand-in for `mlir-prof report --format=html` while the page is developed. The
environment variable MLIR_PROF names the command that answers."""

import json
import pathlib
import sys

import answers

PAGE = pathlib.Path(__file__).parents[2] / "lib/Serve/Page/page.html"
MARKER = "<!-- mlir-prof data -->"
MOST_ROWS = "100000"


def addresses(detail):
    """Yields the addresses below a profile, each with how to ask for all of it."""
    for entry in detail["analyzers"]:
        if entry["available"]:
            yield f"analyzers/{entry['name']}", {"limit": [MOST_ROWS]}
    for level in detail["levels"]:
        yield f"modules/{level}", {}
    for tree in ("module-path", "call-tree"):
        yield f"flame?by={tree}", {"by": [tree]}
    yield from ((name, {}) for name in ("links", "modules", "graph", "advice"))
    yield "timeline", {"pixels": ["100000"]}


def pack(paths):
    """Returns the data of the page for the profiles at `paths`."""
    found = {"profiles": {"profiles": [answers.summary(path) for path in paths],
                          "total": len(paths)}}
    left_out = []
    for path in paths:
        detail = answers.detail(path)
        found[f"profiles/{path.stem}"] = detail
        for place, options in addresses(detail):
            try:
                found[f"profiles/{path.stem}/{place}"] = answers.of_profile(
                    path, place.split("?")[0].split("/"), options)
            except (KeyError, RuntimeError) as error:
                left_out.append(f"{path.stem}/{place}: {error}")
    return {"schema": "mlir-prof.page/1", "answers": found, "left_out": left_out}


def main():
    output, *paths = map(pathlib.Path, sys.argv[1:])
    # No name may end the script: "<" is written as its escape.
    data = json.dumps(pack(paths)).replace("<", "\\u003c")
    script = f'<script type="application/json" id="profile-data">{data}</script>'
    output.write_text(PAGE.read_text().replace(MARKER, script))


if __name__ == "__main__":
    main()
