# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of frameworks that a model writes."""

import unittest

import jax.numpy
import numpy
import torch

from model_common import Compiled
from test_written import ACCUMULATE


class Tensors(Compiled):
    def test_tensors_are_written_where_they_are(self):
        a = torch.arange(6.0).reshape(2, 3)
        for isolate in (False, True):
            model = self.compile(ACCUMULATE, isolate=isolate)
            for b in (torch.ones(2, 3), torch.ones(3, 2).T, torch.ones(4, 6)[::2, ::2],
                      torch.nn.Parameter(torch.ones(2, 3)).detach()):
                model(a, b)
                self.assertTrue(torch.equal(b, a + 1))
                # Together with arrays of another library.
                model(a.numpy(), b)
                self.assertTrue(torch.equal(b, a + a + 1))

    def test_what_does_not_change_is_refused(self):
        a = numpy.ones((2, 3), "f4")
        for isolate in (False, True):
            model = self.compile(ACCUMULATE, isolate=isolate)
            fixed = jax.numpy.ones((2, 3), "f4")
            with self.assertRaisesRegex(TypeError, "argument b, .* JAX.*hint: .*copy"):
                model(a, fixed)
            numpy.testing.assert_array_equal(fixed, a)
            model(fixed, a.copy())
            for b, problem in ((torch.ones(2, 3, requires_grad=True), "gradient"),
                               (torch.ones(2, 3, dtype=torch.complex64).conj().imag,
                                "negation")):
                with self.assertRaisesRegex(TypeError, f"argument b, .*{problem}"):
                    model(torch.ones(2, 3), b)

    def test_results_do_not_go_into_what_does_not_change(self):
        text = """
          func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
            %y = arith.addf %x, %x : tensor<3xf32>
            return %y : tensor<3xf32>
          }"""
        for isolate in (False, True):
            model = self.compile(text, isolate=isolate)
            fixed = jax.numpy.zeros(3, "f4")
            with self.assertRaisesRegex(TypeError, "read-only"):
                model(fixed, out=fixed)
            numpy.testing.assert_array_equal(fixed, numpy.zeros(3))


if __name__ == "__main__":
    unittest.main()
