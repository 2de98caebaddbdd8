# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in documents that import PyTorch, JAX or ONNX run, and print what the
documents show. Those of docs/frameworks.md run in the tests of their frameworks."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from document_programs import check_programs  # noqa: E402


class Documents(unittest.TestCase):
    def check(self, path):
        return check_programs(
            self, path, lambda frameworks: frameworks and "tensorflow" not in frameworks,
            is_silent=False)

    def test_python(self):
        self.assertEqual(self.check("docs/python.md"), 3)

    def test_capturing(self):
        self.assertGreater(self.check("docs/capturing.md"), 0)

    def test_readme(self):
        self.assertGreater(self.check("README.md"), 0)


if __name__ == "__main__":
    unittest.main()
