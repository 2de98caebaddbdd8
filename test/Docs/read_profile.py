#!/usr/bin/env python3
"""Reads a *.mlprof file with the code that docs/file-format.md shows and prints
its content as protoc does.

usage: read_profile.py SOURCE_ROOT FILE
"""

import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs" / "file-format.md").read_text(encoding="utf-8")
shown = {}
exec(re.search(r"^```python\n(.*?)^```", page, re.M | re.S).group(1), shown)
data = pathlib.Path(sys.argv[2]).read_bytes()
# Python has no zstd of its own: leave the kept events and programs out.
content = shown["content_of"](data, lambda frame: b"")
command = ["protoc", f"-I{root}/proto", "--decode=mlirprof.Profile"]
subprocess.run([*command, f"{root}/proto/profile.proto"], input=content, check=True)
