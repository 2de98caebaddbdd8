"""Records a recurrent layer, and checks its results, memory and code.

  record_recurrent.py MODEL FOLDER TOOL
"""

import json
import pathlib
import random
import re
import struct
import subprocess
import sys

import record_arrays

source, folder, tool = sys.argv[1:]
folder = pathlib.Path(folder)
ROWS, SIZE = 4, 16
generator = random.Random(1)
weights = [generator.uniform(-1, 1) for _ in range(SIZE * SIZE)]
model = folder / "model.mlir"
blob = "0x" + struct.pack(f"<I{len(weights)}f", 4, *weights).hex()
model.write_text(pathlib.Path(source).read_text() +
                 '{-# dialect_resources: { builtin: { weights: "' + blob +
                 '" } } #-}\n')


def compute(x, steps):
    h = [[1.0] * SIZE for _ in range(ROWS)]
    for t in range(steps):
        h = [[(sum(h[i][k] * weights[k * SIZE + j] for k in range(SIZE)) +
               x[(t * ROWS + i) * SIZE + j]) / 4 for j in range(SIZE)]
             for i in range(ROWS)]
    return sum(h, [])


def run(*arguments):
    return subprocess.run([tool, *arguments], check=True, encoding="utf-8",
                          stdout=subprocess.PIPE).stdout


def record(pipeline, steps):
    """Bytes of buffers, and the profile."""
    x = [generator.uniform(-1, 1) for _ in range(steps * ROWS * SIZE)]
    record_arrays.write(folder / "x.npy", (steps, ROWS, SIZE), x)
    out, times = folder / "out", folder / "times.json"
    profile = folder / f"{pipeline}.mlprof"
    run("record", model, f"--pipeline={pipeline}", f"--shape=x={steps}x4x16",
        f"--input=x={folder / 'x.npy'}", "--iterations=2", "--no-peak",
        f"--save-results={out}", f"--times={times}", "-o", profile)
    found = record_arrays.read(out / "result0.npy")[2]
    for value, expected in zip(found, compute(x, steps), strict=True):
        assert abs(value - expected) < 1e-5, (pipeline, steps, value, expected)
    return json.loads(times.read_text())["buffer_bytes"], profile


def get_loop(profile, level):
    """The loop over the steps on the host side, the first that is carried."""
    out = folder / "level.mlir"
    run("annotate", profile, f"--level={level}", "--allow-unmatched", "-o", out)
    text = out.read_text()
    begin = re.search(r"\n( *)%\S+ = scf\.for .*iter_args", text)
    end = text.index("\n" + begin[1] + "}", begin.end())
    return text[begin.start():end]


for pipeline in ("default", "single-function", "naive"):
    few, _ = record(pipeline, 3)
    many, profile = record(pipeline, 400)
    assert few == many, (pipeline, few, many)
    if pipeline != "default":
        continue
    # Two dispatches at most, and nothing around them.
    for level in ("bufferized", "loops"):
        loop = get_loop(profile, level)
        assert "dispatch.run" in loop, loop
        for op in ("memref.copy", "scf.if", "bufferization.clone"):
            assert op not in loop, (level, op, loop)
    assert "memref.alloc" not in loop, loop
print("the same buffers for all steps")
