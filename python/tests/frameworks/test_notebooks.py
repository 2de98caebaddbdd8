# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebooks of examples/ run, and show what notebooks can show."""

import ast
import importlib.util
import json
import pathlib
import subprocess
import sys
import unittest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[3] / "examples/notebooks"

#: Runs cells as Jupyter does, each to its last expression, and prints the ways in
#: which that can be shown.
RUNNER = """
import ast, json, linecache, sys
names = {"__name__": "__main__"}
for number, text in enumerate(json.load(sys.stdin)):
    file = f"<cell {number}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, file, "exec"), names)
    if last:
        value = eval(compile(ast.Expression(last.value), file, "eval"), names)
        forms = [form for form in ("_repr_html_", "_repr_svg_") if hasattr(value, form)
                 and getattr(value, form)()]
        assert forms or repr(value)
        print(number, type(value).__name__, *forms)
"""


class Notebooks(unittest.TestCase):
    def run_notebook(self, name):
        cells = [cell for cell in json.loads(
            (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]]
        for cell in cells:
            self.assertEqual(cell.get("outputs", []), [])
        texts = ["".join(cell["source"]) for cell in cells
                 if cell["cell_type"] == "code"]
        for text in texts:
            ast.parse(text)
        result = subprocess.run([sys.executable, "-W", "ignore", "-c", RUNNER],
                                input=json.dumps(texts), capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        shown = result.stdout.splitlines()
        self.assertTrue(any(line.endswith("Table _repr_html_") for line in shown), shown)
        return shown

    def test_pytorch(self):
        shown = self.run_notebook("pytorch")
        self.assertTrue(any("Picture _repr_html_ _repr_svg_" in line for line in shown))

    def test_jax(self):
        self.run_notebook("jax")

    @unittest.skipUnless(importlib.util.find_spec("mlir_prof.frontends._onnx"),
                         "the front end of ONNX is not there")
    def test_onnx(self):
        self.run_notebook("onnx")


if __name__ == "__main__":
    unittest.main()
