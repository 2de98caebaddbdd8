# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend of torch.compile, against PyTorch's own results."""

import copy
import threading
import unittest

import torch

from common import FrameworkTest, mlir_prof
from mlir_prof import torch_backend


class Layers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(16, 32)
        self.second = torch.nn.Linear(32, 8)

    def forward(self, x):
        return torch.softmax(self.second(torch.tanh(self.first(x))), dim=-1)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(4))

    def forward(self, x):
        self.count.add_(1)
        return x * self.count


class TorchBackend(FrameworkTest):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        torch._dynamo.reset()
        torch_backend.reset()

    def compile(self, module, **options):
        return torch.compile(module, backend="mlir_prof", **options)

    def assert_close(self, result, expected):
        self.assertEqual(result.shape, expected.shape)
        torch.testing.assert_close(result, expected, rtol=1e-5, atol=1e-6)

    def assert_compiled(self, kinds):
        graphs = torch_backend.list_graphs()
        self.assertEqual([graph.kind for graph in graphs], kinds,
                         [graph.reason for graph in graphs])
        self.assertTrue(all(graph.model and not graph.reason for graph in graphs))

    def test_inference(self):
        module, x = Layers().eval(), torch.randn(4, 16)
        with torch.no_grad():
            self.assert_close(self.compile(module)(x), module(x))
        self.assert_compiled(["inference"])
        # Weights are constants of the model.
        self.assertEqual(len(torch_backend.list_graphs()[0].model.arguments), 1)

    def test_a_profile_has_the_modules(self):
        module, x = Layers().eval(), torch.randn(64, 16)
        with torch.no_grad():
            self.compile(module)(x)
        profile = mlir_prof.record(torch_backend.list_graphs()[0].model, x,
                                   seconds=0.2)
        paths = {row["key"] for row in profile.report(by="module-path")}
        self.assertLessEqual({"first", "second"}, paths)

    def test_changed_weights_are_seen(self):
        module, x = Layers().eval(), torch.randn(4, 16)
        compiled = self.compile(module)
        with torch.no_grad():
            compiled(x)
            module.first.weight.mul_(2)
            self.assert_close(compiled(x), module(x))
            module.first.weight.mul_(2)
            self.assert_close(compiled(x), module(x))

    def test_replaced_memory_of_weights_is_seen(self):
        module, x = Layers().eval(), torch.randn(4, 16)
        compiled = self.compile(module)
        with torch.no_grad():
            compiled(x)
            module.first.weight.data = torch.randn(32, 16)
            self.assert_close(compiled(x), module(x))

    def test_threads_see_changed_weights(self):
        module, x = Layers().eval(), torch.randn(4, 16)
        compiled = self.compile(module)
        results = []

        def call():
            with torch.no_grad():
                results.append(compiled(x))

        with torch.no_grad():
            compiled(x)
            module.first.weight.mul_(2)
            threads = [threading.Thread(target=call) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(results), 6)
            for result in results:
                self.assert_close(result, module(x))

    def test_weights_made_in_inference_mode(self):
        x = torch.randn(4, 16)
        with torch.inference_mode():
            module = Layers().eval()
            compiled = self.compile(module)
            self.assert_close(compiled(x), module(x))
            module.first.weight.mul_(2)
            self.assert_close(compiled(x), module(x))
        self.assert_compiled(["inference"])

    def test_results_keep_their_types(self):
        x = torch.tensor([1, 200], dtype=torch.uint8)
        result = self.compile(lambda x: x + x)(x)
        self.assertEqual((result.dtype, result.tolist()), (torch.uint8, [2, 144]))

    def test_tensors_that_negate_their_memory(self):
        x = torch.complex(torch.zeros(3), torch.ones(3)).conj().imag
        self.assertTrue(x.is_neg())
        with torch.no_grad():
            self.assert_close(self.compile(lambda x: x * 2)(x), x * 2)

    def test_training(self):
        ours, x = Layers(), torch.randn(8, 16)
        theirs, losses = copy.deepcopy(ours), []
        for module, function in ((ours, self.compile(ours)), (theirs, theirs)):
            optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
            for _ in range(4):
                optimizer.zero_grad()
                loss = function(x)[:, 0].log().mean().neg()
                loss.backward()
                optimizer.step()
            losses.append(loss.detach())
        self.assert_compiled(["forward", "backward"])
        self.assert_close(*losses)
        for weight, expected in zip(ours.parameters(), theirs.parameters()):
            self.assert_close(weight.detach(), expected.detach())

    def test_one_graph_for_all_sizes(self):
        module = Layers().eval()
        compiled = self.compile(module, dynamic=True)
        with torch.no_grad():
            for batch in (3, 7, 5):
                x = torch.randn(batch, 16)
                self.assert_close(compiled(x), module(x))
        self.assert_compiled(["inference"])

    def test_buffers_that_change(self):
        ours, theirs, x = Counter(), Counter(), torch.ones(4)
        compiled = self.compile(ours)
        with torch.no_grad():
            for _ in range(3):
                self.assert_close(compiled(x), theirs(x))
        self.assert_close(ours.count, torch.full((4,), 3.0))
        self.assert_compiled(["inference"])

    def test_orders_in_memory(self):
        def function(x):
            y = torch.empty_like(x.t())
            z = x.t().new_empty_strided((4, 3), (1, 4))
            return torch.add(y.copy_(x.t()), z.copy_(x.t()))

        x = torch.arange(12.0).reshape(3, 4)
        with torch.no_grad():
            self.assert_close(self.compile(function)(x), function(x))
        self.assert_compiled(["inference"])

    def test_graph_breaks(self):
        def function(x):
            y = torch.tanh(x)
            torch._dynamo.graph_break()
            return y * 2

        x = torch.randn(5)
        with torch.no_grad():
            self.assert_close(self.compile(function)(x), function(x))
        self.assert_compiled(["inference", "inference"])

    def test_what_cannot_be_compiled_runs_in_pytorch(self):
        def function(x):
            return torch.linalg.eigvals(x).real.sum()

        x = torch.eye(3)
        with torch.no_grad(), self.assertLogs("mlir_prof", "WARNING"):
            self.assertEqual(self.compile(function)(x), 3)
        [graph] = torch_backend.list_graphs()
        self.assertIsNone(graph.model)
        self.assertIn("eig", graph.reason)


if __name__ == "__main__":
    unittest.main()
