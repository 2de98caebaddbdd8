# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models for the corpus. Own code, seeded random weights.

Line numbers in this file are part of the ground truth (Kineto python_function
events and torch-mlir FileLineCol locations both quote them): regenerate the
whole corpus after editing.
"""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class MLP(nn.Module):
    """Two addmm of the same shape; tanh, relu, softmax; one residual add."""

    def __init__(self, d=512):
        super().__init__()
        self.fc1 = nn.Linear(d, d)
        self.fc2 = nn.Linear(d, d)

    def forward(self, x):
        h = torch.tanh(self.fc1(x))
        y = self.fc2(h)
        y = torch.relu(y + h)
        return torch.softmax(y, dim=-1)


class CNN(nn.Module):
    """conv/bn/relu/maxpool twice; second block in a Sequential; linear head."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(16)
        self.block2 = nn.Sequential(
            nn.Conv2d(16, 32, 3, padding=1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.head = nn.Linear(32 * 16 * 16, 10)

    def forward(self, x):
        x = self.conv1(x)
        x = self.bn1(x)
        x = F.relu(x)
        x = F.max_pool2d(x, 2)
        x = self.block2(x)
        x = torch.flatten(x, 1)
        return self.head(x)


class Block(nn.Module):
    """Pre-norm self-attention + feed-forward, attention written out."""

    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.ln1 = nn.LayerNorm(d)
        self.q = nn.Linear(d, d)
        self.k = nn.Linear(d, d)
        self.v = nn.Linear(d, d)
        self.o = nn.Linear(d, d)
        self.ln2 = nn.LayerNorm(d)
        self.up = nn.Linear(d, 4 * d)
        self.down = nn.Linear(4 * d, d)

    def split(self, t):
        b, s, d = t.shape
        return t.view(b, s, self.h, d // self.h).transpose(1, 2)

    def forward(self, x):
        b, s, d = x.shape
        n = self.ln1(x)
        q, k, v = self.split(self.q(n)), self.split(self.k(n)), self.split(self.v(n))
        w = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d // self.h)
        w = torch.softmax(w, dim=-1)
        a = torch.matmul(w, v).transpose(1, 2).reshape(b, s, d)
        x = x + self.o(a)
        return x + self.down(F.gelu(self.up(self.ln2(x))))


class Encoder(nn.Module):
    """Two blocks: every source line inside Block runs twice a step."""

    def __init__(self, d=256, heads=4, n=2):
        super().__init__()
        self.blocks = nn.ModuleList(Block(d, heads) for _ in range(n))

    def forward(self, x):
        for blk in self.blocks:
            x = blk(x)
        return x


class TrainMLP(nn.Module):
    """Loss of a small classifier; the step below differentiates it."""

    def __init__(self, d=512, classes=64):
        super().__init__()
        self.fc1 = nn.Linear(d, d)
        self.fc2 = nn.Linear(d, classes)

    def forward(self, x, t):
        h = torch.tanh(self.fc1(x))
        y = self.fc2(h)
        p = torch.log_softmax(y, dim=-1)
        return -(p * t).sum(dim=-1).mean()


def make(name):
    """-> (module, example args, is_training)"""
    torch.manual_seed(0)
    if name == "mlp":
        return MLP().eval(), (torch.randn(256, 512),), False
    if name == "cnn":
        return CNN().eval(), (torch.randn(4, 3, 64, 64),), False
    if name == "encoder":
        return Encoder().eval(), (torch.randn(2, 128, 256),), False
    if name == "train":
        t = torch.softmax(torch.randn(256, 64), -1)
        return TrainMLP().train(), (torch.randn(256, 512), t), True
    raise KeyError(name)


NAMES = ("mlp", "cnn", "encoder", "train")
