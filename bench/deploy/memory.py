#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peak resident memory of processes that run a model on this machine once.

usage: memory.py MODEL.tosa.mlir... [--tool BIN/mlir-prof] [--iree BIN] [--litert PYTHON]

Ours is memory.c with the model as an embedded file, one thread; IREE's is iree-run-module
with its synchronous device and an embedded module. --litert is an interpreter of Python
with the package ai-edge-litert or tensorflow, for the MODEL.tflite next to the model: its
memory is also printed beyond that of the same interpreter with the package and without a
model, since no program of C comes with the package. Prints kilobytes (1000 bytes) of
resident memory, and the bytes of each runtime's code and read-only data.
"""

import argparse
import gzip
import pathlib
import re
import tempfile

from sizes import COMMON, MODES, TARGETS, run, write_generic

ROOT = pathlib.Path(__file__).resolve().parents[2]
LITERT = """
import resource, sys
try:
    from ai_edge_litert.interpreter import Interpreter
except ImportError:
    import tensorflow
    Interpreter = tensorflow.lite.Interpreter
for path in sys.argv[1:]:
    interpreter = Interpreter(model_path=path, num_threads=1)
    interpreter.allocate_tensors()
    interpreter.invoke()
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(folder, command):
    """Kilobytes of a process, as the system counts them."""
    launcher = folder / "peak"
    if not launcher.exists():
        run(["cc", "-O2", ROOT / "bench/deploy/peak.c", "-o", launcher])
    return int(run([launcher, *command])) * 1.024


def text_bytes(path):
    """Code and read-only data of a program or an object."""
    lines = run(["/usr/lib/llvm-22/bin/llvm-size", path]).splitlines()[1:]
    return sum(int(line.split()[0]) for line in lines)


def measure_own(tool, model, folder):
    run([tool, "deploy", model, "--container=embedded", "-o", folder / "model.mpm"])
    flags = ["-O2", f"-I{ROOT}/runtime/include"]
    loader = folder / "loader.o"
    run(["cc", *flags, "-c", ROOT / "runtime/src/Loader.c", "-o", loader])
    run(["cc", *flags, ROOT / "bench/deploy/memory.c", loader, "-lm", "-o",
         folder / "memory"])
    return peak(folder, [folder / "memory", folder / "model.mpm", 1]), text_bytes(loader)


def measure_iree(folder_of_iree, model, folder):
    module = folder / "model.vmfb"
    generic = write_generic(model, folder / "generic.mlir")
    run([folder_of_iree / "iree-compile", *COMMON, *TARGETS["x86-64"][0],
         *MODES["IREE embedded"][0], generic, "-o", module])
    shape = re.search(r"@main\(%\w+: tensor<(\w+)>", model.read_text(encoding="utf-8"))[1]
    program = run([folder_of_iree / "python", "-c", "import iree.runtime, pathlib; print("
                   "next(pathlib.Path(iree.runtime.__file__).parents[1].rglob("
                   "'_runtime_libs/iree-run-module')))"]).strip()
    return peak(folder, [program, "--device=local-sync", f"--module={module}", "--function=main",
                 f"--input={shape}=0"]), text_bytes(program)


def measure_litert(python, model):
    def ask(*paths):
        printed = run([python, "-c", LITERT, *paths])
        return int(re.search(r"peak (\d+)", printed)[1]) * 1.024
    return ask(model), ask()


def main():
    """See the top of this file."""
    parser = argparse.ArgumentParser(
        usage=argparse.SUPPRESS, description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--iree", type=pathlib.Path)
    parser.add_argument("--litert")
    arguments = parser.parse_args()
    for path in arguments.models:
        name = path.name.split(".")[0]
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            model = scratch / "model.mlir"
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rb") as file:
                model.write_bytes(file.read())
            used, code = measure_own(arguments.tool, model, scratch)
            print(f"{name}: mlir-prof {used:.0f} kB, loader {code} bytes", flush=True)
            if arguments.litert:
                flat = path.with_name(f"{name}.tflite")
                packed = flat.with_name(flat.name + ".gz")
                if packed.exists():
                    flat = scratch / "model.tflite"
                    flat.write_bytes(gzip.open(packed).read())
                used, base = measure_litert(arguments.litert, flat)
                print(f"{name}: LiteRT {used:.0f} kB, {used - base:.0f} kB beyond the "
                      "interpreter and the package", flush=True)
            if arguments.iree:
                used, code = measure_iree(arguments.iree, model, scratch)
                print(f"{name}: IREE {used:.0f} kB, iree-run-module {code} bytes",
                      flush=True)


if __name__ == "__main__":
    main()
