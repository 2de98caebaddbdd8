# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The object of `mlir-prof record --save-object` as a library."""

import ctypes
import math
import pathlib
import re
import shutil
import subprocess

import numpy as np

from peers import Missing
from peers.base import Peer

#: The library with the executor of objects for several threads, if the folder
#: has it.
RUNTIME = "libprof_rt.so"
#: Bytes of an element, by its type in the name of a constant.
SIZES = {"f64": 8, "i64": 8, "index": 8, "f32": 4, "i32": 4, "f16": 2,
         "bf16": 2, "i16": 2, "i8": 1, "i1": 1}
CONSTANT = re.compile(r"__constant_((?:\d+x)*)([a-z]+\d*)(?:_\d+)?")


def find_missing(path):
    """Undefined symbols of an object that are constants: {name: bytes}."""
    out = subprocess.run(["nm", "-u", str(path)], check=True,
                         capture_output=True, encoding="utf-8").stdout
    sizes = {}
    for name in out.split():
        if found := CONSTANT.fullmatch(name):
            shape = [int(size) for size in found[1].split("x")[:-1]]
            sizes[name] = math.prod(shape) * SIZES[found[2]]
    return sizes


def link(path, library, folders=("/usr/lib/llvm-22/lib",)):
    """Links an object into a library. Constants that are not in the object
    become zeros, which take as much memory; returns whether there are any."""
    compiler = shutil.which("cc")
    if not compiler:
        raise Missing("no C compiler")
    missing = find_missing(path)
    source = pathlib.Path(library).with_suffix(".s")
    source.write_text(".section .rodata\n" + "".join(
        f".globl {name}\n.balign 64\n{name}: .zero {size}\n"
        for name, size in missing.items())
        + ".section .note.GNU-stack\n")
    options = [f"-L{folder}" for folder in folders]
    options += [f"-Wl,-rpath,{folder}" for folder in folders]
    runtime = pathlib.Path(path).with_name(RUNTIME)
    runtimes = [str(runtime)] if runtime.exists() else []
    result = subprocess.run(
        [compiler, "-shared", "-o", str(library), str(path), str(source),
         *options, "-Wl,--as-needed", *runtimes, "-lomp", "-lmlir_c_runner_utils", "-lm"],
        capture_output=True, encoding="utf-8")
    if result.returncode:
        raise Missing(result.stderr.strip().split("\n")[-1])
    return bool(missing)


def describe(address, shape):
    """A descriptor of a memref: two addresses, offset, sizes, strides."""
    strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    values = [address, address, 0, *shape, *strides]
    return (ctypes.c_int64 * len(values))(*values)


class Image(Peer):
    """FOLDER/NAME.o, which the caller saved for this number of threads."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        library = pathlib.Path(self.folder, f"{self.problem.name}.so")
        if not library.exists():
            has_zeros = link(library.with_suffix(".o"), library)
            library.with_suffix(".zeros").write_text("1" if has_zeros else "")
        if library.with_suffix(".zeros").read_text():
            # Only time and memory mean something.
            self.problem.bound = math.inf
        code = ctypes.CDLL(str(library))
        self.use_executor(code)
        self.entry = code.mlirprof_entry
        self.entry.restype = None
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def use_executor(self, code):
        try:
            executor = ctypes.c_void_p.in_dll(code, "mlirprof_executor")
        except ValueError:
            return  # A list of calls.
        runtime = ctypes.CDLL(str(pathlib.Path(self.folder, RUNTIME)))
        runtime.prof_executor_get_default.restype = ctypes.c_void_p
        executor.value = runtime.prof_executor_get_default()

    def prepare(self, request):
        self.values = list(self.problem.inputs(request).values())
        arguments = [describe(value.ctypes.data, value.shape)
                     for value in self.values]
        #: (shape, type, descriptor) of each result.
        self.made = [(shape, kind, describe(0, shape))
                     for shape, kind in self.problem.result_types()]
        slots = [*arguments, *(made for _, _, made in self.made)]
        addresses = (ctypes.c_void_p * len(slots))(
            *(ctypes.addressof(slot) for slot in slots))

        def call():
            for _, _, made in self.made:
                self.free(made[0])
            self.entry(addresses)
            return arguments
        return call

    def results(self, value):
        arrays = []
        for shape, kind, made in self.made:
            size = math.prod(shape) * kind.itemsize
            start = made[1] + made[2] * kind.itemsize
            bytes_ = ctypes.string_at(start, size)
            arrays.append(np.frombuffer(bytes_, kind).reshape(shape))
        return arrays

    def version(self):
        return "this build"
