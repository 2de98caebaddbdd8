# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process of an isolated model cannot do more than compute."""

import os
import pathlib
import platform
import sys
import tempfile
import unittest

from model_common import run_python

PROGRAM = """
import os, signal, socket, subprocess, sys, threading
from mlir_prof import _sandbox
parent = os.getppid()
assert _sandbox.close()

def refused(call, *arguments):
    try:
        call(*arguments)
    except PermissionError:
        return True
    return False

print([name for name, call in (
    ("write", lambda: open(sys.argv[1] + "/new", "w")),
    ("change", lambda: open(sys.argv[1] + "/old", "r+")),
    ("unlink", lambda: os.unlink(sys.argv[1] + "/old")),
    ("rename", lambda: os.rename(sys.argv[1] + "/old", sys.argv[1] + "/other")),
    ("mkdir", lambda: os.mkdir(sys.argv[1] + "/folder")),
    ("fork", os.fork),
    ("execute", lambda: os.execv("/bin/true", ["true"])),
    ("connect", socket.socket),
    ("kill", lambda: os.kill(parent, signal.SIGKILL)),
) if not refused(call)])

# What a model needs works.
assert open(sys.argv[1] + "/old").read() == "old"
done = []
thread = threading.Thread(target=lambda: done.append(bytearray(50_000_000)))
thread.start(); thread.join()
assert len(done) == 1
other = threading.Thread(target=lambda: done.append(refused(socket.socket)))
other.start(); other.join()
print(done[1])
"""


@unittest.skipUnless(sys.platform == "linux" and platform.machine() == "x86_64",
                     "the filter is for Linux on x86-64")
class Sandbox(unittest.TestCase):
    def test_it_refuses_all_but_computing(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "old").write_text("old")
            result = run_python(PROGRAM, folder)
            self.assertEqual((result.stdout, result.returncode), ("[]\nTrue\n", 0),
                             result.stderr)
            self.assertEqual(os.listdir(folder), ["old"])


if __name__ == "__main__":
    unittest.main()
