"""Compiles models for GPUs, runs them on this processor, and compares with NumPy.

usage: emulate_kernels.py TOOL CLANG FOLDER
"""

import os
import pathlib
import subprocess
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
EMULATOR = ROOT / "test" / "lib" / "emulate_gpu.py"
TOOL, CLANG, FOLDER = sys.argv[1:]
FOLDER = pathlib.Path(FOLDER)
RANDOM = numpy.random.default_rng(1)
NUMPY = {"f32": numpy.float32, "f16": numpy.float16}


def product(rows, columns, depth, kind, left="m, k", right="k, n"):
    """A product whose operands have the loops `left` and `right`, and its operands."""
    sizes = {"m": rows, "n": columns, "k": depth}
    shapes = [[sizes[loop] for loop in loops.split(", ")] for loops in (left, right)]
    a, b = (f"tensor<{x}x{y}x{kind}>" for x, y in shapes)
    c = f"tensor<{rows}x{columns}xf32>"
    widen = "arith.extf %{0} : " + kind + " to f32" if kind != "f32" else ""
    text = f"""
func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}
  %r = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> ({left})>, affine_map<(m, n, k) -> ({right})>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {a}, {b}) outs(%init : {c}) {{
  ^bb0(%x: {kind}, %y: {kind}, %sum: f32):
    {'%x1 = ' + widen.format('x') if widen else ''}
    {'%y1 = ' + widen.format('y') if widen else ''}
    %p = arith.mulf {'%x1, %y1' if widen else '%x, %y'} : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  }} -> {c}
  return %r : {c}
}}
"""
    operands = [RANDOM.standard_normal(shape).astype(NUMPY[kind]) for shape in shapes]
    wide = [operand.astype(numpy.float64) for operand in operands]
    loops = (each.replace(", ", "") for each in (left, right))
    return text, operands, numpy.einsum("{},{}->mn".format(*loops), *wide)


def row_sums(rows, columns):
    """A sum of each row."""
    x = RANDOM.standard_normal((rows, columns)).astype(numpy.float32)
    text = f"""
func.func @main(%x: tensor<{rows}x{columns}xf32>) -> tensor<{rows}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{rows}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{rows}xf32>) -> tensor<{rows}xf32>
  %r = linalg.reduce {{arith.addf}} ins(%x : tensor<{rows}x{columns}xf32>)
      outs(%init : tensor<{rows}xf32>) dimensions = [1]
  return %r : tensor<{rows}xf32>
}}
"""
    return text, [x], x.astype(numpy.float64).sum(1)


def softmax(rows, columns):
    """A softmax of each row."""
    x = RANDOM.standard_normal((rows, columns)).astype(numpy.float32)
    kind = f"tensor<{rows}x{columns}xf32>"
    text = f"""
func.func @main(%x: {kind}) -> {kind} {{
  %empty = tensor.empty() : {kind}
  %r = linalg.softmax dimension(1) ins(%x : {kind}) outs(%empty : {kind}) -> {kind}
  return %r : {kind}
}}
"""
    powers = numpy.exp(x.astype(numpy.float64))
    return text, [x], powers / powers.sum(1, keepdims=True)


# Name, target, model, and the largest difference to the largest element: numbers of f32
# are added in another order.
CASES = [
    ("sums", "sm_80", row_sums(9, 300), 1e-6),
    ("softmax", "sm_80", softmax(5, 70), 1e-6),
    ("product", "sm_80", product(70, 50, 90, "f32"), 1e-6),
    # Ends of the tiles that are not full, and each order of each operand.
    ("warps", "sm_80", product(136, 72, 104, "f16"), 1e-6),
    ("warps-of-columns", "sm_80", product(72, 136, 40, "f16", "k, m", "n, k"), 1e-6),
    # Groups of 16 bytes do not fit: threads load and store elements.
    ("warps-of-elements", "sm_80", product(36, 36, 36, "f16"), 1e-6),
    ("warpgroups", "sm_90a", product(136, 264, 328, "f16"), 1e-6),
    ("warpgroups-of-columns", "sm_90a", product(72, 136, 104, "f16", "k, m", "n, k"), 1e-6),
]


def run(*command):
    """Runs a command, whose output is shown if it fails."""
    done = subprocess.run(command, env={**os.environ, "CLANG": CLANG}, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def check(name, target, model, tolerance):
    """Compiles and runs a model."""
    text, inputs, expected = model
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.mlir").write_text(text)
    paths = [folder / f"x{number}.npy" for number in range(len(inputs))]
    for path, values in zip(paths, inputs):
        numpy.save(path, values)
    program = folder / "model.gpu"
    run(TOOL, "compile", folder / "model.mlir", "--device=cuda", f"--device-target={target}",
        "-o", program)
    run(sys.executable, EMULATOR, program, folder, *paths)
    actual = numpy.load(folder / "result0.npy")
    if actual.shape != expected.shape:
        sys.exit(f"{name}: shape {actual.shape}, not {expected.shape}")
    error = numpy.abs(actual - expected).max() / numpy.abs(expected).max()
    # Not a number is not below anything.
    if not error <= tolerance:
        sys.exit(f"{name}: differs by {error}, more than {tolerance}")


for case in CASES:
    check(*case)
