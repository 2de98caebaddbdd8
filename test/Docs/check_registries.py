#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that all registries (*.def) are alike, and that CONTRIBUTING.md names each.

usage: check_registries.py SOURCE_ROOT

A registry has one macro, which its comment explains and without which it cannot be
included, and one line per entry. A header of its library declares the entries.
"""

import pathlib
import re
import sys

FORM = re.compile(
    r"//===- (?P<file>\w+\.def) - The list of [^\n]* -*\*- C\+\+ -\*-===//\n"
    r"(?://(?: [^\n]*)?\n)+?//===-+===//\n//\n"
    r"// (?P<macro>MLIRPROF_\w+)\(\w+(?:, \w+)*\): [^\n]*\n(?:// [^\n]*\n)*"
    r"//\n//===-+===//\n\n#ifndef (?P=macro)\n"
    r"#error \"Define (?P=macro) before including (?P=file)\"\n#endif\n\n"
    r"(?:(?P=macro)\(\w+(?:, \w+)*\)\n)+\n#undef (?P=macro)\n")


def is_declared(root, definition):
    """Whether a header of the library, or of the tool, includes the registry."""
    folder = definition.relative_to(root).parts[-2 if "include" in definition.parts else 1]
    include = re.compile(rf'#include "(?:[\w.-]+/)*{definition.name}"')
    return any(include.search(path.read_text(encoding="utf-8"))
               for top in ("lib", "tools") for path in (root / top / folder).rglob("*.h"))


def problems(root, definition, recipes):
    place = definition.relative_to(root)
    match = FORM.fullmatch(definition.read_text(encoding="utf-8"))
    if not match or match["file"] != definition.name:
        yield f"{place}: is not in the form of the others"
    if str(place) not in recipes:
        yield f"{place}: no recipe of CONTRIBUTING.md names it"
    if not is_declared(root, definition):
        yield f"{place}: no header declares its entries"


def main():
    root = pathlib.Path(sys.argv[1])
    recipes = (root / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Recipes")[1]
    found = [path for folder in ("include", "lib", "tools")
             for path in sorted((root / folder).rglob("*.def"))]
    wrong = [text for path in found for text in problems(root, path, recipes)]
    print("\n".join([*wrong, f"{len(found)} registries, {len(wrong)} problems"]))
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
