# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension that runs compiled models."""

import typing

Signature = typing.Tuple[
    typing.Tuple[str, str, typing.Tuple[typing.Optional[int], ...]], ...]

class ModelError(RuntimeError): ...

class Model:
    @property
    def arguments(self) -> Signature: ...
    @property
    def results(self) -> Signature: ...
    @property
    def threads(self) -> int: ...
    @property
    def state_bytes(self) -> int: ...
    def reset(self) -> None: ...
    def run(self, inputs: typing.Sequence[typing.Any],
            outputs: typing.Optional[typing.Sequence[typing.Any]] = None,
            like: typing.Optional[type] = None
            ) -> typing.Tuple[typing.Any, ...]: ...

def open(path: str, threads: int = 0) -> Model: ...
