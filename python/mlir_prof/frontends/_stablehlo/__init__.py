# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO to linalg.

The passes are jaxlib's; what they lack is rewritten before they run, in terms of
StableHLO, scf, tensor and linalg. A file here holds the rewrites of one group of
ops. To add one, write `@rewrites("name of the op")` over a function that takes the
op and returns the values of its results, and, if the file is new, name it in
`_pipeline.GROUPS`.
"""

from ._context import deserialize, parse
from ._module import (add_lines, bind_constants, name_arguments, shape_of,
                      signature_of, write)

__all__ = ["add_lines", "bind_constants", "bind_variables", "deserialize",
           "name_arguments", "parse", "shape_of", "signature_of", "to_linalg", "write"]


def bind_variables(module, variables):
    """Makes variables of the module, in place, of arguments of its public function that
    it returns changed; each is (name, argument, result, array)."""
    from . import _variables
    _variables.bind_variables(module, [_variables.Variable(*each) for each in variables])


def to_linalg(module, names_are_absolute=False):
    """Lowers a module with one public function, in place, to dialects of stock
    MLIR. Names of locations within functions continue those of their calls, unless
    they are absolute. Raises FrontEndError with the ops that cannot be lowered."""
    from ._pipeline import run
    run(module, names_are_absolute)
