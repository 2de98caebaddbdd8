# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of frameworks, as arguments and results of compiled models."""

import gc
import pathlib
import sys
import unittest

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from model_common import Compiled  # noqa: E402


def make_double(element):
    """Twice its argument, and the first of these numbers."""
    return f"""
func.func @main(%x: tensor<3x{element}> loc("x"))
    -> (tensor<3x{element}>, {element}) {{
  %c = arith.constant 0 : index
  %y = arith.addf %x, %x : tensor<3x{element}>
  %z = tensor.extract %y[%c] : tensor<3x{element}>
  return %y, %z : tensor<3x{element}>, {element}
}}
"""


TYPES = {"f16": (np.float16, torch.float16), "f32": (np.float32, torch.float32),
         "bf16": (ml_dtypes.bfloat16, torch.bfloat16)}
#: With float16's and bfloat16's precision.
VALUES = [1, -2, 3.5]


class Passing(Compiled):
    def test_element_types(self):
        for element, (kind, torch_kind) in TYPES.items():
            model = self.compile(make_double(element))
            for value in (np.array(VALUES, kind), np.array(VALUES * 2, kind)[:3],
                          np.repeat(np.array(VALUES, kind), 2)[::2],
                          jnp.asarray(VALUES, kind),
                          torch.tensor(VALUES, dtype=torch_kind)):
                with self.subTest(element=element, type=type(value)):
                    for _ in range(2):
                        twice, first = model(value)
                        self.assertIs(type(twice), type(value))
                        self.assertEqual(twice.dtype, value.dtype)
                        self.assertEqual(first.dtype, value.dtype)
                        self.assertEqual(twice.tolist(), [2, -4, 7])
                        self.assertEqual(float(first), 2)

    def test_results_where_the_caller_wants_them(self):
        for element, (kind, torch_kind) in TYPES.items():
            model = self.compile(make_double(element))
            for make in (lambda shape: np.zeros(shape, kind),
                         lambda shape: torch.zeros(shape, dtype=torch_kind)):
                out = [make(3), make(())]
                self.assertIs(model(out[0] + 1, out=out), out)
                self.assertEqual(out[0].tolist(), [2, 2, 2])

    def test_results_outlive_their_model(self):
        model = self.compile(make_double("f32"))
        results = [model(torch.full((3,), float(number)))[0] for number in range(50)]
        del model
        gc.collect()
        self.assertEqual([result.tolist() for result in results],
                         [[2. * number] * 3 for number in range(50)])

    def test_weights_that_learn(self):
        model = self.compile(make_double("f32"))
        weight = torch.nn.Parameter(torch.ones(3))
        self.assertEqual(model(weight)[0].tolist(), [2, 2, 2])
        with self.assertRaisesRegex(BufferError, "require"):
            model(torch.ones(3), out=[weight, torch.zeros(())])
        self.assertEqual(weight.tolist(), [1, 1, 1])

    def test_tensors_whose_memory_has_other_numbers(self):
        model = self.compile(make_double("f32"))
        negated = torch.ones(3, dtype=torch.complex64).mul(1j).conj().imag
        self.assertTrue(negated.is_neg())
        self.assertEqual(model(negated)[0].tolist(), [-2, -2, -2])
        for wrong in (torch.ones(3).to_sparse(), torch.ones(3, device="meta"),
                      torch._efficientzerotensor((3,))):
            with self.assertRaises((BufferError, TypeError)):
                model(wrong)

    def test_errors_are_those_of_the_first_call(self):
        model = self.compile(make_double("f32"))
        for _ in range(2):
            model(torch.ones(3))
            with self.assertRaisesRegex(ValueError, r"argument 'x' is float32\[4\]"):
                model(torch.ones(4))
            with self.assertRaisesRegex(TypeError, "argument 'x' is float64"):
                model(torch.ones(3, dtype=torch.float64))
            with self.assertRaisesRegex(TypeError, "2 arguments are given"):
                model(torch.ones(3), torch.ones(3))
            with self.assertRaisesRegex(TypeError, "'x' is missing"):
                model()


if __name__ == "__main__":
    unittest.main()
