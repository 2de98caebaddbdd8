# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process that reads the file of an exported program and lowers it."""

import pathlib

from torch.utils import _pytree as pytree

from .. import _child
from .._source import FrontEndError, Request

#: Values that are not tensors and that JSON keeps.
PLAIN = (type(None), bool, int, float, str)


def describe(calling, place):
    """The structure of arguments or results; for each leaf, whether it is a constant, and
    its value."""
    for fixed, value in calling.constants:
        if fixed and not isinstance(value, PLAIN):
            raise FrontEndError(f"{place} of the model is a {type(value).__name__}; hint: "
                                "pass the exported program itself")
    try:
        spec = pytree.treespec_dumps(calling.spec)
    except Exception as error:  # a class that this process does not know
        raise FrontEndError(f"the structure of {place}s cannot be stored ({error}); hint: "
                            "pass the exported program itself") from error
    return dict(spec=spec, constants=calling.constants)


def lower(request):
    from . import lower_here
    source = lower_here(request["path"], Request(pathlib.Path(request["folder"])))
    if source.has_state:
        raise FrontEndError("the model of the file changes its own tensors or its arguments; "
                            "hint: load it by torch.export.load, and pass the program")
    return dict(module=str(source.path), entry=source.entry, notes=source.notes,
                arguments=[value.__dict__ for value in source.arguments],
                results=[value.__dict__ for value in source.results],
                flatten=describe(source.flatten, "an argument"),
                unflatten=describe(source.unflatten, "a result"))


if __name__ == "__main__":
    _child.serve(lower)
