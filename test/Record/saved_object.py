"""Links C programs with saved objects that have constants.

  saved_object.py PROGRAM.c FOLDER TOOL CC
"""

import pathlib
import struct
import subprocess
import sys

source, folder, tool, compiler = sys.argv[1:]
folder = pathlib.Path(folder)
SIZE = 64

weights = [(3 * k + 5 * o) % 7 - 3 for k in range(SIZE) for o in range(SIZE)]
bias = [o - 30 for o in range(SIZE)]
x = [i % 5 - 2 for i in range(SIZE)]
expected = [sum(x[k] * weights[k * SIZE + o] for k in range(SIZE)) + bias[o]
            for o in range(SIZE)]


def blob(values):
    """A resource: its alignment, and its bytes."""
    return ("0x" + struct.pack(f"<I{len(values)}f", 4, *values).hex())


MODEL = f"""
func.func @main(%x: tensor<1x64xf32>) -> tensor<1x64xf32> {{
  %w = arith.constant dense_resource<weights> : tensor<64x64xf32>
  %b = arith.constant dense_resource<bias> : tensor<1x64xf32>
  %r = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x64xf32>)
    outs(%b : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}}
{{-# dialect_resources: {{ builtin: {{
  weights: "{blob(weights)}", bias: "{blob(bias)}" }} }} #-}}
"""
model = folder / "model.mlir"
model.write_text(MODEL, encoding="utf-8")


def run(*arguments):
    return subprocess.run(arguments, check=True, encoding="utf-8",
                          stdout=subprocess.PIPE).stdout


def check_section(path):
    """The constants of the program are not writable, and begin at a page."""
    sections = [line.replace("[ ", "[").split()
                for line in run("llvm-readelf", "-SW", path).splitlines()
                if ".rodata.mlirprof" in line]
    (words,) = sections
    name, kind, _, offset, size = words[1:6]
    assert kind == "PROGBITS" and "W" not in words[7], words
    # The matrix at least, in one form or another.
    assert int(size, 16) >= 4 * SIZE * SIZE, words
    assert int(words[-1]) == 4096 and int(offset, 16) % 4096 == 0, words


def save(name, *options):
    path = folder / f"{name}.o"
    run(tool, "record", model, "--mode=time", "--iterations=1",
        f"--save-object={path}", *options)
    check_section(path)
    assert "U __constant" not in run("llvm-nm", path)
    return path


for pipeline in ("default", "single-function", "naive"):
    for options in ([], ["--no-identities"]):
        saved = save(pipeline, f"--pipeline={pipeline}", *options)
        program = folder / pipeline
        run(compiler, "-o", program, source, saved, "-lm")
        found = [float(line) for line in run(program).split()]
        assert found == expected, (pipeline, found, expected)

# Objects of the same model, renamed, in one library.
for name in ("one", "two"):
    saved = save(name)
    run("llvm-objcopy", f"--redefine-sym=mlirprof_entry={name}", saved)
run(compiler, "-shared", "-o", folder / "both.so", folder / "one.o",
    folder / "two.o", "-lm")
