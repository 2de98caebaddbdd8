"""Runs the tool TOOL on every prefix of FILE; it must fail by itself, not by a
signal."""
import subprocess
import sys

file, tool = sys.argv[1:]
data = open(file, "rb").read()
for size in range(0, len(data), 11):
    result = subprocess.run(
        [tool, "--allow-unregistered-dialect", "-", "-o", "/dev/null"],
        input=data[:size], capture_output=True)
    if result.returncode < 0 or (result.returncode == 0 and size > 0):
        sys.exit(f"{size} bytes: exit {result.returncode}\n"
                 + result.stderr.decode(errors="replace"))
