"""Run a program of a device on this processor, for tests without a GPU.

usage: emulate_gpu.py PROGRAM FOLDER [INPUT.npy ...]

Writes each result as FOLDER/resultN.npy. The kernels are translated from their PTX
(ptx_to_c.py) and compiled by clang, which the environment variable CLANG names.
"""

import ctypes
import os
import struct
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ptx_to_c  # noqa: E402

DTYPES = {"f32": "<f4", "f64": "<f8", "f16": "<f2", "i64": "<i8", "i32": "<i4",
          "i16": "<i2", "i8": "<i1", "i1": "?", "index": "<i8", "bf16": "<u2"}
ALIGNMENT = 256


class Reader:
    """The content of a section."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value if len(value) > 1 else value[0]

    def text(self):
        size = self.take("Q")
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def numbers(self):
        return [self.take("q") for _ in range(self.take("Q"))]

    def binding(self):
        return self.take("BIQQ")

    def array(self):
        return self.text(), self.text(), self.numbers(), self.take("Q")


def read_sections(data):
    at = 64
    while True:
        tag, size = data[at:at + 4].decode(), struct.unpack_from("<Q", data, at + 8)[0]
        yield tag, data[at + 64:at + 64 + size]
        if tag == "last":
            return
        at += 64 + (size + 63) // 64 * 64


class Program:
    """What a program file says."""

    def __init__(self, data):
        self.codes, self.constants, self.steps = [], [], []
        for tag, content in read_sections(data):
            reader = Reader(content)
            if tag == "main":
                self.target, self.arena = reader.text(), reader.take("Q")
            elif tag == "code":
                self.codes.append(content.decode())
            elif tag == "kern":
                self.kernels = [
                    (reader.text(), reader.take("I"), reader.take("III"), *reader.take("II"))
                    for _ in range(reader.take("Q"))]
            elif tag == "step":
                self.read_steps(reader)
            elif tag == "args":
                self.arguments = [reader.array() for _ in range(reader.take("Q"))]
            elif tag == "rslt":
                self.results = [reader.array() for _ in range(reader.take("Q"))]
            elif tag == "cnst":
                self.constants.append(content)

    def read_steps(self, reader):
        for _ in range(reader.take("Q")):
            if reader.take("B"):
                self.steps.append(("copy", reader.binding(), reader.binding()))
                continue
            kernel, instance, *grid = reader.take("IIIII")
            bindings = [reader.binding() for _ in range(reader.take("Q"))]
            self.steps.append((kernel, instance, grid, bindings, reader.numbers()))


class Launch(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3),
                ("parameters", ctypes.POINTER(ctypes.c_uint64)), ("shared", ctypes.c_uint64)]


def allocate(size):
    """Bytes, at an address that is aligned as on a GPU."""
    block = numpy.zeros(size + ALIGNMENT, numpy.uint8)
    skip = -block.ctypes.data % ALIGNMENT
    return block[skip:skip + size]


def load(program, folder):
    """By kernel: its function."""
    here = os.path.dirname(os.path.abspath(__file__))
    functions = []
    libraries = {}
    for number, code in enumerate(program.codes):
        source, _ = ptx_to_c.translate(code)
        path = os.path.join(folder, f"code{number}")
        with open(path + ".c", "w") as file:
            file.write(source)
        subprocess.run([os.environ.get("CLANG", "clang"), "-O1", "-shared", "-fPIC", "-w",
                        "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-I", here,
                        "-o", path + ".so", path + ".c", "-lm"], check=True)
        libraries[number] = ctypes.CDLL(path + ".so")
    for name, code, *_ in program.kernels:
        functions.append(getattr(libraries[code], name))
    return functions


def run(program, inputs):
    """The results of one run, as bytes."""
    memory = {0: [], 1: [allocate(result[3]) for result in program.results],
              2: [allocate(program.arena)], 3: []}
    # What a run does not write is not zero.
    memory[2][0][:] = 0xff
    for place, arrays in ((0, inputs), (3, program.constants)):
        for array in arrays:
            data = numpy.frombuffer(bytes(array), numpy.uint8)
            memory[place].append(allocate(data.size))
            memory[place][-1][:] = data
    with tempfile.TemporaryDirectory() as folder:
        functions = load(program, folder)
        for step in program.steps:
            bindings = step[1:] if step[0] == "copy" else step[3]
            views = [memory[place][index][offset:offset + size]
                     for place, index, offset, size in bindings]
            if step[0] == "copy":
                views[1][:] = views[0]
                continue
            values = [view.ctypes.data for view in views] + step[4]
            parameters = (ctypes.c_uint64 * (len(values) + 1))(*values)
            block, shared = program.kernels[step[0]][2:4]
            launch = Launch((ctypes.c_uint32 * 3)(*step[2]), (ctypes.c_uint32 * 3)(*block),
                            parameters, shared)
            functions[step[0]](ctypes.byref(launch))
    return memory[1]


def main():
    with open(sys.argv[1], "rb") as file:
        program = Program(file.read())
    inputs = []
    for (name, kind, shape, size), path in zip(program.arguments, sys.argv[3:], strict=True):
        array = numpy.ascontiguousarray(numpy.load(path))
        if array.nbytes != size:
            sys.exit(f"{path}: {array.nbytes} bytes, but argument {name} has {size}")
        inputs.append(array.tobytes())
    for number, (values, result) in enumerate(zip(run(program, inputs), program.results)):
        array = numpy.frombuffer(values.tobytes(), DTYPES[result[1]]).reshape(result[2])
        if result[1] == "bf16":
            array = (array.astype(numpy.uint32) << 16).view(numpy.float32)
        numpy.save(os.path.join(sys.argv[2], f"result{number}.npy"), array)


if __name__ == "__main__":
    main()
