# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PyTorch models that are recorded on a GPU: make(NAME) -> Case.

The models are those of the recordings on CPUs (../torch/models.py), in sizes
that keep a GPU busy for some microseconds a kernel, and what only a GPU has:
fused attention, a second stream with copies, mixed precision, graph replays.
"""

import dataclasses
import os
import sys

import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "torch"))
import models


class Attention(torch.nn.Module):
    """Attention as one op of the framework, which a GPU runs as one kernel."""

    def __init__(self, width=512, heads=8):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        shape = (batch, length, 3, self.heads, width // self.heads)
        q, k, v = self.qkv(x).view(shape).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


@dataclasses.dataclass
class Case:
    """A module with example arguments, all on the CPU."""
    module: torch.nn.Module
    arguments: tuple
    training: bool = False


def make(name):
    torch.manual_seed(0)
    if name == "mlp":
        return Case(models.MLP(1024).eval(), (torch.randn(2048, 1024),))
    if name == "cnn":
        return Case(models.CNN().eval(), (torch.randn(64, 3, 64, 64),))
    if name == "encoder":
        return Case(models.Encoder(512, 8).eval(), (torch.randn(8, 256, 512),))
    if name == "attention":
        return Case(Attention().eval().to(torch.bfloat16),
                    (torch.randn(4, 1024, 512, dtype=torch.bfloat16),))
    if name == "train":
        target = torch.softmax(torch.randn(2048, 64), -1)
        return Case(models.TrainMLP(1024).train(),
                    (torch.randn(2048, 1024), target), training=True)
    raise KeyError(name)
