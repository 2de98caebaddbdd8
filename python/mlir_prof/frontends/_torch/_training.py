# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps: a loss and the gradients of the parameters."""


class TrainingStep:
    """A step of a module that returns a loss, a scalar.

    As a model, it returns the loss and a dictionary from the names of the parameters
    to their gradients. The parameters are read at each call, so that an optimizer may
    change them; buffers that the module changes are changed in it.
    """

    def __init__(self, module):
        self.module = module

    def __call__(self, *arguments, **keywords):
        """The same by PyTorch itself."""
        import torch
        loss = self.module(*arguments, **keywords)
        weights = {name: weight for name, weight in self.module.named_parameters()
                   if weight.requires_grad}
        gradients = torch.autograd.grad(loss, list(weights.values()), allow_unused=True)
        return loss.detach(), {name: gradient for name, gradient in
                               zip(weights, gradients) if gradient is not None}
