# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights in the memory of their framework."""

import gc
import pathlib
import sys
import tempfile
import threading
import unittest

import jax
import jax.numpy as jnp
import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from model_common import Compiled, run_python  # noqa: E402

import mlir_prof as mp  # noqa: E402

ROWS, COLUMNS = 4096, 256


class Lookup(torch.nn.Module):
    """A table that is read as it is, and a product whose weight may be packed."""

    def __init__(self, seed=0):
        super().__init__()
        torch.manual_seed(seed)
        self.table = torch.nn.Embedding(ROWS, COLUMNS)
        self.product = torch.nn.Linear(COLUMNS, COLUMNS)

    def forward(self, x):
        return self.product(self.table(x))


def count_file_pages():
    """Bytes of mapped files in memory."""
    status = pathlib.Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("RssFile"))
    return int(line.split()[1]) << 10


#: Compiles a table of 128 MiB, after everything is imported; prints by how many bytes
#: the memory of the process grew in between, at most.
GROW = """
import re, torch, mlir_prof

def compile(rows):
    table = torch.nn.Embedding(rows, 1024).eval()
    return mlir_prof.compile(table, torch.arange(4), progress=False)

def read(name):
    with open("/proc/self/status") as file:
        return int(re.search(name + r":\\s+(\\d+)", file.read())[1]) << 10

compile(8)
table = torch.nn.Embedding(32768, 1024).eval()
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before = read("VmRSS")
model = mlir_prof.compile(table, torch.arange(4), progress=False)
print(read("VmHWM") - before)
"""


class Weights(Compiled):
    def setUp(self):
        super().setUp()
        self.module = Lookup().eval()
        self.x = torch.arange(ROWS)
        with torch.no_grad():
            self.expected = self.module(self.x)

    def make(self, **options):
        return mp.compile(self.module, self.x, progress=False, **options)

    def check(self, model):
        """The model has the values of its weights when it was compiled."""
        torch.testing.assert_close(model(self.x), self.expected)

    def test_outputs_in_weights_are_not_read(self):
        table = torch.nn.Embedding(ROWS, COLUMNS).eval()
        x = torch.arange(ROWS - 4, ROWS)
        with torch.no_grad():
            model = mp.compile(table, x, progress=False)
            self.assertEqual(model.memory.shared, 4 * ROWS * COLUMNS)
            expected = table(x).clone()
            # Not where samples are taken.
            model(x, out=table.weight.detach()[5:9])
            torch.testing.assert_close(table.weight[5:9], expected)
            self.assertEqual(model.memory.shared, 0)
            self.assertFalse(torch.equal(model(torch.arange(5, 9)), expected))

    def test_reads_the_tensors(self):
        model = self.make()
        before = count_file_pages()
        self.check(model)
        size = self.module.table.weight.nbytes
        self.assertEqual(model.memory.shared, size)
        self.assertGreater(model.memory.constants, size)
        self.assertLess(count_file_pages() - before, size / 2)
        pointers = [weight.data_ptr() for weight in model.weights]
        self.assertEqual(pointers, [self.module.table.weight.data_ptr()])

    def test_can_have_its_own(self):
        model = self.make(share_weights=False)
        self.check(model)
        self.assertEqual(model.memory.shared, 0)
        for isolate in (False, True):
            with self.subTest(isolate=isolate):
                self.check(self.make(isolate=isolate))

    def test_keeps_values_after_changes(self):
        weight = self.module.table.weight

        def step():
            optimizer = torch.optim.SGD(self.module.parameters(), lr=1)
            self.module(self.x).sum().backward()
            optimizer.step()

        def change_one():
            with torch.no_grad():
                weight[ROWS // 3, 1] += 1

        changes = {"step": step, "one": change_one,
                   "uncounted": lambda: weight.data.mul_(2),
                   "load": lambda: self.module.load_state_dict(Lookup(1).state_dict())}
        for name, change in changes.items():
            with self.subTest(change=name):
                with torch.no_grad():
                    self.expected = self.module(self.x)
                model = self.make()
                self.check(model)
                self.assertTrue(model.memory.shared)
                change()
                self.check(model)
                self.assertEqual(model.memory.shared, 0)
                with torch.no_grad():
                    self.assertFalse(torch.equal(self.module(self.x), self.expected))

    def test_keeps_values_after_replacements(self):
        weight = self.module.table.weight

        def replace():
            weight.data = torch.zeros_like(weight)

        def forget():
            self.module = None
            gc.collect()
            torch.zeros(ROWS, COLUMNS)

        for name, change in {"replace": replace, "forget": forget}.items():
            with self.subTest(change=name):
                if name == "forget":
                    self.module, weight = Lookup().eval(), None
                model = self.make()
                change()
                self.check(model)
                self.assertTrue(model.memory.shared)

    def test_models_have_weights_of_their_own(self):
        first, second = self.make(), Lookup().eval()
        other = mp.compile(second, self.x, progress=False)
        self.assertTrue(first.memory.shared)
        self.assertTrue(other.memory.shared)
        with torch.no_grad():
            second.table.weight.zero_()
        self.check(other)
        self.check(first)
        self.assertEqual(other.memory.shared, 0)
        self.assertTrue(first.memory.shared)
        del first
        gc.collect()
        self.check(other)
        self.check(self.make())

    def test_compiling_does_not_copy(self):
        result = run_python(GROW)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(int(result.stdout), 64 << 20)

    def test_files_are_whole(self):
        model = self.make()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.mprof"
            model.save(path)
            loaded = mp.load(path)
        with torch.no_grad():
            self.module.table.weight.zero_()
        self.check(loaded)
        self.assertEqual(loaded.memory.shared, 0)

    def test_odd_tensors_are_copies(self):
        size = ROWS * COLUMNS
        whole = torch.randn(size + 1)
        with torch.inference_mode():
            untracked = torch.randn(ROWS, COLUMNS)
        for name, value in {"unaligned": whole[1:].view(ROWS, COLUMNS),
                            "transposed": torch.randn(COLUMNS, ROWS).t(),
                            "untracked": untracked}.items():
            with self.subTest(tensor=name):
                module = torch.nn.Module()
                module.register_buffer("table", value)
                module.forward = lambda x: module.table[x]
                model = mp.compile(module, self.x, progress=False)
                self.assertEqual(model.memory.shared, 0)
                torch.testing.assert_close(model(self.x), value.clone())

    def test_changes_during_calls(self):
        """A result has old weights only, whatever other threads write."""
        model, is_done, wrong = self.make(), threading.Event(), []

        def call():
            while not is_done.is_set():
                if not torch.allclose(model(self.x), self.expected, atol=1e-4):
                    wrong.append(True)

        threads = [threading.Thread(target=call) for _ in range(2)]
        for thread in threads:
            thread.start()
        with torch.no_grad():
            for _ in range(20):
                self.module.table.weight.add_(1)
        is_done.set()
        for thread in threads:
            thread.join()
        self.assertFalse(wrong)

    def test_arrays_of_jax(self):
        table = jnp.asarray(np.random.default_rng(0).random((ROWS, COLUMNS), "f4"))
        x = jnp.arange(ROWS)[::-1]
        model = mp.compile(lambda x: table[x] + 1, x, progress=False)
        np.testing.assert_array_equal(model(x), np.asarray(table)[::-1] + 1)
        self.assertEqual(model.memory.shared, table.nbytes)
        del table
        gc.collect()
        np.testing.assert_array_equal(model(x)[0], model(x)[0])


if __name__ == "__main__":
    unittest.main()
