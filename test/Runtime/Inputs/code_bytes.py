"""Fails unless an object's code and constants have at most so many bytes.

usage: code_bytes.py OBJECT MOST
"""

import subprocess
import sys

path, most = sys.argv[1:]
sizes = subprocess.run(["llvm-size", path], capture_output=True, text=True,
                       check=True).stdout.splitlines()[1].split()
text, data, bss = map(int, sizes[:3])
print(f"{text} bytes of code and constants")
assert text <= int(most), f"more than {most}"
assert data + bss == 0, "variables"
