"""Checks what --jitdump and --perf-map write for perf against the object.

Reads the dump as the kernel's jitdump-specification.txt has it. The map lies in
/tmp under a process number that nobody is told; a name of its own in the model
tells it from others.
"""

import glob
import os
import re
import struct
import subprocess
import sys
import uuid

tool, model, folder = sys.argv[1:4]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def record(*options):
    run(tool, "record", path, "--pipeline=naive", "--iterations=1", "--no-peak",
        f"--save-object={folder}/model.o", "-o", f"{folder}/run.mlprof", *options)


def parse_dump(data):
    magic, version, size, machine, _, pid, _, flags = struct.unpack_from(
        "<6I2Q", data)
    assert (magic, version, size, flags) == (0x4A695444, 1, 40, 0)
    loads, lines, at = [], {}, size
    while at < len(data):
        kind, size, _ = struct.unpack_from("<2IQ", data, at)
        body, at = data[at + 16:at + size], at + size
        if kind == 0:
            process, _, address, code_address, code_size, index = (
                struct.unpack_from("<2I4Q", body))
            name, rest = body[40:].split(b"\0", 1)
            # Lines come before the code that they are of.
            assert process == pid and address == code_address
            assert index == len(loads) and len(rest) == code_size
            loads.append((address, name.decode(), rest))
        else:
            assert kind == 2, kind
            code, count = struct.unpack_from("<2Q", body)
            assert code not in lines and code not in [l[0] for l in loads]
            entries, rest = [], body[16:]
            for _ in range(count):
                address, line, _ = struct.unpack_from("<Q2I", rest)
                file, rest = rest[16:].split(b"\0", 1)
                entries.append((address, line, file.decode()))
            assert not rest
            lines[code] = entries
    assert at == len(data)
    return pid, machine, loads, lines


token = uuid.uuid4().hex
os.makedirs(folder, exist_ok=True)
for old in glob.glob(f"{folder}/jit-*.dump"):
    os.remove(old)
path = f"{folder}/model.mlir"
with open(model) as source, open(path, "w") as copy:
    copy.write(source.read().replace('loc("product")', f'loc("{token}"("m.mlir":'
                                     '7:3))'))

record(f"--jitdump={folder}")
(dump,) = glob.glob(f"{folder}/jit-*.dump")
with open(dump, "rb") as file:
    pid, machine, loads, lines = parse_dump(file.read())
assert os.path.basename(dump) == f"jit-{pid}.dump"
elf = open(f"{folder}/model.o", "rb").read()
assert machine == struct.unpack_from("<H", elf, 18)[0]

# Ranges tile the functions of the object, and each is named after its own.
base = loads[0][0]
functions = []
for line in run("llvm-nm", "-S", "--defined-only",
                f"{folder}/model.o").decode().splitlines():
    words = line.split()
    if len(words) == 4 and words[2] in "Tt":
        functions.append((int(words[0], 16), int(words[1], 16), words[3]))
functions.sort()
base -= functions[0][0]
ranges = [(a - base, len(code), name) for a, name, code in loads]
for begin, size, name in functions:
    own = [r for r in ranges if begin <= r[0] < begin + size]
    assert own[0][0] == begin and sum(r[1] for r in own) == size
    assert all(a[0] + a[1] == b[0] for a, b in zip(own, own[1:]))
    assert all(re.split(": ", r[2])[0] == name for r in own), own
assert sum(r[1] for r in ranges) == sum(f[1] for f in functions)

# The code is the object's, but for what loading it fills in.
run("llvm-objcopy", "-O", "binary", "--only-section=.text", f"{folder}/model.o",
    f"{folder}/model.text")
text = open(f"{folder}/model.text", "rb").read()
moved = set()
section = b""
for line in run("llvm-objdump", "-r", f"{folder}/model.o").splitlines():
    if line.startswith(b"RELOCATION RECORDS FOR"):
        section = line
    elif b"[.text]" in section and re.match(rb"[0-9a-f]{8,}\s", line):
        offset = int(line.split()[0], 16)
        moved.update(range(offset, offset + 8))
for address, _, code in loads:
    at = address - base
    assert all(code[i] == text[at + i] for i in range(len(code))
               if at + i not in moved)

# The op's own lines, within its range.
products = [l for l in loads if l[1].endswith(f"linalg.matmul {token}")]
assert products
for address, _, code in products:
    assert all(address <= a < address + len(code) and (line, file) ==
               (7, "m.mlir") for a, line, file in lines[address])

# The map says the same.
record("--perf-map")
maps = []
for candidate in glob.glob("/tmp/perf-*.map"):
    try:
        with open(candidate) as file:
            contents = file.read()
    except OSError:
        continue
    if token in contents:
        maps.append(contents)
        os.remove(candidate)
(contents,) = maps
entries = [line.split(" ", 2) for line in contents.splitlines()]
first = int(entries[0][0], 16)
assert [(int(a, 16) - first, int(s, 16), n) for a, s, n in entries] == [
    (begin - ranges[0][0], size, name) for begin, size, name in ranges]
print(len(functions), "functions,", len(products) > 0, "right")
