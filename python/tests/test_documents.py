# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in documents run, and print what the documents show. utils/frameworks runs
those that import a framework."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A program, and the block of text that follows it.
PROGRAM = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?",
                     re.MULTILINE | re.DOTALL)
#: Programs that utils/frameworks runs.
FRAMEWORK = re.compile(r"^(?:import|from) (?:jax|onnx\w*|tensorflow|torch)\b",
                       re.MULTILINE)


def make_pattern(text):
    """A line `...` is any lines, and `...` in a line any text."""
    parts = []
    for line in text.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(
                r"\s+".join(map(re.escape, piece.split(" ")))
                for piece in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts) + r"\s*")


class Documents(unittest.TestCase):
    def check(self, path):
        text = (ROOT / path).read_text(encoding="utf-8")
        programs = [found for found in PROGRAM.findall(text)
                    if not FRAMEWORK.search(found[0])]
        for number, (program, expected) in enumerate(programs):
            with self.subTest(f"{path}, program {number}"), \
                    tempfile.TemporaryDirectory() as folder:
                result = subprocess.run(
                    [sys.executable, "-c", program], cwd=folder,
                    capture_output=True, encoding="utf-8",
                    env=dict(os.environ, TQDM_DISABLE="1", XDG_RUNTIME_DIR=folder,
                             PYTHONPATH=os.pathsep.join(
                                 filter(None, sys.path))))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stderr, "")
                if expected:
                    self.assertRegex(result.stdout, re.compile(
                        r"\A" + make_pattern(expected).pattern + r"\Z"))
        return len(programs)

    def test_scopes_in_python(self):
        self.assertGreater(self.check("docs/scopes-python.md"), 7)

    def test_python(self):
        self.assertGreater(self.check("docs/python.md"), 3)

    def test_capturing(self):
        self.assertGreater(self.check("docs/capturing.md"), 1)

    def test_readme(self):
        self.assertGreater(self.check("README.md"), 0)


if __name__ == "__main__":
    unittest.main()
