# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in documents run, and print what the documents show. utils/frameworks runs
those that import a framework."""

import unittest

from document_programs import check_programs


class Documents(unittest.TestCase):
    def check(self, path):
        return check_programs(self, path, lambda frameworks: not frameworks)

    def test_scopes_in_python(self):
        self.assertGreater(self.check("docs/scopes-python.md"), 7)

    def test_python(self):
        self.assertGreater(self.check("docs/python.md"), 2)

    def test_capturing(self):
        self.assertGreater(self.check("docs/capturing.md"), 1)

    def test_readme(self):
        self.assertGreater(self.check("README.md"), 0)


if __name__ == "__main__":
    unittest.main()
