# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

from peers.base import Peer


class Iree(Peer):
    packages = ["iree-base-compiler", "iree-base-runtime"]

    @classmethod
    def load(cls):
        import iree.compiler  # noqa: F401
        import iree.runtime  # noqa: F401

    def __init__(self, *arguments):
        super().__init__(*arguments)
        import iree.compiler
        import iree.runtime as runtime
        self.runtime = runtime
        path = os.path.join(self.folder, f"{self.problem.name}.vmfb")
        iree.compiler.compile_file(
            self.problem.mlir(self.folder), output_file=path,
            target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host",
                        "--iree-opt-level=O3", "--iree-opt-data-tiling=true"])
        if self.threads > 1:
            runtime.flags.parse_flags(
                f"--task_topology_group_count={self.threads}")
        self.config = runtime.Config(
            "local-task" if self.threads > 1 else "local-sync")
        module = runtime.VmModule.mmap(self.config.vm_instance, path)
        self.main = runtime.load_vm_module(module, self.config).main

    def prepare(self, request):
        inputs = [self.runtime.asdevicearray(self.config.device, value)
                  for value in self.problem.inputs(request).values()]

        def call():
            results = self.main(*inputs)
            several = isinstance(results, (list, tuple))
            return [one.to_host() for one in
                    (results if several else [results])]
        return call
