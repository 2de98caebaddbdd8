"""Records a model of layers that share kernels, and checks its reports.

  record_dispatches.py FOLDER TOOL

The layers are equal, but the second stands in a loop of four.
"""

import json
import os
import subprocess
import sys

from two_layers import make_layers

folder, tool = sys.argv[1:]
model = os.path.join(folder, "layers.mlir")
with open(model, "w", encoding="utf-8") as file:
    file.write(make_layers(128, 128))
environment = dict(os.environ, MLIR_PROF_CACHE=os.path.join(folder, "cache"))


def run(*arguments):
    return subprocess.run([tool, *arguments], check=True, env=environment,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout


def record(pipeline, *more):
    name = os.path.join(folder, pipeline)
    run("record", model, f"--pipeline={pipeline}", "--no-peak", "-o",
        f"{name}.mlprof", f"--save-results={name}", *more)
    return f"{name}.mlprof"


def report(profile, *more):
    return json.loads(run("report", profile, "--format=json", *more))


def cached():
    return sorted(name for name in os.listdir(environment["MLIR_PROF_CACHE"])
                  if not name.endswith(".timestamp"))


profile = record("default", "--seconds=0.6")
built = cached()
# The kernel, and the model.
assert len(built) == 2, built
record("single-function", "--iterations=1")
expected = "--compare=" + os.path.join(folder, "single-function",
                                       "result0.npy")
record("default", "--seconds=0.6", expected)
assert cached() == built

# A damaged file of the model is replaced, from kernels that are whole.
damaged = 0
for name in built:
    path = os.path.join(environment["MLIR_PROF_CACHE"], name)
    with open(path, "r+b") as file:
        if file.read(7) == b"MLPMODL":
            file.truncate(os.path.getsize(path) // 2)
            damaged += 1
assert damaged == 1, damaged
record("default", "--seconds=0.6", expected)
assert cached() == built
# A cache of 0 megabytes stores nothing.
empty = os.path.join(folder, "empty")
subprocess.run([tool, "record", model, "--mode=time",
                "--iterations=1", "--no-peak"], check=True,
               env=dict(environment, MLIR_PROF_CACHE=empty,
                        MLIR_PROF_CACHE_SIZE="0"))
assert not os.path.exists(empty)
# The profile of the model as it is found.
profile = record("default", "--seconds=0.6", expected)

# Every level has the same total, and an op for nearly all of it.
totals = set()
for level in ("input", "linalg", "dispatch", "tiled", "bufferized", "loops",
              "llvm", "asm"):
    coverage = report(profile, f"--level={level}")["coverage"]
    totals.add(coverage["op_time_ps"])
    assert coverage["unmatched_ps"] < 0.1 * coverage["op_time_ps"], level
assert len(totals) == 1, totals

# One kernel, but the second layer does four times the work of the first.
by_op = {}
for row in report(profile, "--all")["rows"]:
    if row["op"] == "linalg.matmul":
        by_op[row["location"]] = row["sole_ps"]
assert set(by_op) == {"first", "second"}, by_op
assert 2 < by_op["second"] / by_op["first"] < 8, by_op
instances = report(profile, "--by=instance", "--all")["rows"]
named = {row["kernel"] for row in instances if row.get("kernel")}
assert len(named) == 1, instances

# In the graph of this level the dispatches have the times, and kernels are not
# drawn; below it they are.
def draw(level):
    graph = os.path.join(folder, "graph.json")
    run("graph", profile, f"--level={level}", "--format=mlirgraph", "-o", graph)
    with open(graph, encoding="utf-8") as drawn:
        return json.load(drawn)["nodes"]


drawn = sorted((node["detail"], node["duration"])
               for node in draw("dispatch")
               if node["name"] == "dispatch.run" and node.get("duration"))
assert len(drawn) == 2, drawn
for (detail, duration), layer in zip(drawn, ("first", "second")):
    assert detail == f"@matmul {layer}", drawn
    (row,) = [row for row in instances if row["location"] == layer]
    assert duration == row["total_ps"] > 0, (drawn, row)
assert not any(node["name"] == "dispatch.run" and node.get("duration")
               for node in draw("loops"))

# An audit lists the passes of the host side and of the kernel, which runs once
# for both layers, although the cache has its code. Its losses have times.
audit = json.loads(run("audit", model,
                       f"--profile={profile}", "--format=json"))
ran = {(entry["pass"], entry["anchor"]) for entry in audit["passes"]}
assert ("share-dispatches", "builtin.module") in ran, ran
assert ("cpu-apply-rules", "func.func @main") in ran, ran
assert ("cpu-apply-rules", "func.func @matmul_kernel") in ran, ran
applied = [entry for entry in audit["passes"]
           if entry["pass"] == "cpu-apply-rules"]
assert len(applied) == 2, applied
levels = {row["node"]: (row["level"], row["op"], row["name"]) for row in
          json.loads(run("query", profile,
                         "SELECT node, level, op, name FROM nodes",
                         "--format=json"))["rows"]}
kernel = next(entry for entry in applied if "kernel" in entry["anchor"])
gone = [levels[node] for node in kernel["gone"]]
assert gone and {level for level, _, _ in gone} == {"dispatch"}, gone

# More equal layers than an op has origins give a warning. The model is kept
# nevertheless, and the warning is repeated when it is found.
LAYERS = 130
deep = os.path.join(folder, "deep.mlir")
with open(deep, "w", encoding="utf-8") as file:
    file.write("func.func @main(%v0: tensor<4x4xf32>, %w: tensor<4x4xf32>)"
               " -> tensor<4x4xf32> {\n  %zero = arith.constant 0.0 : f32\n")
    for i in range(LAYERS):
        file.write(f"""
  %e{i} = tensor.empty() : tensor<4x4xf32>
  %f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : tensor<4x4xf32>)
    -> tensor<4x4xf32>
  %v{i + 1} = linalg.matmul ins(%v{i}, %w : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%f{i} : tensor<4x4xf32>) -> tensor<4x4xf32> loc("layer {i}")
""")
    file.write(f"  return %v{LAYERS} : tensor<4x4xf32>\n}}\n")
said = []
for _ in range(2):
    said.append(subprocess.run(
        [tool, "record", deep, "--mode=time", "--iterations=1", "--no-peak"],
        check=True, env=environment, stderr=subprocess.PIPE,
        encoding="utf-8").stderr)
warnings = [[line for line in text.splitlines() if "warning:" in line]
            for text in said]
assert len(warnings[0]) == 1 and warnings[0] == warnings[1], said
assert "found the model" not in said[0], said
assert "found the model" in said[1], said

# The size of the cache is a number.
wrong = subprocess.run([tool, "record", deep, "--mode=time", "--iterations=1"],
                       env=dict(environment, MLIR_PROF_CACHE_SIZE="1G"),
                       stderr=subprocess.PIPE, encoding="utf-8")
assert wrong.returncode == 2, wrong
assert "MLIR_PROF_CACHE_SIZE='1G'" in wrong.stderr, wrong
