#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that JSON documents are as docs/schemas says.

usage: check_json.py SOURCE_ROOT DOCUMENT...
       check_json.py SOURCE_ROOT --sources

The first form checks documents by the schema that each names. The second checks that
every schema that the sources name has a file of that version, which docs/json.md lists,
and that there are no others.
"""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
from json_schema import Schema  # noqa: E402

NAME = re.compile(r'"mlir-prof\.([a-z]+)/([0-9]+)"')
# A text that is hashed, and no document.
HASHED = {"op"}
# test/Serve checks the description of the API.
OTHER_FILES = {"openapi.json"}


def load_schemas(root):
    schemas = {}
    for path in sorted((root / "docs/schemas").glob("*.json")):
        if path.name in OTHER_FILES:
            continue
        with open(path, encoding="utf-8") as file:
            schema = Schema(json.load(file))
        name = schema.root["properties"]["schema"]["const"]
        if name.split("/")[0] != f"mlir-prof.{path.stem}":
            sys.exit(f"{path}: is of {name}")
        schemas[name] = schema
    return schemas


def check_documents(schemas, paths):
    failures = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        schema = schemas.get(document.get("schema"))
        error = (schema.find_error(document) if schema else
                 f"its schema is {document.get('schema')!r}, which docs/schemas lacks")
        if error:
            failures += 1
            print(f"{path}: {error}")
    print(f"{len(paths)} documents, {failures} differ from their schema")
    return failures


def check_sources(schemas, root):
    """Older versions that are still read may be named, too."""
    newest = {}
    for folder in ("include", "lib", "tools", "python/mlir_prof"):
        for path in (root / folder).rglob("*"):
            if path.suffix not in (".h", ".cpp", ".py"):
                continue
            for name, version in NAME.findall(path.read_text(encoding="utf-8")):
                if name not in HASHED:
                    newest[name] = max(newest.get(name, 0), int(version))
    named = {f"mlir-prof.{name}/{version}" for name, version in newest.items()}
    listed = set(re.findall(r"^\| `(mlir-prof\.[a-z]+/[0-9]+)`",
                            (root / "docs/json.md").read_text(encoding="utf-8"),
                            re.MULTILINE))
    for what, found in (("docs/schemas", set(schemas)), ("docs/json.md", listed)):
        for name in sorted(named - found):
            print(f"{name} is not in {what}")
        for name in sorted(found - named):
            print(f"{name} is in {what}, and nothing writes it")
    print(f"{len(named)} schemas")
    return named != set(schemas) or named != listed


def main():
    root, paths = pathlib.Path(sys.argv[1]), sys.argv[2:]
    schemas = load_schemas(root)
    if paths == ["--sources"]:
        return 1 if check_sources(schemas, root) else 0
    return 1 if check_documents(schemas, paths) else 0


if __name__ == "__main__":
    sys.exit(main())
