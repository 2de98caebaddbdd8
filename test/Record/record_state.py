"""Runs models with variables, and compares five calls with plain Python.

  record_state.py MODELS FOLDER TOOL CC

A saved object is linked into a library, whose calls get inputs of their own.
`record` gives every call the same.
"""

import ctypes
import math
import os
import pathlib
import random
import struct
import subprocess
import sys

import record_arrays

CALLS = 5
models, folder, tool, compiler = sys.argv[1:]
folder = pathlib.Path(folder)


def numbers(generator, *shape):
    return [generator.uniform(-0.5, 0.5) for _ in range(math.prod(shape))]


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


class Ring:
    """A convolution of three frames."""
    arguments = {"frame": (1, 8), "taps": (3, 8, 8)}
    results = [(8,)]
    bytes = 64

    def __init__(self):
        self.frames = [[0.0] * 8] * 2

    def call(self, frame, taps):
        frames = [*self.frames, frame]
        self.frames = frames[1:]
        return [[sum(frames[t][c] * taps[(t * 8 + c) * 8 + o]
                     for t in range(3) for c in range(8)) for o in range(8)]]


class Cache:
    """Attention to all keys so far."""
    arguments = {"q": (16,), "k": (1, 16), "v": (1, 16)}
    results = [(16,), "q"]
    bytes = 64 + 2 * 64 * 16 * 4

    def __init__(self):
        self.keys, self.values = [], []

    def call(self, q, k, v):
        self.keys.append(k)
        self.values.append(v)
        weights = [math.exp(0.125 * sum(map(lambda a, b: a * b, q, key)))
                   for key in self.keys]
        total = sum(weights)
        return [[sum(w * value[i] for w, value in zip(weights, self.values))
                 / total for i in range(16)], [len(self.keys)]]


class Gru:
    """A cell with a state of 16 numbers."""
    arguments = {"x": (1, 1, 16), "wz": (1, 32, 16), "wr": (1, 32, 16),
                 "wn": (1, 32, 16)}
    results = [(1, 1, 16)]
    bytes = 64

    def __init__(self):
        self.h = [0.25] * 16

    def call(self, x, wz, wr, wn):
        def product(vector, matrix):
            return [sum(vector[i] * matrix[i * 16 + o] for i in range(32))
                    for o in range(16)]
        z = [sigmoid(a) for a in product(x + self.h, wz)]
        r = [sigmoid(a) for a in product(x + self.h, wr)]
        reset = [a * b for a, b in zip(r, self.h)]
        n = [math.tanh(a) for a in product(x + reset, wn)]
        self.h = [(1 - a) * b + a * c for a, b, c in zip(z, n, self.h)]
        return [self.h]


class Control:
    """Loops, branches, blocks and calls."""
    arguments = {"x": (4,), "flag": "?", "steps": "i"}
    results = [(4,), (4,), "i", (4,)]
    bytes = 4 * 64

    def __init__(self):
        self.a, self.b = [1.0, 2.0, 3.0, 4.0], [0.5, 0.25, 0.125, 0.0625]
        self.count, self.fresh = 7, [0.0] * 4

    def call(self, x, flag, steps):
        old, self.a, self.b = self.a, self.b, self.a
        for _ in range(3):
            self.a = [2 * a + b for a, b in zip(self.a, x)]
            if flag[0]:
                self.b = [b + n for b, n in zip(self.b, [1, 0, 1, 0])]
        while self.count < 20:
            self.count += 2
        self.count += steps[0]
        self.a = [a + steps[0] for a in self.a]
        self.fresh = [f + b for f, b in zip(self.fresh, self.b)]
        return [old, self.a, [self.count], self.fresh]


def make(generator, kind):
    if kind == "?":
        return [generator.random() < 0.5]
    return [generator.randrange(4)] if kind == "i" else numbers(generator,
                                                                *kind)


def compare(what, found, expected):
    for values, wanted in zip(found, expected, strict=True):
        largest = max(1.0, *map(abs, wanted), 0.0)
        for value, number in zip(values, wanted, strict=True):
            assert abs(value - number) <= 1e-5 * largest, (what, values, wanted)


def run(*arguments):
    return subprocess.run(arguments, check=True, encoding="utf-8",
                          stdout=subprocess.PIPE).stdout


def write(path, kind, values):
    if isinstance(kind, tuple):
        record_arrays.write(path, kind, values)
        return
    code = {"?": "|b1", "i": "<i4"}[kind]
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': (), }}"
    header = header.ljust(128 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                     header.encode() + struct.pack(f"<{kind}", *values))


def record_calls(name, model, pipeline):
    """The first call and the last, all with the same arguments."""
    generator, twin = random.Random(2), model()
    values = {key: make(generator, kind)
              for key, kind in model.arguments.items()}
    options = []
    for key, kind in model.arguments.items():
        write(folder / f"{key}.npy", kind, values[key])
        options.append(f"--input={key}={folder / key}.npy")
    for call in range(1, CALLS + 1):
        expected = twin.call(**values)
        if call not in (1, CALLS):
            continue
        out = folder / f"{name}.{pipeline}"
        run(tool, "record", f"{models}/{name}.mlir", f"--pipeline={pipeline}",
            "--mode=time", f"--iterations={call % 3 + 1}", *options,
            f"--result-call={call}", f"--save-results={out}")
        found = [record_arrays.read(out / f"result{i}.npy")[2]
                 for i in range(len(expected))]
        compare((name, pipeline, call), found, expected)
    return options


class Argument:
    """A descriptor of an array, or a scalar, in memory."""

    def __init__(self, kind, values=None):
        self.kind = kind
        if not isinstance(kind, tuple):
            self.memory = ctypes.create_string_buffer(
                struct.pack(f"<{kind}", *values) if values else 8)
            return
        count = math.prod(kind)
        self.data = (ctypes.c_float * count)(*(values or [0.0] * count))
        strides = [math.prod(kind[i + 1:]) for i in range(len(kind))]
        address = ctypes.addressof(self.data)
        words = [address, address, 0, *kind, *strides]
        self.memory = (ctypes.c_int64 * len(words))(*words)

    def address(self):
        return ctypes.addressof(self.memory)

    def read(self):
        if not isinstance(self.kind, tuple):
            return struct.unpack_from(f"<{self.kind}", self.memory.raw)
        count = math.prod(self.kind)
        return (ctypes.c_float * count).from_address(
            self.memory[1] + 4 * self.memory[2])[:]


def call_object(name, model, pipeline, options):
    """Calls of a library, each with arguments of its own; once more after a
    reset, and in a second copy of the library that has a state of its own."""
    saved = folder / f"{name}.{pipeline}.o"
    run(tool, "record", f"{models}/{name}.mlir", f"--pipeline={pipeline}",
        "--mode=time", "--iterations=1", *options, f"--save-object={saved}")
    libraries = []
    for copy in range(2):
        library = folder / f"{name}.{pipeline}.{copy}.so"
        run(compiler, "-shared", "-o", library, saved, "-lm")
        libraries.append(ctypes.CDLL(str(library)))
    symbols = run("llvm-nm", "-S", "--extern-only", "--defined-only", saved)
    sizes = {words[-1]: int(words[1], 16)
             for words in map(str.split, symbols.splitlines())}
    assert set(sizes) == {"mlirprof_entry", "mlirprof_reset", "mlirprof_state"}
    assert sizes["mlirprof_state"] == model.bytes, sizes
    for library in libraries:
        library.mlirprof_reset()
    for library in (libraries[0], libraries[1], libraries[0]):
        library.mlirprof_reset()
        generator, twin = random.Random(3), model()
        for call in range(CALLS):
            values = {key: make(generator, kind)
                      for key, kind in model.arguments.items()}
            results = [Argument(kind) for kind in model.results]
            arguments = [Argument(kind, values[key])
                         for key, kind in model.arguments.items()]
            addresses = [each.address() for each in arguments + results]
            library.mlirprof_entry((ctypes.c_void_p * len(addresses))(
                *addresses))
            compare((name, pipeline, "object", call),
                    [result.read() for result in results],
                    twin.call(**values))


for name, model in (("ring", Ring), ("cache", Cache), ("gru", Gru),
                    ("control", Control)):
    for pipeline in ("default", "single-function", "naive"):
        options = record_calls(name, model, pipeline)
        call_object(name, model, pipeline, options)
print(f"{CALLS} calls of each model")
