# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch, op by op."""

from ._contestant import Base, Recording

FORMS = ("pt2",)


class Contestant(Base):
    mode = "fx"

    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import torch
        self.torch = torch
        torch.set_num_threads(threads)
        self.version = torch.__version__
        self.program = torch.export.load(path)
        self.arguments = [torch.from_numpy(array) for array in inputs]
        self.module = self.make()

    def make(self):
        """The callable that races."""
        return self.program.module()

    def call(self):
        with self.torch.no_grad():
            return self.module(*self.arguments)

    def results(self):
        leaves = self.torch.utils._pytree.tree_leaves(self.call())
        return [leaf.numpy() for leaf in leaves
                if isinstance(leaf, self.torch.Tensor)]

    def record(self, folder, calls):
        from ...capture import torch as capture
        captured = capture(self.program, *self.arguments, folder=folder / "capture",
                           mode=self.mode, weights=False, steps=calls)
        return Recording(calls, captured.import_profile(folder / "torch.mlprof"))
