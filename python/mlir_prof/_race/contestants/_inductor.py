# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's compiler."""

from . import _torch

FORMS = _torch.FORMS


class Contestant(_torch.Contestant):
    mode = "compile"

    def make(self):
        return self.torch.compile(self.program.module())
