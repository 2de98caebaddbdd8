# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of PyTorch that torch-mlir does not take, each by the results of PyTorch in
double precision."""

import unittest

import torch

from common import mlir_prof
from test_torch_front_end import TOLERANCE, FrontEndTest, Function, compute_exactly

functional = torch.nn.functional
NAN = float("nan")


class OperatorTest(FrontEndTest):
    def check_compiled(self, function, *arguments):
        """The results, of which NaN and infinities are in the same places."""
        module = Function(function)
        expected = compute_exactly(module, arguments)
        got = mlir_prof.compile(module, *arguments, progress=False)(*arguments)
        got, expected = ([each] if isinstance(each, torch.Tensor) else each
                         for each in (got, expected))
        self.assertEqual(len(got), len(expected))
        for one, other in zip(got, expected):
            self.assertEqual(one.is_floating_point(), other.is_floating_point())
            finite = other[other.isfinite()].abs()
            bound = TOLERANCE * finite.max().item() if finite.numel() else 0
            torch.testing.assert_close(one.to(other.dtype), other, rtol=0, atol=bound,
                                       equal_nan=True)


class Functions(OperatorTest):
    def test_functions_of_numbers(self):
        x = torch.tensor([0.5, 1, 2, 3.3, -0.7, 10, 30.5, -3.5, 1.0001])

        def model(x):
            return (torch.lgamma(x), torch.digamma(x), torch.special.erfc(x),
                    torch.lgamma(-1e-30 * x[:4]), torch.digamma(-1e-20 * x[:4]),
                    torch.copysign(x, -x), torch.hypot(x, 2 * x), torch.special.i0e(x),
                    torch.special.i1e(x), torch.i0(x))
        self.check_compiled(model, x)

    def test_signs(self):
        x = torch.tensor([0.0, -0.0, 1, -2, float("inf"), -float("inf")])
        compiled = mlir_prof.compile(lambda x: torch.signbit(x), x, progress=False)
        self.assertEqual(compiled(x).tolist(), [False, True, False, True, False, True])

    def test_inverse_of_erf(self):
        x = torch.tensor([0.0, 1e-6, 0.3, -0.9, 0.99, -0.999999, 1, -1, 1.5, NAN])
        self.check_compiled(lambda x: torch.erfinv(x), x)

    def test_sums_of_powers(self):
        numbers = torch.tensor([0.0, 1, -3, 90, float("inf"), -float("inf"), NAN])

        def model(x, y):
            return torch.logaddexp(x, y), torch.logaddexp2(x, y), torch.hypot(x, y)
        self.check_compiled(model, numbers[:, None].expand(7, 7).clone(), numbers)

    def test_bessel_functions_of_large_numbers(self):
        special = torch.special
        self.check_compiled(lambda x: (special.i0e(x), special.i1e(x), x.i0() / 1e36,
                                       special.i1(x / 2)),
                            torch.tensor([3, 29.0, 31, 50, 87, -60]))

    def test_quotients_of_infinities(self):
        def model(x):
            return x // 2.0, x // -0.5, x // 3.0, 7.0 // x
        self.check_compiled(model, torch.tensor([float("inf"), -float("inf"), NAN, 7.3, -2]))

    def test_angles(self):
        numbers = torch.tensor([0.0, -0.0, 1, -1, 2, float("inf"), -float("inf"), NAN])
        self.check_compiled(torch.atan2, numbers[:, None].expand(8, 8).clone(), numbers)

    def test_decompositions_of_pytorch(self):
        def model(x, places):
            return (torch.addmv(x[0], x, x[1]), torch.dist(x, x + 1),
                    torch.bitwise_or(places, 5), torch.cdist(x, x + 1, p=1.0))
        self.check_compiled(model, torch.randn(3, 3), torch.arange(5))

    def test_small_numbers(self):
        """Limits such as 1e-12 are numbers of kernels."""
        self.check_compiled(lambda x: functional.normalize(x), torch.randn(3, 4))

    def test_images_without_aliases(self):
        def model(x):
            resize = functional.interpolate
            return tuple(resize(x, mode=mode, antialias=True, **options)
                         for mode in ("bilinear", "bicubic") for options in (
                             dict(size=(5, 13)), dict(scale_factor=0.6)))
        self.check_compiled(model, torch.randn(2, 3, 8, 9))

    def test_diagonals(self):
        self.check_compiled(lambda x: x.diagonal_scatter(x[0, :3], 1), torch.randn(3, 7))


class Extremes(OperatorTest):
    """The greatest and least numbers; NaN is both."""

    x = torch.tensor([[3, NAN, 7, float("inf")], [-0.0, 0, -1, -1], [NAN, 1, NAN, 2],
                      [-float("inf")] * 4, [2, 9, 9, 1]])

    def test_places(self):
        def model(x):
            return (*x.max(1), *x.min(0), x.argmax(1, keepdim=True), x.argmin(0), x.argmax(),
                    x.argmin(keepdim=True), x[1:2].double().argmin(1), x[0, 0].argmax())
        self.check_compiled(model, self.x)

    def test_running(self):
        def model(x):
            return (*x.cummax(0), *x.cummin(1), *x.double().cummin(0))
        self.check_compiled(model, self.x)

    def test_integers(self):
        """Bytes without a sign, bits, and the limits of a type."""
        def model(x):
            results = []
            for y in (x, x > 128, x.to(torch.int8), x.to(torch.int64)):
                results += [*y.max(1), *y.min(1), *y.cummax(0), *y.cummin(1)]
            return results
        x = torch.tensor([[0, 255, 128, 127], [0, 0, 255, 255]], dtype=torch.uint8)
        for got, expected in zip(mlir_prof.compile(model, x, progress=False)(x), model(x)):
            self.assertTrue(torch.equal(got, expected))
            self.assertEqual(got.dtype, expected.dtype)


class Unsigned(OperatorTest):
    """Bytes from 128 on are not negative."""

    x = torch.tensor([0, 1, 2, 7, 127, 128, 200, 255], dtype=torch.uint8)

    def model(self, x, y):
        rows = x.view(2, 4)
        return (x / 255, x / y, x > 128, x + y, x * 2, x // y.clamp(min=1), x >> 2, ~x,
                x ** 2, x.max(), x.sum(), rows.cumsum(1), rows.sort()[0], *rows.topk(2),
                torch.where(x > y, x, y), torch.cat([x.float(), y]), rows.unbind(0)[1] + 1,
                x.int(), x.double(), x.to(torch.int8), x.to(torch.bool),
                (x.float() * 0.7).to(torch.uint8), (x.int() * 3).to(torch.uint8),
                functional.max_pool2d(x.view(1, 1, 2, 4), 2))

    def check_unsigned(self, compiled):
        y = self.x.flip(0).clone()
        for got, expected in zip(compiled(self.x, y), self.model(self.x, y)):
            torch.testing.assert_close(got, expected, equal_nan=True)

    def test_operators(self):
        self.check_unsigned(mlir_prof.compile(self.model, self.x, self.x.clone(),
                                              progress=False))

    def test_compiled_by_torch(self):
        self.check_unsigned(torch.compile(self.model, backend="mlir_prof"))


class Constants(OperatorTest):
    """Operators on tensors that hold one constant number."""

    def test_operators(self):
        def model(x):
            results = [x]
            for dtype in (torch.float32, torch.int64, torch.int32):
                for start in (torch.full((2,), -7, dtype=dtype), torch.tensor(3, dtype=dtype)):
                    for number in (-3, 2, 0.5):
                        results += [start < number, start >= number, start * number,
                                    start + number, number - start, start / number]
            return results
        x = torch.randn(2)
        for got, expected in zip(mlir_prof.compile(model, x, progress=False)(x), model(x)):
            torch.testing.assert_close(got, expected)

    def test_changed_weights_count(self):
        """A weight that only constants use is one of the model."""
        class Scaled(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.nn.Parameter(torch.tensor(2.0))

            def forward(self, x):
                return x * (self.scale * -3)
        model, x = Scaled(), torch.randn(3)
        source = self.lower(model, x)
        self.assert_near(self.run_source(source, (x,)), x * -6)
        self.assertEqual([weight.item() for weight in source.weights], [2.0])


class Integers(OperatorTest):
    def test_limits(self):
        def model(x):
            return functional.hardtanh(x, -2.0, 2.0), x ** 3, x ** 0, functional.max_pool2d(
                x.view(1, 2, 4), 2)
        x = torch.tensor([-9, -2, 0, 1, 2, 3, 2 ** 30, -2 ** 30], dtype=torch.int32)
        for got, expected in zip(mlir_prof.compile(model, x, progress=False)(x), model(x)):
            torch.testing.assert_close(got, expected)

    def test_refuses_pools_of_long_integers(self):
        for pool in (functional.max_pool2d, functional.max_pool3d):
            with self.assertRaisesRegex(mlir_prof.frontends.FrontEndError,
                                        "64-bit integers"):
                self.lower(lambda x, pool=pool: pool(x, 2),
                           torch.ones(1, 1, 4, 4, 4, dtype=torch.int64)[
                               ..., 0 if pool is functional.max_pool2d else slice(None)])


class Ranks(OperatorTest):
    def test_medians(self):
        x = torch.randn(4, 7)
        x[1, 2] = x[3] = NAN

        def model(x):
            values, places = x.median(0)
            return (x.median(), values, places, x.nanmedian(), x[:3].nanmedian(1)[0],
                    *torch.kthvalue(x[0], 2, 0), x.to(torch.int32)[0].median())
        self.check_compiled(model, x)

    def test_places_in_rows(self):
        row, x = torch.randn(6).sort()[0], torch.randn(2, 5)
        x[0, 1], x[1, 2] = row[2], NAN

        def model(row, x):
            return (torch.searchsorted(row, x), torch.bucketize(x, row, right=True))
        self.check_compiled(model, row, x)

    def test_pools_of_one_image(self):
        def flat(x):
            return (functional.avg_pool1d(x[0], 2), functional.max_pool1d(x[0], 3),
                    functional.avg_pool2d(x, 2), *functional.max_pool2d(
                        x, 2, return_indices=True),
                    functional.adaptive_avg_pool2d(x, 2),
                    functional.adaptive_max_pool2d(x, 2),
                    functional.adaptive_avg_pool1d(x[0], 2))
        self.check_compiled(flat, torch.randn(3, 8, 8))
        self.check_compiled(lambda x: (functional.avg_pool3d(x, 2),
                                       functional.max_pool3d(x, 2)),
                            torch.randn(2, 4, 4, 4))

    def test_numbers_have_no_dimensions(self):
        self.check_compiled(lambda x: (x.cumsum(0), x.cumprod(0), *x.max(0)),
                            torch.tensor(3.0))


class Control(OperatorTest):
    def test_branches(self):
        def model(choice, x):
            return torch.cond(choice > 0, lambda x: (x.sin() @ x.t(), x.cumsum(0)),
                              lambda x: ((x + 1) @ x.t(), x * 2), (x,))
        x = torch.randn(3, 4)
        compiled = mlir_prof.compile(model, torch.tensor(1.0), x, progress=False)
        for choice in (1.0, -1.0):
            self.assert_near(compiled(torch.tensor(choice), x),
                             compute_exactly(Function(model), (torch.tensor(choice), x)))

    def test_loops_that_begin_with_constants(self):
        from torch._higher_order_ops.while_loop import while_loop

        def model(x):
            start = torch.zeros((), dtype=torch.int64)
            return while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, x * 2 + n),
                              (start, x))
        self.check_compiled(model, torch.randn(3))


class Matrices(OperatorTest):
    def setUp(self):
        super().setUp()
        self.a = torch.randn(2, 5, 5)
        self.symmetric = self.a @ self.a.mT + torch.eye(5)
        self.b = torch.randn(2, 5, 3)

    def test_triangles(self):
        linalg = torch.linalg

        def model(a, b):
            factor = linalg.cholesky(a)
            return (factor, torch.cholesky_solve(b, factor),
                    linalg.solve_triangular(a, b, upper=True),
                    linalg.solve_triangular(a, b.mT, upper=False, left=False))
        self.check_compiled(model, self.symmetric, self.b)

    def test_equations(self):
        linalg = torch.linalg

        def model(a, b):
            return (linalg.solve(a, b), linalg.solve(a, b[..., 0]), linalg.inv(a),
                    linalg.det(a), *linalg.slogdet(a), *linalg.lu_factor(a[:, :3]))
        self.check_compiled(model, self.a, self.b)

    def test_orthogonal_factors(self):
        def model(a):
            return (*torch.linalg.qr(a[:, :3]),
                    *torch.linalg.qr(a[..., :3], mode="complete"))
        self.check_compiled(model, self.a)

    def test_eigenvalues(self):
        def model(a):
            values, vectors = torch.linalg.eigh(a)
            return values, (vectors * values[..., None, :]) @ vectors.mT
        self.check_compiled(model, self.symmetric)

    def test_singular_values(self):
        def model(a):
            u, values, vt = torch.linalg.svd(a[..., :4])
            return (values, u @ u.mT, (u[..., :4] * values[..., None, :]) @ vt,
                    torch.linalg.pinv(a))
        self.check_compiled(model, self.a)


class Complex(OperatorTest):
    def test_transforms(self):
        """Lengths are those of one product, of several, and of a convolution."""
        fft = torch.fft

        def model(x):
            half = fft.rfft(x)
            return (fft.irfft(2 * half, n=201), fft.fft2(x, norm="ortho").abs(),
                    fft.fft(x[:, :67]).imag, fft.ifftn(x[:, :128]).real)
        self.check_compiled(model, torch.randn(3, 201))

    def test_frames(self):
        window = torch.hann_window(16)

        def model(x):
            spectrum = torch.stft(x, 16, 4, window=window.to(x.dtype),
                                  return_complex=True)
            return spectrum.abs(), torch.istft(spectrum, 16, 4,
                                               window=window.to(x.dtype))
        self.check_compiled(model, torch.randn(2, 100))

    def test_numbers(self):
        def model(x, angles):
            turned = torch.view_as_complex(x) * torch.polar(torch.ones_like(angles), angles)
            made = torch.zeros(3, 4, dtype=turned.dtype)
            made[:, :2] = torch.exp(turned[:, :2])
            return torch.view_as_real(turned), made.angle(), (turned @ made.mT).real
        self.check_compiled(model, torch.randn(3, 4, 2), torch.randn(3, 4))


class Masks(OperatorTest):
    """Shapes that only the data tell."""

    def test_chosen_places(self):
        def model(x):
            return (torch.nonzero(x > 0), 2 * x[x > 0], x[x[:, 0] > -9].sum(1),
                    torch.masked_select(x, x[0] > 0).sum(), torch.where(x > 0)[1])
        x = torch.randn(3, 7)
        self.check_compiled(model, x)
        self.check_compiled(model, -x.abs())

    def test_writes(self):
        def model(x, y):
            x = x.clone()
            x[x > 0.5] = 7.0
            x[x[:, 0] > 0] = y[0]
            chosen = x > 0
            x[chosen] = x[chosen] * 2
            return x, x.masked_scatter(x < 0, y)
        self.check_compiled(model, torch.randn(3, 7), torch.randn(3, 7))

    def test_different_numbers(self):
        def model(x):
            return torch.unique(x, return_inverse=True, return_counts=True)
        self.check_compiled(model, torch.randint(0, 4, (3, 4)).float())
        self.check_compiled(lambda x: torch.unique(x), torch.zeros(3))

    def test_no_elements(self):
        def model(x):
            return (x[:0] @ x.mT, x[:, :0] @ x[:, :0].mT, torch.fmax(x[:0], x[0]),
                    torch.cat([x[:0], x]))
        self.check_compiled(model, torch.randn(3, 7))


if __name__ == "__main__":
    unittest.main()
