"""Checks that quickstart builds every file that is installed.

usage: check_install.py SOURCE_ROOT BUILD_ROOT
"""

import os
import pathlib
import re
import subprocess
import sys

source, build = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2])
script = (source / "utils" / "quickstart").read_text(encoding="utf-8")
targets = re.search(r"^utils/build build --progress -- (.*)$", script, re.MULTILINE).group(1).split()
commands = subprocess.run(["ninja", "-C", build, "-t", "commands", *targets],
                          check=True, capture_output=True, text=True).stdout
built = {os.path.join(build, word) for word in commands.split()}

rules = pathlib.Path(build, "cmake_install.cmake").read_text(encoding="utf-8")
# What CMake writes when it configures is always there.
files = [name for name in re.findall(r'"(/[^"\s]+)"', rules)
         if re.fullmatch(re.escape(build) + r"/(bin/[^/.]+|.+\.a|.+\.so)", name)]
missing = sorted({name for name in files if name not in built})
for name in missing:
    print(f"installed, but not built by utils/quickstart: {os.path.basename(name)}")
print(f"{len(set(files))} installed files, {len(missing)} missing")
sys.exit(bool(missing) or not files)
