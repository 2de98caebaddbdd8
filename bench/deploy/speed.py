#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time of deployed int8 models on x86-64, next to XNNPACK and our own float32.

usage: speed.py INT8/NAME.tflite... [--float32 FOLDER] [--tool BIN/mlir-prof]
                [--cpu NAME,...] [--rounds N]

Next to NAME.tflite are NAME.tosa.mlir, made of it by tosa-converter-for-tflite, and
NAME_in.npy with inputs, whose first axis numbers them; FOLDER has NAME.tosa.mlir for
floats, of one input like it. Files may be compressed (.gz). XNNPACK is that of the Python
package ai-edge-litert, or of tensorflow, with one thread. All run in one process, in
turns; prints the medians of the rounds' shortest times in microseconds, and ratios. The
column A/A is a second interpreter of XNNPACK, relative to the first.

XNNPACK uses the best instructions of the processor. To compare code for AVX2 with its
code for AVX2, preload avx2.c.
"""

import argparse
import ctypes
import gzip
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

#: Calls in a round: the shortest one counts.
CALLS = 30


def read(path):
    """The bytes of a file, which may have the suffix .gz."""
    packed = path.with_name(path.name + ".gz")
    return gzip.open(packed).read() if packed.exists() else path.read_bytes()


def align(size, alignment=64):
    """Memory, and its first aligned address."""
    memory = np.zeros(size + alignment, np.uint8)
    return memory, -(-memory.ctypes.data // alignment) * alignment


def deploy(tool, path, inputs, folder, *options):
    """A function that runs the model, as a shared library."""
    folder.mkdir()
    (folder / "model.mlir").write_bytes(read(path))
    # The compiler needs nothing of what is preloaded for the models.
    environment = {name: value for name, value in os.environ.items()
                   if name != "LD_PRELOAD"}
    subprocess.run([tool, "deploy", folder / "model.mlir", "--container=dynamic", "-o",
                    folder / "package", *options], check=True, stdout=subprocess.DEVNULL,
                   env=environment)
    header = (folder / "package" / "model.h").read_text(encoding="utf-8")
    sizes = dict(re.findall(r"#define MODEL_(\w+)_BYTES (\d+)", header))
    places = [align(int(sizes[name])) for name in
              (f"RESULT{number}" for number in range(len(sizes))) if name in sizes]
    places.append(align(int(sizes["ARENA"])))
    library = ctypes.CDLL(str(folder / "package" / "libmodel.so"))
    argument, address = align(inputs.nbytes)
    ctypes.memmove(address, inputs.ctypes.data, inputs.nbytes)
    bindings = (ctypes.c_void_p * (1 + len(places)))(
        address, *(place for _, place in places))

    def run():
        library.model(bindings, None, 0, 0, 0)
    # The arrays live as long as the function.
    run.memory = argument, places
    return run


def interpret(path, inputs):
    """A function that runs the model with XNNPACK."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        import tensorflow
        Interpreter = tensorflow.lite.Interpreter
    interpreter = Interpreter(model_content=read(path), num_threads=1)
    interpreter.allocate_tensors()
    argument = interpreter.get_input_details()[0]
    interpreter.set_tensor(argument["index"], inputs.reshape(argument["shape"]))
    return interpreter.invoke


def measure(contestants, rounds):
    """Medians of the rounds' shortest times, in microseconds."""
    times = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            shortest = float("inf")
            for _ in range(CALLS):
                begin = time.perf_counter_ns()
                run()
                shortest = min(shortest, time.perf_counter_ns() - begin)
            times[name].append(shortest / 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    """See the top of this file."""
    parser = argparse.ArgumentParser(
        usage=argparse.SUPPRESS, description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--float32", type=pathlib.Path)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--cpu", default="x86-64-v3")
    parser.add_argument("--rounds", type=int, default=11)
    arguments = parser.parse_args()
    cpus = arguments.cpu.split(",")
    columns = ["XNNPACK", "float32", *cpus]
    print("model", *columns, "A/A", *(f"{cpu} / {other}" for cpu in cpus
                                      for other in columns[:2]), sep="  ")
    for path in arguments.models:
        name = path.name.split(".")[0]
        inputs = np.load(path.with_name(f"{name}_in.npy"))[0]
        contestants = {each: interpret(path.with_name(f"{name}.tflite"), inputs)
                       for each in ("XNNPACK", "A/A")}
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            if arguments.float32:
                numbers = np.load(arguments.float32 / f"{name}_in.npy")[0]
                contestants["float32"] = deploy(
                    arguments.tool, arguments.float32 / f"{name}.tosa.mlir", numbers,
                    scratch / "float32")
            for cpu in cpus:
                contestants[cpu] = deploy(
                    arguments.tool, path.with_name(f"{name}.tosa.mlir"), inputs,
                    scratch / cpu, f"--cpu={cpu}")
            times = measure(contestants, arguments.rounds)
        cells = [f"{times[column]:.1f}" if column in times else "-" for column in columns]
        cells.append(f"{times['A/A'] / times['XNNPACK']:.2f}")
        cells += [f"{times[cpu] / times[other]:.2f}" if other in times else "-"
                  for cpu in cpus for other in columns[:2]]
        print(name, *cells, sep="  ", flush=True)


if __name__ == "__main__":
    sys.exit(main())
