# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants of models that are arrays of a framework."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from ._compiled import Runner

#: Arrays with fewer bytes are copied: those of JAX, which do not change, and tensors,
#: of which each call asks whether they have changed.
_LEAST_BYTES, _LEAST_BYTES_OF_TENSORS = 1 << 16, 1 << 20


class Memory(typing.NamedTuple):
    """Bytes of the constants of a model."""

    #: All of them, in the form in which the code reads them.
    constants: int
    #: Those that are read in the memory of the framework's arrays. The others are
    #: mapped from the file.
    shared: int


def measure(runner: Runner) -> Memory:
    """The memory of a model; zeros for one that runs in another process."""
    return Memory(sum(size for size, _ in runner.constants), runner.shared_bytes)


def share(runner: Runner, weights: typing.Iterable[typing.Any]
          ) -> typing.List[typing.Any]:
    """Lets the model read arrays in the place of constants with the same bytes.
    Returns those that it reads."""
    # A call may run twice, when a weight changes meanwhile.
    if runner.written:
        return []
    by_size: typing.Dict[int, typing.List[typing.Any]] = {}
    for weight in weights:
        can_change = hasattr(weight, "_version")
        if weight.nbytes >= (_LEAST_BYTES_OF_TENSORS if can_change else _LEAST_BYTES):
            by_size.setdefault(weight.nbytes, []).append(weight)
    shared = []
    for number, (size, _) in enumerate(runner.constants):
        found = next((weight for weight in by_size.get(size, ())
                      if runner.share(number, weight)), None)
        if found is not None:
            shared.append(found)
    return shared
