#!/usr/bin/env python3
"""Records models that cannot be recorded, and checks what the tool says.

usage: record_errors.py TOOL SCRATCH

Every case ends by itself, with the exit code and the words that it should, and
leaves no file behind but what it was to keep.
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

IDENTITY = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
ADD = """
func.func @main(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%x, %0 : tensor<4xf32>, tensor<4xf32>)
                  outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
FOREVER = """
func.func @main(%x: memref<4xf32>) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    %v = memref.load %x[%c0] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%c0] : memref<4xf32>
    scf.yield
  }
  return
}
"""
CRASH = """
func.func @main(%x: memref<4xf32>) {
  %far = arith.constant 1099511627776 : index
  %v = memref.load %x[%far] : memref<4xf32>
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
"""
ABORT = """
func.func private @abort()
func.func @main(%x: memref<4xf32>) {
  call @abort() : () -> ()
  return
}
"""
EXIT = """
func.func private @exit(i32)
func.func @main(%x: memref<4xf32>) {
  %code = arith.constant 7 : i32
  call @exit(%code) : (i32) -> ()
  return
}
"""
NOT_FINITE = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.sub ins(%x, %x : tensor<4xf32>, tensor<4xf32>)
                  outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.div ins(%z, %z : tensor<4xf32>, tensor<4xf32>)
                  outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
TWO = """
func.func @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @two(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""

#: name: (module, options, exit code, words on stderr)
CASES = {
    "does-not-parse": ("func.func @main(", [], 1, ["does-not-parse.mlir"]),
    "does-not-verify": (
        'func.func @main() -> i32 { "func.return"() : () -> () }', [], 1,
        ["does-not-verify.mlir"]),
    "no-function": ("module {}", [], 1, ["function"]),
    "no-such-entry": (IDENTITY, ["--entry=other"], 1, ["other", "main"]),
    "two-entries": (TWO, [], 1, ["one", "two", "--entry"]),
    "too-many-inputs": (IDENTITY, ["--input=zeros", "--input=zeros"], 1,
                        ["more arguments than the model has"]),
    "no-such-argument": (IDENTITY, ["--input=q=zeros"], 1,
                         ["no argument 'q'", "tensor<4xf32>"]),
    "no-shape": (ADD, [], 1, ["dynamic dimensions", "--shape="]),
    "wrong-shape": (ADD, ["--shape=1=4x4"], 1,
                    ["does not fit", "tensor<?xf32>"]),
    "wrong-type": (IDENTITY, ["--input={test}/fuzz/npy/fortran.npy"], 1,
                   ["i16", "tensor<4xf32>"]),
    "wrong-file": (IDENTITY, ["--input={scratch}/wrong-file.mlir"], 1,
                   ["not a *.npy file"]),
    "bad-pipeline": (IDENTITY, ["--pipeline=canonicalise"], 1,
                     ["canonicalise"]),
    "bad-pipeline-option": (IDENTITY, ["--pipeline=canonicalize{top=1}"], 1,
                            ["top"]),
    "no-lowering": (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        '  %0 = "nvgpu.nothing"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n'
        "  return %0 : tensor<4xf32>\n}\n", [], 1, ["nvgpu.nothing"]),
    "not-finite": (NOT_FINITE, ["--compare={test}/Tools/Inputs/four.npy"], 3,
                   ["not finite"]),
    "differs": (IDENTITY, ["--input=zeros",
                           "--compare={test}/Tools/Inputs/four.npy"], 3,
                ["further off"]),
    "other-shape": (IDENTITY, ["--compare={test}/fuzz/npy/f32.npy"], 3,
                    ["4xf32", "2x3xf32"]),
    "no-such-result": (IDENTITY,
                       ["--compare=r=a.npy"], 2, ["results"]),
    "crash": (CRASH, [], 1, ["did not finish", "SIG"]),
    "abort": (ABORT, [], 1, ["did not finish", "SIGABRT"]),
    "exit": (EXIT, [], 1, ["did not finish", "exit"]),
    "forever": (FOREVER, ["--timeout=1"], 1, ["did not finish", "timeout"]),
    "no-output": (IDENTITY, ["-o", "/nowhere/run.mlprof"], 1,
                  ["/nowhere/run.mlprof"]),
    "full-disk": (IDENTITY, ["-o", "/dev/full"], 1, ["/dev/full"]),
    "bad-mode": (IDENTITY, ["--mode=magic"], 2, ["--mode=magic"]),
    "bad-scope": (IDENTITY, ["--mode=instrument", "--instrument=deep"], 1,
                  ["deep"]),
    "scope-without-mode": (IDENTITY, ["--instrument=op"], 2,
                           ["--mode=instrument"]),
    "bad-rate": (IDENTITY, ["--rate=0"], 2, ["--rate=0"]),
    "huge-rate": (IDENTITY, ["--rate=100000000"], 2, ["--rate"]),
    "bad-seconds": (IDENTITY, ["--seconds=-1"], 2, ["--seconds=-1"]),
    "no-threads": (IDENTITY, ["--threads=0"], 2, ["--threads=0"]),
}
#: Cases whose samples until then are kept.
KEPT = {"crash", "abort", "exit", "forever", "not-finite", "differs",
        "other-shape", "no-such-result"}


def check(tool, scratch, name, case):
    """What is wrong, as a list of texts."""
    text, options, code, words = case
    path, output = scratch / f"{name}.mlir", scratch / f"{name}.mlprof"
    path.write_text(text)
    test = pathlib.Path(__file__).resolve().parent.parent
    options = [o.format(scratch=scratch, test=test) for o in options]
    if "-o" not in options:
        options += ["-o", str(output)]
    result = subprocess.run([tool, "record", str(path), "--iterations=2",
                             "--no-peak", *options],
                            capture_output=True, encoding="utf-8", timeout=120)
    wrong = []
    if result.returncode != code:
        wrong.append(f"exits with {result.returncode}, not {code}")
    wrong += [f"does not say '{word}'" for word in words
              if word not in result.stderr]
    if output.exists() != (name in KEPT):
        wrong.append("left a profile" if output.exists() else "left no profile")
    wrong += [f"left {left.name}" for left in scratch.iterdir()
              if left.suffix not in (".mlir", ".mlprof")]
    if "-o" not in case[1] and name in KEPT and output.exists():
        read = subprocess.run([tool, "report", str(output), "--by=event"],
                              capture_output=True, encoding="utf-8")
        if read.returncode:
            wrong.append("its profile cannot be read: " + read.stderr)
    return [f"{name}: {text}" for text in wrong] + (
        [result.stderr] if wrong else [])


def interrupt(tool, scratch):
    """Ctrl-C in the middle keeps what was measured."""
    path, output = scratch / "interrupt.mlir", scratch / "interrupt.mlprof"
    path.write_text(ADD)
    with subprocess.Popen([tool, "record", str(path), "--shape=1=4",
                           "--seconds=100", "--no-peak", "-o", str(output)],
                          stderr=subprocess.PIPE, encoding="utf-8") as child:
        # The child process is what has run for a while once there are two.
        for _ in range(300):
            time.sleep(0.1)
            tasks = pathlib.Path(f"/proc/{child.pid}/task/{child.pid}/children")
            if tasks.read_text().split():
                break
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        error = child.communicate(timeout=60)[1]
    wrong = []
    if child.returncode != 1 or "interrupted" not in error.lower():
        wrong.append(f"interrupt: exits with {child.returncode}: {error}")
    if not output.exists():
        wrong.append("interrupt: left no profile")
    return wrong


def main():
    tool, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    for left in scratch.iterdir():
        left.unlink()
    wrong = []
    for name, case in CASES.items():
        wrong += check(tool, scratch, name, case)
    wrong += interrupt(tool, scratch)
    print("\n".join(wrong))
    print(f"{len(CASES) + 1} cases, {len(wrong)} complaints")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
