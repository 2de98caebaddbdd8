# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IREE."""

import pathlib
import subprocess

from ._contestant import Base, Recording

FORMS = ("mlir",)


def run(name, *arguments):
    """Runs a program of the package iree-base-runtime."""
    from iree.runtime import benchmark
    program = pathlib.Path(benchmark.benchmark_exe()).with_name(name)
    done = subprocess.run([program, *map(str, arguments)], capture_output=True,
                          encoding="utf-8", errors="replace")
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.strip() or done.returncode}")


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import iree.compiler
        import iree.compiler.version
        import iree.runtime
        self.compiler = iree.compiler
        self.version = iree.compiler.version.VERSION
        self.driver = "local-sync" if threads == 1 else "local-task"
        device = iree.runtime.Config(self.driver)
        context = iree.runtime.SystemContext(config=device)
        context.add_vm_module(iree.runtime.VmModule.copy_buffer(
            context.instance, self.compile()))
        self.function = context.modules.module["main"]
        self.arguments = [iree.runtime.asdevicearray(device.device, array)
                          for array in inputs]

    def compile(self, *options):
        """The bytes of the compiled model."""
        return self.compiler.compile_file(
            str(self.path), target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
                        *options])

    def call(self):
        return self.function(*self.arguments)

    def record(self, folder, calls):
        """Runs the model in a program of IREE's, since its Python interface does not
        write recordings. These name dispatches, and the module of the compiler's
        stream phase has the ops that became one."""
        import numpy
        from ...tool import run as run_tool
        compiled, bundle = folder / "model.vmfb", folder / "model.ireeprof"
        exported, phases = folder / "model.jsonl", folder / "phases"
        compiled.write_bytes(self.compile("--mlir-print-debuginfo",
                                          f"--dump-compilation-phases-to={phases}"))
        for number, array in enumerate(self.inputs):
            numpy.save(folder / f"{number}.npy", array)
        run("iree-benchmark-module", f"--module={compiled}", "--function=main",
            f"--device={self.driver}", f"--benchmark_min_time={calls}x",
            *(f"--input=@{folder / str(number)}.npy"
              for number in range(len(self.inputs))),
            *self.list_thread_options(), "--device_profiling_mode=host-execution",
            f"--device_profiling_output={bundle}")
        run("iree-profile", "export", "--format=ireeperf-jsonl", f"--output={exported}",
            bundle)
        [stream] = phases.glob("*.stream.mlir")
        run_tool("import", exported, f"--model={self.path}", f"--iree-stream={stream}",
                 "-o", folder / "iree.mlprof")
        return Recording(calls, folder / "iree.mlprof")

    def list_thread_options(self):
        if self.threads == 1:
            return []
        return [f"--task_topology_group_count={self.threads}"]
