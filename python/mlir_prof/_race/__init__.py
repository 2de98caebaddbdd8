# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One model in several frameworks, side by side.

Each framework runs the same model on the same inputs in a process of its own. A
framework is a module of `contestants`; to add one, add a file and its name there.
"""

from ._run import race
from ._result import Race

__all__ = ["Race", "race"]
