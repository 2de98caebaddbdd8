# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package next to libraries that bring an LLVM of their own, imported in every
order: each compiles and calls something, whoever came first."""

import importlib
import os
import sys
import traceback
import unittest

MODULE = """
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %b = arith.addf %a, %a : tensor<2xf32>
  return %b : tensor<2xf32>
}
"""


def make_array():
    return importlib.import_module("numpy").ones(2, "float32")


def use_mlir_prof(mlir_prof):
    model = mlir_prof.compile(MODULE, progress=False)
    profiler = mlir_prof.Profiler()
    profiler.start()
    with mlir_prof.scope("beside"):
        assert model(make_array()).tolist() == [2, 2]
    profiler.stop()
    assert list(profiler.get()) == ["beside"]


def use_torch(torch):
    # torch.compile takes seconds of each of the orders.
    x = torch.eye(2, requires_grad=True)
    torch.mm(x, x).sum().backward()
    assert x.grad.tolist() == [[2, 2], [2, 2]]


def use_jax(jax):
    assert jax.jit(lambda x: x + 1)(jax.numpy.ones(3)).tolist() == [2, 2, 2]


def use_torch_mlir(_):
    ir = importlib.import_module("torch_mlir.ir")
    passmanager = importlib.import_module("torch_mlir.passmanager")
    with ir.Context():
        module = ir.Module.parse(MODULE)
        passmanager.PassManager.parse(
            "builtin.module(func.func(convert-elementwise-to-linalg))").run(
                module.operation)
        assert "linalg.generic" in str(module)


def compile_by_iree():
    """The bytes of the module, compiled in this process."""
    api = importlib.import_module("iree.compiler.api")
    session = api.Session()
    session.set_flags("--iree-hal-target-device=local",
                      "--iree-hal-local-target-device-backends=llvm-cpu",
                      "--iree-llvmcpu-target-cpu=host")
    invocation, output = session.invocation(), api.Output.open_membuffer()
    assert invocation.parse_source(api.Source.wrap_buffer(session, MODULE.encode()))
    assert invocation.execute()
    invocation.output_vm_bytecode(output)
    return bytes(output.map_memory())


def use_iree(_):
    runtime = importlib.import_module("iree.runtime")
    context = runtime.SystemContext(config=runtime.Config("local-sync"))
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance,
                                                       compile_by_iree()))
    [module] = [module for name, module in context.modules.items() if name == "module"]
    assert module["f"](make_array()).to_host().tolist() == [2, 2]


#: Functions that use an imported module, by the name of the module.
USES = {"mlir_prof": use_mlir_prof, "torch": use_torch, "jax": use_jax,
        "torch_mlir": use_torch_mlir, "iree.compiler": use_iree}


def visit(order, at_once=1):
    """Imports the last module of `order`, then, each in a child of its own, those
    that are left; at the end uses all of them. Returns how many orders worked."""
    if order:
        importlib.import_module(order[-1])
    left = [name for name in USES if name not in order]
    if not left:
        for name in order:
            USES[name](sys.modules[name])
        return 1
    count, children = 0, []
    for name in left:
        if len(children) == at_once:
            count += finish_child(*children.pop(0))
        children.append(start_child([*order, name]))
    return count + sum(finish_child(*child) for child in children)


def start_child(order):
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
    return order, child, end


def finish_child(order, child, end):
    with os.fdopen(end) as file:
        count = int(file.read() or 0)
    _, status = os.waitpid(child, 0)
    if status:
        print(" ".join(order), f"ended with status {status}", file=sys.stderr)
    return count if status == 0 else 0


class BesideTest(unittest.TestCase):
    def test_every_order(self):
        self.assertFalse(set(USES) & set(sys.modules))
        self.assertEqual(visit([], at_once=os.cpu_count() or 1), 120)


if __name__ == "__main__":
    unittest.main()
