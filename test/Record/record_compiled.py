"""A compiled model is recorded as the module from which it was made.

  record_compiled.py FOLDER TOOL
"""

import json
import pathlib
import struct
import subprocess
import sys

folder, tool = pathlib.Path(sys.argv[1]), sys.argv[2]


def run(*arguments):
    return subprocess.run([tool, *map(str, arguments)], check=True, encoding="utf-8",
                          stdout=subprocess.PIPE).stdout


weights = [(3 * k + 5 * o) % 7 - 3 for k in range(64) for o in range(64)]
text = (folder / "layer.mlir").read_text(encoding="utf-8")
source = folder / "whole.mlir"
source.write_text(text + '{-# dialect_resources: { builtin: { weights: "0x'
                  + struct.pack(f"<I{len(weights)}f", 4, *weights).hex()
                  + '" } } #-}\n', encoding="utf-8")

for threads in (1, 2):
    compiled = folder / f"layer{threads}.mprof"
    report = json.loads(run("compile", source, f"--threads={threads}", "-o", compiled,
                            "--format=json"))
    assert report["threads"] == threads and report["entry"] == "main", report
    assert report["arguments"] == [{"name": "x", "type": "f32", "shape": [None, 64],
                                    "scalar": False, "written": False}], report
    assert report["file_bytes"] == compiled.stat().st_size, report
    assert report["constant_bytes"] >= 4 * 64 * 64, report
    moved = folder / "elsewhere.mprof"
    compiled.rename(moved)
    profiles = []
    for model, options in [(source, [f"--threads={threads}"]), (moved, [])]:
        profiles.append(folder / f"{model.stem}{threads}.mlprof")
        run("record", model, *options, "--shape=x=32x64", "--seconds=0.2", "--no-peak",
            f"--save-results={folder / model.stem}", "-o", profiles[-1])
    results = [(folder / name / "result0.npy").read_bytes()
               for name in ("whole", "elsewhere")]
    assert results[0] == results[1]
    # The levels, the ops and their work are those of the module.
    found = []
    for profile in profiles:
        rows = json.loads(run("report", profile, "--by=roofline", "--all",
                              "--format=json"))["rows"]
        found.append([(row["op"], row["flops"]) for row in rows if row.get("flops")])
        for level in ("input", "loops", "llvm", "asm"):
            run("report", profile, f"--level={level}")
    assert found[0] == found[1], found
    assert [flops for _, flops in found[0]] == [2 * 32 * 64 * 64], found
