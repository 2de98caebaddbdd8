# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch."""

import unittest
import warnings

import torch

from common import STEPS, FrameworkTest, mlir_prof

warnings.simplefilter("ignore")


class Layers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(256, 256)
        self.second = torch.nn.Linear(256, 256)

    def forward(self, x):
        x = torch.tanh(self.first(x))
        return torch.softmax(self.second(x), dim=-1)


class Loss(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = Layers()

    def forward(self, x):
        return self.layers(x).log().mean()


class Torch(FrameworkTest):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        self.x = torch.randn(64, 256)

    def record(self, module, **options):
        return mlir_prof.capture.torch(module, self.x, steps=STEPS,
                                       folder=self.scratch / "out", **options)

    def test_eager(self):
        captured = self.record(Layers().eval())
        self.assertEqual(captured.notes, [])
        report = self.check(captured, 0.99)
        self.assertEqual(self.counts(report, "torch.aten.linear"), [STEPS, STEPS])
        self.assertEqual(self.counts(report, "torch.aten.tanh"), [STEPS])
        self.assertEqual(len(self.report(captured, "step")["rows"]), STEPS)
        scopes = self.report(captured, "module-path")["rows"]
        self.assertLessEqual({"first", "second"},
                             {row["key"] for row in scopes})
        # One op per call, none of them decomposed.
        self.assertEqual(self.parse(captured.mlir).count('"torch.aten.linear"'), 2)

    def test_profile_without_a_folder(self):
        with mlir_prof.capture(Layers().eval(), self.x, steps=STEPS) as profile:
            self.assertGreaterEqual(profile.coverage.share, 0.99)
            counts = {row["key"]: row["count"]
                      for row in profile.report(by="op-type")}
        self.assertEqual(counts["torch.aten.linear"], 2 * STEPS)

    def test_eager_belongs_to_linalg(self):
        captured = self.record(Layers().eval())
        report = self.report(captured, "op", captured.linalg)
        self.assertGreaterEqual(self.joined(report), 0.9)

    def test_linalg_gives_the_same_result(self):
        module = Layers().eval()
        captured = self.record(module)
        with torch.no_grad():
            self.run_linalg(captured, [self.x.numpy()], module(self.x).numpy())

    def test_what_torch_mlir_gets_wrong_is_corrected(self):
        class Shift(torch.nn.Module):
            def forward(self, x):
                pad = torch.nn.functional.pad
                gelu = torch.nn.functional.gelu(x, approximate="tanh")
                return gelu + pad(x, (0, 0, 1, -1)) + pad(x, (-3, 3), value=2.0)

        captured = self.record(Shift())
        self.run_linalg(captured, [self.x.numpy()], Shift()(self.x).numpy())

    def test_nodes(self):
        captured = self.record(Layers().eval(), mode="fx")
        self.check(captured, 0.99)
        rows = self.report(captured, "op")["rows"]
        self.assertLessEqual(
            {"first/linear", "tanh", "second/linear_1", "softmax"},
            {row["location"] for row in rows})

    def test_compiled(self):
        captured = self.record(Layers().eval(), mode="compile")
        report = self.check(captured, 0.9)
        # The kernels of generated code are known, since they are events.
        self.assertEqual(self.counts(report, ".*tanh.*"), [STEPS])

    def test_training(self):
        module = Loss().train()
        captured = self.record(module, training=True)
        report = self.check(captured, 0.9)
        self.assertEqual(self.counts(report, "torch.aten.tanh_backward"), [STEPS])
        # Both passes of a layer have its name.
        rows = self.report(captured, "op")["rows"]
        self.assertLessEqual(
            {("torch.aten.addmm", "layers/first"),
             ("torch.aten.mm", "layers/first")},
            {(row["op"], row["location"].rpartition("/")[0]) for row in rows})
        self.assertTrue(all(weight.grad is None
                            for weight in module.parameters()))

    def test_training_needs_a_loss(self):
        with self.assertRaisesRegex(mlir_prof.capture.CaptureError, "scalar"):
            self.record(Layers().train(), training=True)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_what_is_no_graph_is_refused(self):
        class Branch(torch.nn.Module):
            def forward(self, x):
                return x * 2 if x.sum() > 0 else x

        with self.assertRaisesRegex(mlir_prof.capture.CaptureError,
                                    "one graph.*depend on data"):
            self.record(Branch().eval())
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_what_torch_mlir_lacks_has_no_linalg_and_says_so(self):
        class Values(torch.nn.Module):
            def forward(self, x):
                return torch.linalg.matrix_exp(x @ x.t())

        captured = self.record(Values().eval())
        self.check(captured, 0.95, has_linalg=False)
        self.assertRegex(captured.notes[0], "matrix_exp")

    def test_weights_stand_in_linalg_if_at_all(self):
        captured = self.record(Layers().eval())
        # Two hexadecimal digits per byte.
        weights = 2 * 256 * 256 * 4 * 2
        self.assertLess(captured.mlir.stat().st_size, 20000)
        self.assertGreater(captured.linalg.stat().st_size, weights)
        captured = self.record(Layers().eval(), weights=False, overwrite=True)
        self.assertLess(captured.linalg.stat().st_size, 20000)
        self.assertEqual(captured.notes, ["linalg.mlir has no weights"])
        self.parse(captured.linalg)

    def test_optimizers_and_loaders_are_scopes(self):
        layers = Loss()
        restore = mlir_prof.wrap_optimizers()
        try:
            optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
            loader = mlir_prof.wrap_loader(torch.utils.data.DataLoader(
                torch.randn(6, 256), batch_size=2))
            with mlir_prof.Profiler(steps=True) as profiler:
                for x in loader:
                    layers(x).backward()
                    optimizer.step()
                    profiler.step(len(x))
        finally:
            restore()
        calls = {row.name: row.calls for row in profiler.rows()}
        self.assertEqual(calls["SGD.step"], 3)
        # The last reading finds the end.
        self.assertEqual(calls["DataLoader"], 4)
        self.assertIn("samples/s", profiler.step_info())

    def test_document(self):
        self.run_document("torch")


if __name__ == "__main__":
    unittest.main()
