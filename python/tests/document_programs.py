# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in documents, and what they print."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A program, and the block of text that follows it.
PROGRAM = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?",
                     re.MULTILINE | re.DOTALL)
#: An import of a framework that utils/frameworks has.
FRAMEWORK = re.compile(r"^(?:import|from) (jax|onnx|tensorflow|torch)\b", re.MULTILINE)


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


def find_frameworks(program):
    """The frameworks that a program imports."""
    return set(FRAMEWORK.findall(program))


def check_programs(test, path, wants, is_silent=True):
    """Runs the programs of a document for whose frameworks `wants` is true, and compares
    what they print. Returns their number."""
    text = (ROOT / path).read_text(encoding="utf-8")
    programs = [found for found in PROGRAM.findall(text)
                if wants(find_frameworks(found[0]))]
    for number, (program, expected) in enumerate(programs):
        with test.subTest(f"{path}, program {number}"), \
                tempfile.TemporaryDirectory() as folder:
            # A file, since frameworks read the source of functions.
            (pathlib.Path(folder) / "program.py").write_text(program, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, "program.py"], cwd=folder, capture_output=True,
                encoding="utf-8",
                env=dict(os.environ, TQDM_DISABLE="1", XDG_RUNTIME_DIR=folder,
                         MLIR_PROF_CACHE=os.path.join(folder, "cache"),
                         PYTHONPATH=os.pathsep.join(filter(None, sys.path))))
            test.assertEqual(result.returncode, 0, result.stderr)
            if is_silent:
                test.assertEqual(result.stderr, "")
            if expected:
                test.assertRegex(result.stdout, re.compile(
                    r"\A" + make_pattern(expected).pattern + r"\Z"))
    return len(programs)
