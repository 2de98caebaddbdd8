# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch that change their buffers or their arguments."""

import copy
import unittest

import torch
from torch import nn

from common import mlir_prof
from mlir_prof.frontends import FrontEndError
from mlir_prof.frontends._torch import TrainingStep
from test_torch_front_end import FrontEndTest


class Cache(nn.Module):
    """Keeps rows, one of each call, and counts in an argument."""

    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(4, 3))
        self.register_buffer("used", torch.zeros(1, dtype=torch.int64), persistent=False)

    def forward(self, x, counts):
        self.rows.index_copy_(0, self.used, x[None])
        self.used += 1
        counts.add_(self.used)
        return {"sum": self.rows.sum(0), "counts": counts * 2}


def compile_quietly(model, *arguments):
    return mlir_prof.compile(model, *arguments, progress=False)


class State(FrontEndTest):
    def check_calls(self, compiled, changed, exact):
        """Calls change what PyTorch changes."""
        counts, expected_counts = torch.zeros(2), torch.zeros(2)
        for place in range(3):
            x = torch.randn(3)
            self.assert_near(compiled(x, counts), exact(x, expected_counts))
            self.assert_near(counts, expected_counts)
            for name, tensor in exact.named_buffers():
                self.assert_near(changed(name), tensor)

    def test_buffers_and_arguments(self):
        module, exact = Cache(), Cache()
        compiled = compile_quietly(module, torch.ones(3), torch.zeros(2))
        self.check_calls(compiled, module.get_buffer, exact)

    def test_programs(self):
        module, exact = Cache(), Cache()
        program = torch.export.export(module, (torch.ones(3), torch.zeros(2)))
        compiled = compile_quietly(program)
        tensors = {**program.state_dict, **program.constants}
        self.check_calls(compiled, tensors.__getitem__, exact)

    def test_buffers_that_are_replaced(self):
        module, exact = Cache(), Cache()
        compiled = compile_quietly(module, torch.ones(3), torch.zeros(2))
        module.rows = torch.ones(4, 3)
        exact.rows = torch.ones(4, 3)
        self.check_calls(compiled, module.get_buffer, exact)

    def test_norms_in_training(self):
        module = nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        exact, x = copy.deepcopy(module), torch.randn(3, 2, 6, 6)
        compiled = compile_quietly(module, x)
        for _ in range(2):
            with torch.no_grad():
                self.assert_near(compiled(x), exact(x))
        for name, tensor in exact.named_buffers():
            self.assert_near(module.get_buffer(name), tensor)

    def test_compiling_changes_nothing(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.BatchNorm1d(4)

            def forward(self, x):
                return self.norm(x).tanh().mean()

        module = Model()
        compile_quietly(TrainingStep(module), torch.randn(6, 4))
        compile_quietly(module, torch.randn(6, 4))
        self.assert_near(module.norm.running_mean, torch.zeros(4))
        self.assertEqual(module.norm.num_batches_tracked, 0)

    def test_files(self):
        """No process but this one has the tensors."""
        program = torch.export.export(Cache(), (torch.ones(3), torch.zeros(2)))
        torch.export.save(program, self.scratch / "cache.pt2")
        with self.assertRaisesRegex(FrontEndError, "torch.export.load"):
            compile_quietly(self.scratch / "cache.pt2")
        compile_quietly(program).save(self.scratch / "cache.mprof")
        loaded = mlir_prof.load(self.scratch / "cache.mprof")
        rows, used, counts, total, doubled = loaded(
            torch.zeros(4, 3), torch.tensor([2]), torch.ones(3), torch.zeros(2))
        self.assertEqual(rows[2].tolist(), [1, 1, 1])
        self.assertEqual(used, 3)


if __name__ == "__main__":
    unittest.main()
