# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package next to libraries that bring an LLVM of their own, imported in every
order: each works, whoever came first."""

import importlib
import os
import sys
import traceback
import unittest

MODULE = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }"


def use_mlir_prof(mlir_prof):
    profiler = mlir_prof.Profiler()
    profiler.start()
    with mlir_prof.scope("beside"):
        pass
    profiler.stop()
    assert list(profiler.get()) == ["beside"]


def use_torch(torch):
    assert (torch.ones(3) + 1).tolist() == [2, 2, 2]


def use_jax(jax):
    assert jax.jit(lambda x: x + 1)(jax.numpy.ones(3)).tolist() == [2, 2, 2]


def parse(ir):
    with ir.Context():
        assert "tensor<2xf32>" in str(ir.Module.parse(MODULE))


def use_torch_mlir(_):
    parse(importlib.import_module("torch_mlir.ir"))


def use_iree(_):
    parse(importlib.import_module("iree.compiler.ir"))


#: Functions that use an imported module, by the name of the module.
USES = {"mlir_prof": use_mlir_prof, "torch": use_torch, "jax": use_jax,
        "torch_mlir": use_torch_mlir, "iree.compiler": use_iree}


def visit(order):
    """Imports the last module of `order`, then, each in a child of its own, those
    that are left; at the end uses all of them. Returns how many orders worked."""
    if order:
        importlib.import_module(order[-1])
    left = [name for name in USES if name not in order]
    if not left:
        for name in order:
            USES[name](sys.modules[name])
        return 1
    return sum(visit_in_child([*order, name]) for name in left)


def visit_in_child(order):
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0
        try:
            count = visit(order)
        except BaseException:
            print(" ".join(order), file=sys.stderr)
            traceback.print_exc()
        os.write(begin, str(count).encode())
        os._exit(0)
    os.close(begin)
    with os.fdopen(end) as file:
        count = int(file.read() or 0)
    _, status = os.waitpid(child, 0)
    if status:
        print(" ".join(order), f"ended with status {status}", file=sys.stderr)
    return count if status == 0 else 0


class BesideTest(unittest.TestCase):
    def test_every_order(self):
        self.assertFalse(set(USES) & set(sys.modules))
        self.assertEqual(visit([]), 120)


if __name__ == "__main__":
    unittest.main()
