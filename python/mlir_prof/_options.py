# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the program as keywords."""

from __future__ import annotations

import os
import typing

_Single = typing.Union[None, bool, str, int, float, "os.PathLike[str]"]
#: A flag, a value, or a value for each time that the option is given.
Option = typing.Union[_Single, typing.Sequence[_Single]]


def to_arguments(options: typing.Mapping[str, Option]) -> typing.List[str]:
    """`top=3` as "--top=3", True as a flag, a list as several; None and False
    are left out. An underscore is a dash."""
    arguments = []
    for name, value in options.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        option = "--" + name.rstrip("_").replace("_", "-")
        for single in values:
            if single is None or single is False:
                continue
            arguments.append(option if single is True else f"{option}={single}")
    return arguments
