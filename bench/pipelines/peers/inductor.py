# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import tempfile

from peers.torch import Eager


class Inductor(Eager):
    """torch.compile with default options."""

    @classmethod
    def environment(cls, threads):
        folder = os.path.join(tempfile.gettempdir(), "mlir-prof-inductor")
        return {"TORCHINDUCTOR_CACHE_DIR": folder}

    def compile(self, module):
        dynamic = True if len(self.problem.trace) > 1 else None
        return self.torch.compile(module, dynamic=dynamic)

    def mode(self):
        # Required by freezing.
        return self.torch.no_grad


class Frozen(Inductor):
    """With weights as constants, which it packs."""

    def compile(self, module):
        import torch._inductor.config
        torch._inductor.config.freezing = True
        return super().compile(module)
