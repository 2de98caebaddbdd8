# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir_prof.jit, against jax.jit."""

import unittest

import jax
import jax.numpy as jnp
import numpy

from common import FrameworkTest, mlir_prof


def layers(weights, x, scale=2.0):
    return {"y": jnp.tanh(x @ weights["w"] + weights["b"]) * scale}


WEIGHTS = {"w": jnp.arange(12.0).reshape(3, 4) / 12, "b": jnp.ones(4)}


class JaxJit(FrameworkTest):
    def assert_same(self, function, *arguments, **keywords):
        result = function(*arguments, **keywords)
        expected = jax.jit(layers)(*arguments, **keywords)
        self.assertIsInstance(result["y"], jax.Array)
        numpy.testing.assert_allclose(result["y"], expected["y"], rtol=1e-5)

    def test_one_model_for_each_shape(self):
        function = mlir_prof.jit(layers)
        for rows in (2, 5, 2):
            self.assert_same(function, WEIGHTS, jnp.ones((rows, 3)))
        self.assertEqual(len(function.models), 2)
        self.assertEqual(function.__name__, "layers")

    def test_numbers_are_arguments(self):
        function = mlir_prof.jit(layers)
        x = jnp.ones((2, 3))
        self.assert_same(function, WEIGHTS, x, scale=3.0)
        self.assert_same(function, WEIGHTS, x, scale=4.0)
        self.assertEqual(len(function.models), 1)

    def test_static_arguments(self):
        @mlir_prof.jit
        def plain(x):
            return x + 1

        def power(x, exponent, times=1):
            return x ** exponent * times if exponent > 1 else x

        self.assertEqual(plain(jnp.ones(3)).tolist(), [2, 2, 2])
        function = mlir_prof.jit(power, static_argnums=1, static_argnames="times")
        x = jnp.arange(3.0)
        self.assertEqual(function(x, 2, times=3).tolist(), [0, 3, 12])
        self.assertEqual(function(x, 1).tolist(), [0, 1, 2])
        self.assertEqual(len(function.models), 2)

    def assert_like_jax(self, function, *arguments, **options):
        ours = mlir_prof.jit(function, **options)
        theirs = jax.jit(function, **options)
        for given in arguments:
            result, expected = ours(*given), theirs(*given)
            self.assertIsInstance(result, jax.Array)
            self.assertEqual(result.dtype, expected.dtype)
            numpy.testing.assert_allclose(result, expected, rtol=1e-6)

    def test_weak_types_give_way(self):
        x = jnp.ones(2, jnp.float16)
        self.assert_like_jax(lambda x, scale: x * scale,
                             (x, 2.0), (x, jnp.float32(2)), (x, numpy.float64(2)))

    def test_static_values_of_other_types(self):
        x = jnp.arange(3)
        self.assert_like_jax(lambda x, scale: x * scale, (x, 1), (x, 1.0), (x, True),
                             static_argnums=1)

    def test_numbers_and_arrays_of_numpy(self):
        self.assert_like_jax(lambda x: x + 1, (numpy.arange(3),), (numpy.ones(3),),
                             (numpy.ones((3, 2)).T,), (2,), (2.5,))

    def test_unsigned_results(self):
        self.assert_like_jax(lambda x: x + x, (jnp.array([1, 120], jnp.uint8),),
                             (jnp.uint32(3000000000),))

    def test_methods(self):
        class Scale:
            @mlir_prof.jit
            def apply(self, x):
                return x * self[1]

            def __getitem__(self, index):
                return 2

        jax.tree_util.register_pytree_node(Scale, lambda _: ((), None),
                                           lambda *_: Scale())
        self.assertEqual(Scale().apply(jnp.ones(2)).tolist(), [2, 2])

    def test_other_transformations_trace_the_function(self):
        function = mlir_prof.jit(lambda x: jnp.sum(jnp.sin(x)))
        x = jnp.arange(3.0)
        numpy.testing.assert_allclose(jax.grad(function)(x), numpy.cos(x), rtol=1e-6)
        self.assertEqual(function.models, {})


if __name__ == "__main__":
    unittest.main()
