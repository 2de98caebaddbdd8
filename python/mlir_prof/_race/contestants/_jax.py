# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX."""

from ._contestant import Base, Recording

FORMS = ("jax",)


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import jax
        import jax.export
        self.jax = jax
        self.version = jax.__version__
        exported = jax.export.deserialize(bytearray(path.read_bytes()))
        self.function = jax.jit(exported.call)
        self.arguments = [jax.numpy.asarray(array) for array in inputs]

    def call(self):
        return self.jax.block_until_ready(self.function(*self.arguments))

    def results(self):
        import numpy
        return [numpy.asarray(leaf) for leaf in self.jax.tree.leaves(self.call())]

    def record(self, folder, calls):
        from ...capture import jax as capture
        captured = capture(self.function, *self.arguments, folder=folder / "capture",
                           steps=calls)
        return Recording(calls, captured.import_profile(folder / "jax.mlprof"))
