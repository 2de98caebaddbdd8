#!/usr/bin/env python3
"""Checks that docs/file-format.md states the version of profiles that are written.

usage: check_version.py MLIR_PROF SOURCE_ROOT
"""

import pathlib
import re
import subprocess
import sys

info = subprocess.run([sys.argv[1], "info"], check=True, capture_output=True,
                      encoding="utf-8").stdout
major, minor = re.search(r"profile schema (\d+)\.(\d+)", info).groups()
page = (pathlib.Path(sys.argv[2]) / "docs" / "file-format.md").read_text(encoding="utf-8")
wrong = [text for text in (
    f"version {major}.{minor} of the format",
    f"| 2 | major version ({major}) |",
    f"| 2 | minor version ({minor}) |",
) if text not in " ".join(page.split())]
last = re.findall(r"^\| (\d+\.\d+) \|", page, re.M)[-1]
if last != f"{major}.{minor}":
    wrong.append(f"{major}.{minor} in the table of versions")
if wrong:
    sys.exit("docs/file-format.md does not have: " + "; ".join(wrong))
