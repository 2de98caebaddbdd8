# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts that the tests of scopes share."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

from mlir_prof import _scopes


class Clock:
    """Replaces the clock: durations are exact. It never goes back."""

    last = 1_000_000

    def __init__(self):
        self.now = Clock.last
        _scopes.simulate_clock(self.now)

    def advance(self, ns):
        self.now += ns
        Clock.last = self.now + 1000
        _scopes.simulate_clock(self.now)

    def close(self):
        _scopes.simulate_clock(None)


def name_tree(profiler):
    """The rows by path as nested dictionaries of names."""
    rows = profiler.rows("path")
    trees = [{} for _ in rows]
    roots = {}
    for row, tree in zip(rows, trees):
        (roots if row.parent is None else trees[row.parent])[row.name] = tree
    return roots


def run_python(*programs):
    """The output of programs after each other in a process of their own."""
    program = "\n".join(map(textwrap.dedent, programs))
    result = subprocess.run([sys.executable, "-c", program], text=True,
                            capture_output=True, timeout=300,
                            env=dict(os.environ, PYTHONPATH=os.pathsep.join(
                                path for path in sys.path if path)))
    if result.returncode:
        raise AssertionError(f"exit code {result.returncode}\n{result.stdout}"
                             f"{result.stderr}")
    return result.stdout


def capture(function, *arguments, **named):
    """The text that a function prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), \
            contextlib.redirect_stderr(io.StringIO()):
        function(*arguments, **named)
    return output.getvalue()


class Timed(unittest.TestCase):
    """Tests with a simulated clock, in a folder of their own."""

    def setUp(self):
        self.clock = Clock()
        self.addCleanup(self.clock.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
