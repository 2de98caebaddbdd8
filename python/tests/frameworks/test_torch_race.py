# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races of a module of PyTorch."""

import pathlib
import tempfile
import unittest

import torch

from common import FrameworkTest, mlir_prof

NAMES = ["torch", "inductor", "onnxruntime", "openvino", "iree", "jax", "mlir_prof"]


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = torch.nn.Linear(64, width)
        self.down = torch.nn.Linear(width, 64)

    def forward(self, x):
        return x + self.down(torch.tanh(self.up(x)))


class TorchRace(FrameworkTest):
    def test_all_frameworks(self):
        torch.manual_seed(0)
        module = torch.nn.Sequential(Block(64), Block(192)).eval()
        race = mlir_prof.race(module, torch.randn(32, 64), frameworks=NAMES, rounds=2,
                              seconds=0.05, progress=False)
        notes = dict(zip(race.times["framework"], race.times["note"]))
        self.assertIn("does not become jax", notes.pop("jax"))
        self.assertEqual(set(notes.values()), {""}, notes)
        self.assertEqual(race.reference, "torch")
        self.assertEqual({row["module"] for row in race.rows},
                         {"0", "0/up", "0/down", "1", "1/up", "1/down"})
        for name in ("torch", "onnxruntime", "iree", "mlir_prof"):
            with self.subTest(name):
                self.check_times(race, name)
        self.check_fused(race)

    def check_times(self, race, name):
        """The modules' times add up to those of all joined ops."""
        times = dict(zip(race.rows["module"], race.rows[f"{name}_ps"]))
        totals = race.totals[NAMES.index(name)]
        joined = totals["total_ps"] - totals["unjoined_ps"]
        self.assertGreater(joined, 0.9 * totals["total_ps"])
        self.assertAlmostEqual((times["0"] + times["1"]) / joined, 1, delta=0.1)
        for module in "01":
            self.assertLessEqual(times[f"{module}/up"] + times[f"{module}/down"],
                                 times[module])

    def check_fused(self, race):
        """OpenVINO runs a layer and the function after it, which is its parent's, as
        one."""
        [rows] = [entry.rows for entry in race.entries if entry.name == "openvino"]
        self.assertIn(("1", "1/up"), [fused.modules for fused in rows.fused])
        self.assertEqual(rows.modules["1/up"].total_ps, 0)
        self.assertGreater(rows.modules["1/up"].unsplit_ps, 0)

    def test_file_of_onnx_has_modules(self):
        """Nodes in the file are named in another way than by module."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = pathlib.Path(folder, "model.onnx")
        torch.onnx.export(Block(64).eval(), (torch.randn(8, 64),), path, dynamo=True,
                          verbose=False)
        race = mlir_prof.race(path, frameworks=["onnxruntime", "openvino", "mlir_prof"],
                              rounds=1, seconds=0.02, progress=False)
        self.assertEqual(set(race.rows["module"]), {"up", "down"})
        for name in ("onnxruntime", "openvino", "mlir_prof"):
            self.assertNotIn(None, race.rows[f"{name}_ps"], name)

    def test_wrong_results_do_not_race(self):
        module = torch.nn.Linear(4, 4).eval()
        race = mlir_prof.race(module, torch.randn(2, 4), tolerance=-1.0,
                              frameworks=["torch", "mlir_prof"], progress=False)
        self.assertEqual([bool(entry.rounds) for entry in race.entries], [False, False])
        self.assertIn("differ by", race.times["note"][1])


if __name__ == "__main__":
    unittest.main()
