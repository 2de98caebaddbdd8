# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir-prof from Python.

`mlir_prof.export` records a model in its framework and writes the MLIR to
which the profile belongs; `mlir_prof.run` runs the tool itself.
"""

from . import export
from .tool import ToolError, find_tool, run

__all__ = ["ToolError", "export", "find_tool", "run"]
