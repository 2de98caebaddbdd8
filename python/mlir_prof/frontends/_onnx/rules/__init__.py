# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our own definitions of operators, by operators that torch-mlir lowers right.

A rule is a function `rule(builder, call)` that returns the results of the call, or
None if it does not apply. To add one, decorate it by `@rule(OPERATOR...)` in a file
whose name is in FILES.
"""

import importlib

FILES = ["attention", "control", "detection", "elementwise", "features", "indices",
         "order", "pools", "quantization", "recurrent", "reductions", "resize",
         "runtime", "runtime_quantized", "sampling", "spectral", "trees", "vectors",
         "windows", "older"]

_RULES = {}


def rule(*operators, domain=""):
    """Registers a rule; those of a later file are asked first."""
    def register(function):
        for operator in operators:
            _RULES.setdefault((domain, operator), []).insert(0, function)
        return function
    return register


def find(call):
    """The rules for a call, in the order in which to ask them."""
    load()
    return _RULES.get((call.domain, call.op), ())


def load():
    if not _RULES:
        for name in FILES:
            importlib.import_module(f".{name}", __name__)
