# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The frameworks of a race, one a file.

Such a module has `FORMS`, the forms of a model that it takes, best first, and a class
`Contestant`, which runs in a process of its own.
"""

import importlib
import types

#: In the order of the result.
CONTESTANTS = ["torch", "inductor", "onnxruntime", "openvino", "jax", "tensorflow",
               "iree", "mlir_prof"]


def load(name: str) -> types.ModuleType:
    """The module of a contestant. Raises ValueError for an unknown name."""
    if name not in CONTESTANTS:
        raise ValueError(f"{name!r} does not race; hint: choose among "
                         f"{', '.join(CONTESTANTS)}")
    return importlib.import_module(f"._{name}", __name__)
