# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's front end: each model gives the results of PyTorch in double precision."""

import copy
import json
import os
import pathlib
import subprocess
import unittest
import warnings
from unittest import mock

import numpy
import torch
from torch import nn
from torch.utils import _pytree as pytree

from common import FrameworkTest, find_mlir_opt, mlir_prof
from mlir_prof import frontends
from mlir_prof.frontends._torch import TrainingStep, _linalg, _lower

warnings.simplefilter("ignore")

#: Relative to the largest element.
TOLERANCE = 1e-5


class Function(nn.Module):
    """A function, with names for its line in locations."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


def compute_exactly(module, arguments):
    """The results in double precision."""
    def widen(x):
        return x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() \
            else x
    module = copy.deepcopy(module).double()
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            return module(*pytree.tree_map(widen, arguments))
    finally:
        torch.set_default_dtype(torch.float32)


class FrontEndTest(FrameworkTest):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def lower(self, model, *examples, **options):
        folder = self.scratch / "source"
        folder.mkdir(exist_ok=True)
        return frontends.lower(model, frontends.Request(folder, examples, **options))

    def run_source(self, source, arguments, keywords=None, threads=1):
        """The results of the model, computed by the tool."""
        inputs = []
        for place, x in enumerate(source.flatten(arguments, keywords or {})):
            numpy.save(self.scratch / f"{place}.npy", x.numpy())
            inputs.append(f"--input={place}={self.scratch}/{place}.npy")
        folder = self.scratch / "results"
        mlir_prof.run("record", source.path, *inputs, "--mode=time", "--iterations=1",
                      f"--threads={threads}", f"--save-results={folder}",
                      "-o", self.scratch / "source.mlprof")
        return source.unflatten([torch.from_numpy(numpy.load(folder / f"{value.name}.npy"))
                                 for value in source.results])

    def assert_near(self, got, expected):
        got, expected = map(pytree.tree_flatten, (got, expected))
        self.assertEqual(got[1], expected[1])
        for one, other in zip(got[0], expected[0]):
            if not isinstance(other, torch.Tensor):
                self.assertEqual(one, other)
                continue
            self.assertEqual(one.shape, other.shape)
            if other.numel():
                one, other = one.double(), other.double()
                self.assertLessEqual((one - other).abs().max(),
                                     TOLERANCE * other.abs().max())

    def check(self, module, *arguments, threads=(1,)):
        """The front end takes the model, and the results are right."""
        if not isinstance(module, nn.Module):
            module = Function(module)
        source = self.lower(module, *arguments)
        expected = compute_exactly(module, arguments)
        for count in threads:
            self.assert_near(self.run_source(source, arguments, threads=count), expected)
        return source


class Structure(FrontEndTest):
    """Arguments, results, names and places."""

    def test_names_and_paths(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.up, self.down = nn.Linear(8, 32), nn.Linear(32, 4)

            def forward(self, tokens, *, scale):
                return {"y": self.down(torch.tanh(self.up(tokens))) * scale, "n": None}

        model, x, scale = Model(), torch.randn(5, 8), torch.randn(4)
        source = self.lower(model, x, keywords=dict(scale=scale))
        self.assertEqual(source.arguments, [frontends.Value("tokens", "float32", (5, 8)),
                                            frontends.Value("scale", "float32", (4,))])
        self.assertEqual(source.results,
                         [frontends.Value("result0", "float32", (5, 4))])
        with torch.no_grad():
            expected = model(x, scale=scale)
        self.assert_near(self.run_source(source, (x,), dict(scale=scale)), expected)
        with self.assertRaisesRegex(TypeError, "scale"):
            source.flatten((x,), {})
        rows = json.loads(mlir_prof.run(
            "report", self.scratch / "source.mlprof", "--by=module-path", "--all",
            "--format=json"))["rows"]
        self.assertLessEqual({"up", "down", "tanh"}, {row["key"] for row in rows})
        self.assertIn(pathlib.Path(__file__).name + '":', self.parse(source.path))

    def test_bytecode_is_the_module(self):
        """Bytecode of a newer MLIR, rewritten, has what its text has."""
        model, x = nn.Sequential(nn.Conv2d(3, 4, 3), nn.GELU(), nn.Flatten(),
                                 nn.LayerNorm(144)), torch.randn(2, 3, 8, 8)
        source = self.lower(model, x)
        graph = _lower.get_graph(torch.export.export(model, (x,)), False)
        path = self.scratch / "text.mlir"
        path.write_text(_linalg.make_module(graph).operation.get_asm(
            enable_debug_info=True))
        written, printed = [subprocess.run(
            [find_mlir_opt(), file], capture_output=True, check=True).stdout
            for file in (source.path, path)]
        self.assertEqual(written, printed)
        self.assertLess(source.path.stat().st_size, path.stat().st_size)

    def test_constant_arguments(self):
        model = Function(lambda x, n: x * n)
        source = self.lower(model, torch.randn(3), 2)
        self.assertEqual(len(source.flatten((torch.randn(3), 2), {})), 1)
        with self.assertRaisesRegex(TypeError, "compiled for 2"):
            source.flatten((torch.randn(3), 3), {})

    def test_dynamic_dimensions(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(8, 8)

            def forward(self, x):
                return torch.softmax(self.layer(x), -1).cumsum(0)

        model = Model()
        source = self.lower(model, torch.randn(5, 8),
                            dynamic_shapes=({0: torch.export.Dim("rows")},))
        self.assertEqual(source.arguments[0].shape, (None, 8))
        for rows in (3, 17):
            x = torch.randn(rows, 8)
            self.assert_near(self.run_source(source, (x,)),
                             compute_exactly(model, (x,)))

    def test_weights_that_are_not_saved(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("table", torch.randn(4, 6), persistent=False)

            def forward(self, x):
                return x @ self.table + torch.tensor([1.0, 2, 3, 4, 5, 6])

        self.check(Model(), torch.randn(3, 4))

    def test_lists_of_weights(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Parameter(torch.randn(3, 4))
                self.register_buffer("rows", torch.tensor([1, 0]))

            def forward(self, x):
                return torch.cat([x, self.a, x]), torch.stack(
                    [x, self.a])[self.rows, :, self.rows]

        self.check(Model(), torch.randn(3, 4))

    def test_programs_and_files(self):
        model, x = nn.Linear(4, 4), torch.randn(2, 4)
        program = torch.export.export(model, (x,))
        expected = compute_exactly(model, (x,))
        self.assert_near(self.run_source(self.lower(program), (x,)), expected)
        path = self.scratch / "model.pt2"
        torch.export.save(program, path)
        self.assert_near(self.run_source(self.lower(path), (x,)), expected)

    def test_pickled_code_is_refused(self):
        path = self.scratch / "model.pt"
        torch.save(nn.Linear(4, 4), path)
        with self.assertRaisesRegex(frontends.FrontEndError, "allow_pickle"):
            self.lower(path, torch.randn(2, 4))
        self.lower(path, torch.randn(2, 4), allow_pickle=True)

    def test_files_run_in_a_process_of_their_own(self):
        path = self.scratch / "model.pt2"
        path.write_bytes(b"not a program")
        with self.assertRaisesRegex(frontends.FrontEndError, "not a model"):
            self.lower(path)
        torch.export.save(torch.export.export(nn.Linear(4, 4), (torch.ones(2, 4),)),
                          path)
        # As if a library had failed an assertion.
        ends = self.scratch / "torch_mlir.py"
        ends.write_text("import os; os.abort()")
        with mock.patch.dict(os.environ, PYTHONPATH=f"{self.scratch}"), \
                self.assertRaisesRegex(frontends.FrontEndError, "ended by SIGABRT"):
            self.lower(path)

    def test_refusals_name_the_place(self):
        class Inner(nn.Module):
            def forward(self, x):
                return torch.linalg.matrix_exp(x @ x.t())

        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x)

        name = pathlib.Path(__file__).name
        with self.assertRaisesRegex(frontends.FrontEndError,
                                    rf"inner/.*{name}:\d+.*matrix_exp.*hint"):
            self.lower(Outer(), torch.randn(3, 4))

    def test_unknown_container(self):
        """Its type is in the way, and not what the graph depends on."""
        class Cache:
            def __init__(self, x):
                self.x = x

        x = torch.randn(2)
        for model, example in ((lambda x: (x, Cache(x)), x),
                               (lambda cache: cache.x + 1, Cache(x))):
            with self.assertRaisesRegex(frontends.FrontEndError,
                                        "Cache'>.*hint: leave that type out"):
                self.lower(Function(model), example)


class Scatter(FrontEndTest):
    index = torch.tensor([2, 0, 2, 1, 2])

    def test_slices(self):
        self.check(lambda x, s: (x.index_add(0, self.index, s, alpha=2),
                                 x.index_copy(0, self.index[1:4], s[1:4]),
                                 x.t().index_add(1, self.index, s.t())),
                   torch.randn(4, 6), torch.randn(5, 6), threads=(1, 2))

    def test_elements(self):
        index = torch.randint(0, 4, (5, 6))
        self.check(lambda x, s: (x.scatter_add(0, index, s),
                                 x.scatter(0, index, 3.0),
                                 x.scatter_reduce(0, index, s, "amax"),
                                 x.scatter_reduce(0, index, s, "prod")),
                   torch.randn(4, 6), torch.randn(5, 6))

    def test_places(self):
        rows, columns = torch.tensor([0, -1, 0]), torch.tensor([[1], [2]])
        self.check(lambda x, v: (x.index_put((rows, columns), v, accumulate=True),
                                 torch.ops.aten.index_put(x, [None, rows], v[0]),
                                 torch.ops.aten.index_put(x, [rows, None, rows], v[0, :, :1]),
                                 x.index_put((x[..., 0] > 0,), v[0, 0, 0])),
                   torch.randn(4, 5, 3), torch.randn(2, 3, 3))

    def test_places_outside_are_errors(self):
        class Model(nn.Module):
            def forward(self, x, index):
                return x.index_add(0, index, x)

        source = self.lower(Model(), torch.randn(2, 2), torch.tensor([0, 1]))
        with self.assertRaisesRegex(mlir_prof.tool.ToolError, "index out of range"):
            self.run_source(source, (torch.randn(2, 2), torch.tensor([0, 2])))


class Order(FrontEndTest):
    def test_scan(self):
        self.check(lambda x: (x.cumsum(0), x.cumsum(1), x.cumsum(2), x.cumprod(1),
                              (x > 0).cumsum(2)), torch.randn(4, 5, 6))

    def test_top(self):
        x = torch.randn(3, 50, 4)
        self.check(lambda x: (torch.topk(x, 3, 1), torch.topk(x, 2, 2, False),
                              torch.topk(x.flatten(1), 100)), x)

    def test_sort(self):
        x = torch.randint(0, 20, (3, 100)).float()
        x[0, 3] = float("nan")

        def sort(x):
            values, places = torch.sort(x, stable=True)
            down, places_down = torch.sort(x[:, :20], descending=True, stable=True)
            return (values[:, :99], values.isnan(), places, places_down,
                    torch.argsort(x.t(), dim=0, stable=True))
        self.check(sort, x)


class Layers(FrontEndTest):
    def test_recurrent(self):
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            with self.subTest(kind=kind.__name__):
                self.check(kind(6, 8, 2, batch_first=True, bidirectional=True),
                           torch.randn(3, 7, 6), threads=(1, 2))
        self.check(nn.GRU(6, 8, bias=False), torch.randn(7, 3, 6))

    def test_recurrent_layers_stay_loops(self):
        source = self.lower(nn.LSTM(6, 8), torch.randn(90, 3, 6))
        text = self.parse(source.path)
        self.assertEqual(text.count('"scf.for"'), 1)
        # That of all inputs, and that of the state.
        self.assertEqual(text.count('"linalg.matmul"'), 2)

    def test_bags(self):
        for mode in ("sum", "mean", "max"):
            bag = nn.EmbeddingBag(20, 4, mode=mode)
            with self.subTest(mode=mode):
                self.check(bag, torch.randint(0, 20, (5, 3)))
                self.check(bag, torch.randint(0, 20, (9,)), torch.tensor([0, 2, 2, 7]))

    def test_attention(self):
        def attend(q, k, v, mask):
            f = nn.functional.scaled_dot_product_attention
            return (f(q, k, v), f(q, k, v, is_causal=True), f(q, k, v, mask),
                    f(q, k, v, mask > 0))
        mask = torch.randn(5, 5)
        mask[:, 0] = 1
        self.check(attend, *[torch.randn(2, 3, 5, 4) for _ in range(3)], mask)

    def test_groups_of_rows(self):
        def multiply(x, w, ends):
            return torch.nn.functional.grouped_mm(x.bfloat16(), w.bfloat16(), offs=ends)

        class Groups(nn.Module):
            def forward(self, x, w, ends):
                return multiply(x, w, ends).float()
        model = Groups()
        arguments = (torch.randn(16, 8), torch.randn(3, 8, 8),
                     torch.tensor([4, 4, 16], dtype=torch.int32))
        source = self.lower(model, *arguments)
        got = self.run_source(source, arguments)
        ends = [0, 4, 4, 16]
        expected = torch.cat([arguments[0][a:b] @ arguments[1][i]
                              for i, (a, b) in enumerate(zip(ends, ends[1:]))])
        self.assertLess((got - expected).abs().max() / expected.abs().max(), 0.02)

    def test_loops(self):
        from torch._higher_order_ops.while_loop import while_loop
        self.check(lambda n, x: while_loop(lambda n, x: n > 0,
                                           lambda n, x: (n - 1, x * 1.5 + 1), (n, x)),
                   torch.tensor(4), torch.randn(3))

    def test_histogram(self):
        self.check(lambda x: torch.histc(x, 5, -1, 1), torch.randn(100))


class Corrections(FrontEndTest):
    def test_results_that_torch_mlir_gets_wrong(self):
        def shift(x):
            pad = nn.functional.pad
            gelu = nn.functional.gelu(x, approximate="tanh")
            return gelu + pad(x, (0, 0, 1, -1)) + pad(x, (-3, 3), value=2.0)
        self.check(shift, torch.randn(6, 8))


class Training(FrontEndTest):
    def check_step(self, module, *arguments):
        step = TrainingStep(module)
        source = self.lower(step, *arguments)
        exact = TrainingStep(copy.deepcopy(module).double())
        expected = exact(*[x.double() if x.is_floating_point() else x
                           for x in arguments])
        loss, gradients = self.run_source(source, arguments)
        self.assert_near(loss, expected[0])
        self.assertEqual(set(gradients), set(expected[1]))
        largest = max(each.abs().max() for each in expected[1].values())
        for name, gradient in gradients.items():
            error = (gradient - expected[1][name]).abs().max()
            self.assertLessEqual(error / largest, TOLERANCE, name)
        return module, exact.module

    def test_cross_entropy(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU(),
                                            nn.Linear(16, 4))

            def forward(self, x, y):
                return nn.functional.cross_entropy(self.layers(x), y)

        self.check_step(Model(), torch.randn(6, 8), torch.randint(0, 4, (6,)))

    def test_attention(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0,
                                                        batch_first=True)

            def forward(self, x):
                return self.layer(x).square().mean()

        self.check_step(Model(), torch.randn(2, 5, 8))

    def test_shared_weights_bags_and_pools(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.bag = nn.EmbeddingBag(6, 4)
                self.head = nn.Linear(4, 6, bias=False)
                self.head.weight = self.bag.weight

            def forward(self, x, tokens):
                pooled = nn.functional.max_pool2d(self.head(x)[:, None], 2)
                return pooled.square().mean() + self.bag(tokens).square().mean()

        self.check_step(Model(), torch.randn(2, 8, 4), torch.randint(0, 6, (2, 5)))

    def test_buffers_change(self):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.BatchNorm1d(4)

            def forward(self, x):
                return self.norm(x).tanh().mean()

        module, exact = self.check_step(Model(), torch.randn(6, 4))
        self.assert_near(module.norm.running_var, exact.norm.running_var)
        self.assertEqual(module.norm.num_batches_tracked, 1)

    def test_a_loss_is_needed(self):
        with self.assertRaisesRegex(frontends.FrontEndError, "scalar"):
            self.lower(TrainingStep(nn.Linear(2, 2)), torch.randn(2, 2))


class Limits(FrontEndTest):
    def test_what_is_no_number_stays(self):
        nan = float("nan")
        x, y = torch.tensor([nan, -3, 0.5, 9]), torch.tensor([1, nan, 0, 2.0])
        functional = nn.functional

        def model(x, y):
            return (torch.clamp(x, 0, 1), torch.clamp(x, min=0.25), torch.clamp(x, max=1),
                    torch.clamp(x, y, y + 1), torch.maximum(x, y), torch.minimum(x, y),
                    functional.hardtanh(x), functional.relu6(x), functional.relu(x),
                    torch.clamp(x.to(torch.int32), 1, 4),
                    torch.clamp(x[1], 0, 1))

        results = mlir_prof.compile(model, x, y, progress=False)(x, y)
        for result, expected in zip(results, model(x, y)):
            torch.testing.assert_close(result, expected, equal_nan=True)

    def test_infinities_zeros_and_rounded_quotients(self):
        inf = float("inf")
        numbers = torch.tensor([0, -0.0, 1, -1, 0.1, -2.5, 1e10, inf, -inf, float("nan")])
        x, y = (z.flatten() for z in torch.meshgrid(numbers, numbers, indexing="ij"))

        def model(x, y):
            return (1 / y, torch.reciprocal(x), torch.isfinite(x), torch.fmod(x, y),
                    torch.fmod(x, 0.1), x % 0.1, x // y, x // 0.1,
                    torch.div(x, y, rounding_mode="floor"), torch.atan2(x, y))

        results = mlir_prof.compile(model, x, y, progress=False)(x, y)
        for result, expected in zip(results, model(x, y)):
            torch.testing.assert_close(result, expected, equal_nan=True)

    def test_integers(self):
        least = -2 ** 31
        numbers = torch.tensor([0, 1, -1, 7, -7, 100, least, least + 1, 2 ** 31 - 1],
                               dtype=torch.int32)
        x, y = (z.flatten() for z in torch.meshgrid(numbers, numbers[1:], indexing="ij"))

        def model(x, y):
            return x // y, x % y, torch.fmod(x, y)

        compiled = mlir_prof.compile(model, x, y, progress=False)
        for result, expected in zip(compiled(x, y), model(x, y)):
            self.assertEqual(result.tolist(), expected.tolist())
        y[17] = 0
        with self.assertRaisesRegex(mlir_prof.ModelError, "division by zero"):
            compiled(x, y)

    def test_indices_out_of_range(self):
        class Pick(nn.Module):
            def forward(self, table, rows):
                return table[rows]

        table, rows = torch.randn(10, 64), torch.tensor([3, -1, 9, -10])
        model = mlir_prof.compile(Pick(), table, rows, progress=False)
        torch.testing.assert_close(model(table, rows), table[rows])
        for row in (10, -11, 1 << 60):
            with self.assertRaisesRegex(
                    mlir_prof.ModelError,
                    "index is out of range for dimension 0 of size 10.*'index' at .*py:"):
                model(table, torch.tensor([3, row, 9, 0]))

    def test_refuses_integers_of_the_other_sign(self):
        class Shift(nn.Module):
            def forward(self, pixels, shift):
                return pixels.float() + shift

        pixels, shift = torch.tensor([200, 7], dtype=torch.uint8), torch.tensor([1, -1])
        model = mlir_prof.compile(Shift(), pixels, shift, progress=False)
        model.save(self.scratch / "shift.mprof")
        load = mlir_prof.load
        for loaded in (model, load(self.scratch / "shift.mprof", trust=True),
                       load(self.scratch / "shift.mprof", trust=False)):
            self.assertEqual(loaded(pixels, shift).tolist(), [201, 6])
            self.assertEqual(loaded.arguments[0].dtype, "uint8")
            with self.assertRaisesRegex(TypeError, "pixels.* is int8"):
                loaded(pixels.to(torch.int8), shift)


class Functions(FrontEndTest):
    def test_functions_belong_to_the_framework_of_their_arguments(self):
        def double_tanh(x):
            return 2 * torch.tanh(x)

        x = torch.linspace(-1, 1, 5)
        self.assertEqual(frontends.find(double_tanh, [x]), "torch")
        self.assertNotEqual(frontends.find(double_tanh, [x.numpy()]), "torch")
        result = mlir_prof.compile(double_tanh, x, progress=False)(x)
        torch.testing.assert_close(result, double_tanh(x))


if __name__ == "__main__":
    unittest.main()
