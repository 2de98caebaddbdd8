# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IREE."""

from ._contestant import Base

FORMS = ("mlir",)


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import iree.compiler
        import iree.compiler.version
        import iree.runtime
        self.version = iree.compiler.version.VERSION
        module = iree.compiler.compile_file(
            str(path), target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
        device = iree.runtime.Config("local-sync" if threads == 1 else "local-task")
        context = iree.runtime.SystemContext(config=device)
        context.add_vm_module(iree.runtime.VmModule.copy_buffer(
            context.instance, module))
        self.function = context.modules.module["main"]
        self.arguments = [iree.runtime.asdevicearray(device.device, array)
                          for array in inputs]

    def call(self):
        return self.function(*self.arguments)

    def record(self, folder, calls):
        raise NotImplementedError("its profiler tells dispatches, which do not name "
                                  "their ops")
