#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records models that cannot be recorded, and checks what the tool says.

usage: record_errors.py TOOL SCRATCH

Every case ends by itself, with the exit code and the words that it should, and
leaves no file, no process and no other terminal behind, but what it was to keep.
"""

import os
import pathlib
import pty
import signal
import subprocess
import sys
import termios
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
PRODUCT = """
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>)
                     outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
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
OUTSIDE = """
func.func @main(%x: memref<4xf32>, %n: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %one = memref.load %n[%c0] : memref<1xindex>
  %five = arith.constant 5 : index
  %at = arith.maxsi %one, %five : index
  %v = memref.load %x[%at] : memref<4xf32>
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
"""
CRASH = """
func.func @main(%x: memref<4xf32>) {
  %number = arith.constant 1099511627776 : i64
  %far = llvm.inttoptr %number : i64 to !llvm.ptr
  %v = llvm.load volatile %far : !llvm.ptr -> f32
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
"""
CRASH_LATER = """
func.func @main(%x: memref<4xf32>, %n: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %number = arith.constant 1099511627776 : i64
  %far = llvm.inttoptr %number : i64 to !llvm.ptr
  %one = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %calls = memref.load %n[%c0] : memref<1xindex>
  %more = arith.addi %calls, %c1 : index
  memref.store %more, %n[%c0] : memref<1xindex>
  %last = arith.cmpi sgt, %more, %c4 : index
  scf.if %last {
    llvm.store volatile %one, %far : f32, !llvm.ptr
  }
  return
}
"""
ASSERT = """
func.func @main(%x: tensor<f32>) {
  %v = tensor.extract %x[] : tensor<f32>
  %two = arith.constant 2.0 : f32
  %large = arith.cmpf ogt, %v, %two : f32
  cf.assert %large, "the input is too small"
  return
}
"""
OVERFLOW = """
func.func @deep(%x: memref<4xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %own = memref.alloca() : memref<4xf32>
  memref.copy %x, %own : memref<4xf32> to memref<4xf32>
  %r = func.call @deep(%own, %m) : (memref<4xf32>, index) -> index
  %s = arith.muli %r, %m : index
  return %s : index
}
func.func @main(%x: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %r = func.call @deep(%x, %c0) : (memref<4xf32>, index) -> index
  return %r : index
}
"""
FORK = """
func.func private @fork() -> i32
func.func @main() -> i32 {
  %r = call @fork() : () -> i32
  return %r : i32
}
"""
#: Starts a process in a session of its own, and gives it time to begin.
DAEMON = """
llvm.mlir.global internal constant @command("COMMAND") : !llvm.array<LENGTH x i8>
llvm.func @system(!llvm.ptr) -> i32
llvm.func @usleep(i32) -> i32
func.func @main() -> i32 {
  %command = llvm.mlir.addressof @command : !llvm.ptr
  %r = llvm.call @system(%command) : (!llvm.ptr) -> i32
  %us = arith.constant 500000 : i32
  %s = llvm.call @usleep(%us) : (i32) -> i32
  return %r : i32
}
"""
FORK_FOREVER = ("func.func private @fork() -> i32" + FOREVER).replace(
    "  scf.while", "  %r = call @fork() : () -> i32\n  scf.while")
#: 16 TiB of which the types do not tell.
HUGE = """
func.func @main(%x: tensor<4xf32>) -> tensor<?x1048576xf32> {
  %n = arith.constant 4194304 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x1048576xf32>
  %r = linalg.fill ins(%one : f32)
    outs(%e : tensor<?x1048576xf32>) -> tensor<?x1048576xf32>
  return %r : tensor<?x1048576xf32>
}
"""
#: 16 TiB that the types tell of.
HUGE_RESULT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4194304x1048576xf32> {
  %zero = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4194304x1048576xf32>
  %r = linalg.fill ins(%zero : f32)
    outs(%e : tensor<4194304x1048576xf32>) -> tensor<4194304x1048576xf32>
  return %r : tensor<4194304x1048576xf32>
}
"""
MISSING = """
func.func private @not_there(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @not_there(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
UNRANKED = """
func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
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

NO_TYPE = """
func.func @main(%x: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.copy ins(%x : tensor<4xf8E4M3FN>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""

#: name: (module, options, exit code, words on stderr)
CASES = {
    "does-not-parse": ("func.func @main(", [], 1, ["does-not-parse.mlir"]),
    "does-not-verify": (
        'func.func @main() -> i32 { "func.return"() : () -> () }', [], 1,
        ["does-not-verify.mlir"]),
    "empty": ("", [], 1, ["empty.mlir", "is empty"]),
    "no-function": ("module {}", [], 1, ["function"]),
    "no-such-entry": (IDENTITY, ["--entry=other"], 1, ["other", "main"]),
    "two-entries": (TWO, [], 1, ["one", "two", "--entry"]),
    "no-body": ("func.func private @main(tensor<4xf32>)", ["--entry=main"], 1,
                ["not have a function with a body"]),
    "no-rank": (UNRANKED, [], 1, ["'x'", "tensor<*xf32>", "hint:"]),
    "too-many-inputs": (IDENTITY, ["--input=zeros", "--input=zeros"], 1,
                        ["more arguments than the model has"]),
    "no-such-argument": (IDENTITY, ["--input=q=zeros"], 1,
                         ["does not have an argument 'q'", "x tensor<4xf32>"]),
    "no-such-file": (IDENTITY, ["--input={scratch}/none.npy"], 1,
                     ["none.npy", "cannot be read"]),
    "input-twice": (IDENTITY, ["--input=x=zeros", "--input=0=zeros"], 1,
                    ["'x' is given twice"]),
    "no-shape": (ADD, [], 1, ["dynamic dimensions", "--shape=y="]),
    "wrong-shape": (ADD, ["--shape=1=4x4"], 1,
                    ["does not fit", "tensor<?xf32>"]),
    "shapes-do-not-fit": (
        PRODUCT, ["--shape=x=3x4", "--shape=w=2x6"], 1,
        ["3x4, 2x6", "linalg.matmul at", 'shapes-do-not-fit.mlir":10:',
         "dimension 1 of operand 0 is 4",
         "dimension 0 of operand 1 is 2", "--shape"]),
    "files-do-not-fit": (
        PRODUCT, ["--input=x={data}/fuzz/npy/f32.npy",
                  "--input=w={data}/fuzz/npy/f32.npy"], 1,
        ["2x3, 2x3", "linalg.matmul"]),
    "one-request-does-not-fit": (
        PRODUCT, ["--shape=x=3x4,3x5", "--shape=w=4x6,4x6"], 1,
        ["3x5, 4x6", "linalg.matmul"]),
    "huge-shape": (ADD, ["--shape=y=1000000000000"], 1, ["'y'", "bytes"]),
    "bad-shape": (ADD, ["--shape=y=4x"], 2, ["does not understand '4x'"]),
    "wrong-type": (IDENTITY, ["--input={data}/fuzz/npy/fortran.npy"], 1,
                   ["i16", "tensor<4xf32>"]),
    "wrong-file": (IDENTITY, ["--input={scratch}/wrong-file.mlir"], 1,
                   ["not a *.npy file"]),
    "bad-pipeline": (IDENTITY, ["--pipeline=canonicalise"], 1,
                     ["canonicalise"]),
    "bad-pipeline-option": (IDENTITY, ["--pipeline=canonicalize{top=1}"], 1,
                            ["top"]),
    "bad-schedule": (IDENTITY, ["--pipeline={scratch}/none.mlir"], 1,
                     ["none.mlir"]),
    "no-plugin": (IDENTITY, ["--load-pass-plugin={scratch}/none.so"], 1,
                  ["none.so", "cannot be loaded"]),
    "no-lowering": (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        '  %0 = "nvgpu.nothing"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n'
        "  return %0 : tensor<4xf32>\n}\n", [], 1,
        ["nvgpu.nothing", "no-lowering.mlir", "2:"]),
    "other-dialect": (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = other.scan %x : tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n", [], 1,
        ["other.scan", "2:", "generic form", "lower them first"]),
    "no-type": (NO_TYPE, [], 1,
                ["type 'f8E4M3FN' does not have a lowering", "no-type.mlir"]),
    "no-symbol": (MISSING, [], 1, ["not_there", "hint:"]),
    "not-finite": (NOT_FINITE, ["--compare={data}/fuzz/npy/four.npy"], 3,
                   ["not finite"]),
    "differs": (IDENTITY, ["--input=zeros",
                           "--compare={data}/fuzz/npy/four.npy"], 3,
                ["differ by more than"]),
    "other-shape": (IDENTITY, ["--compare={data}/fuzz/npy/f32.npy"], 3,
                    ["4xf32", "2x3xf32"]),
    "no-such-result": (IDENTITY, ["--compare=r=a.npy"], 2,
                       ["does not have a result 'r'", "result0"]),
    "no-reference": (IDENTITY, ["--compare={scratch}/none.npy"], 1,
                     ["none.npy"]),
    "outside": (OUTSIDE, [], 1,
                ["did not finish", "SIGABRT",
                 "index is out of range for dimension 0 of size 4"]),
    "crash": (CRASH, [], 1, ["did not finish", "SIGSEGV", "llvm.load"]),
    "crash-later": (CRASH_LATER, ["--input=n=zeros", "--warm-up=3",
                                  "--iterations=9"], 1,
                    ["SIGSEGV in iteration 2", "llvm.store"]),
    "abort": (ABORT, [], 1, ["did not finish", "SIGABRT", "func.call"]),
    "assert": (ASSERT, [], 1, ["did not finish", "SIGABRT",
                               "the input is too small"]),
    "exit": (EXIT, [], 1, ["did not finish", "exit(7)"]),
    "stack": (OVERFLOW, [], 1, ["did not finish", "SIGSEGV (stack overflow)",
                                "deep+"]),
    "stack-instrument": (OVERFLOW, ["--mode=instrument"], 1,
                         ["did not finish", "SIGSEGV (stack overflow)",
                          "deep+"]),
    "fork": (FORK, [], 0, ["2 iterations"]),
    "fork-forever": (FORK_FOREVER, ["--timeout=1"], 1,
                     ["did not finish", "time limit of 1.00 s", "scf.yield"]),
    "memory": (HUGE, [], 1, ["did not finish"]),
    "max-memory": (HUGE, ["--max-memory=64"], 1, ["did not finish"]),
    "results": (HUGE_RESULT, [], 1,
                ["results of 16777216 MiB do not fit into", "available"]),
    "max-results": (HUGE_RESULT, ["--max-memory=64"], 1,
                    ["results of 16777216 MiB do not fit into the 64 MiB",
                     "--max-memory"]),
    "forever": (FOREVER, ["--timeout=1"], 1,
                ["did not finish", "time limit of 1.00 s", "scf.yield"]),
    "no-output": (IDENTITY, ["-o", "/nowhere/run.mlprof"], 1,
                  ["/nowhere/run.mlprof"]),
    "full-disk": (IDENTITY, ["-o", "/dev/full"], 1,
                  ["/dev/full", "No space left"]),
    "bad-mode": (IDENTITY, ["--mode=magic"], 2, ["--mode=magic"]),
    "bad-scope": (IDENTITY, ["--mode=instrument", "--instrument=deep"], 2,
                  ["'--instrument=deep' must be one of op, siblings, "
                   "depth:N, height:N or all"]),
    "scope-without-mode": (IDENTITY, ["--instrument=op"], 2,
                           ["--mode=instrument"]),
    "bad-rate": (IDENTITY, ["--rate=0"], 2, ["--rate=0"]),
    "huge-rate": (IDENTITY, ["--rate=100000000"], 2, ["--rate"]),
    "bad-seconds": (IDENTITY, ["--seconds=-1"], 2, ["--seconds=-1"]),
    "no-threads": (IDENTITY, ["--threads=0"], 2, ["--threads=0"]),
    "unknown-cpu": (IDENTITY, ["--cpu=abacus"], 2, ["--cpu", "'abacus'"]),
}
#: Cases whose arguments are refused before the model is built.
NOT_BUILT = {"too-many-inputs", "no-such-argument", "no-such-file",
             "input-twice", "no-shape", "wrong-shape", "huge-shape",
             "wrong-type", "wrong-file", "shapes-do-not-fit",
             "files-do-not-fit", "one-request-does-not-fit", "max-results",
             "no-such-result", "no-reference"}
#: Cases whose samples until then are kept.
KEPT = {"outside", "crash", "crash-later", "abort", "assert", "exit", "stack",
        "stack-instrument", "fork", "fork-forever", "memory",
        "max-memory", "forever", "not-finite", "differs", "other-shape"}


class Scratch:
    """A folder for one case, and what the case leaves behind."""

    def __init__(self, tool, root):
        self.tool, self.root = tool, root
        self.temporary = root / "tmp"
        self.temporary.mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, TMPDIR=str(self.temporary))

    def start(self, *arguments, **keywords):
        """The tool in a session of its own, so that its children are known."""
        return subprocess.Popen(
            [self.tool, "record", *arguments], encoding="utf-8",
            env=self.environment, start_new_session=True, **keywords)

    def leftovers(self, session, before):
        """What a tool that has ended left behind."""
        wrong = [f"left {path}" for path in self.root.rglob("*")
                 if path not in before and path != self.temporary and
                 path.suffix not in (".mlir", ".mlprof")]
        processes = []
        # What the model has started is not the tool's to reap.
        for _ in range(100):
            time.sleep(0.05)
            processes = self.processes(session)
            if not processes:
                break
        return wrong + processes

    @staticmethod
    def processes(session):
        """What still runs in a session."""
        wrong = []
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                wrong.append(f"left process {stat.parent.name}, {fields[0]}")
        return wrong


def communicate(process):
    """What the tool printed; it is killed when it does not end."""
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "", "does not end"


def check(scratch, name, case):
    """What is wrong, as a list of texts."""
    text, options, code, words = case
    path = scratch.root / f"{name}.mlir"
    output = scratch.root / f"{name}.mlprof"
    path.write_text(text)
    data = pathlib.Path(__file__).resolve().parents[1] / "data"
    options = [option.replace("{scratch}", str(scratch.root))
               .replace("{data}", str(data)) for option in options]
    if "-o" not in options:
        options += ["-o", str(output)]
    before = set(scratch.root.rglob("*"))
    with scratch.start(str(path), "--iterations=2", "--no-peak", *options,
                       stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE) as process:
        out, error = communicate(process)
    wrong = []
    if process.returncode != code:
        wrong.append(f"exits with {process.returncode}, not {code}")
    wrong += [f"does not say '{word}'" for word in words if word not in error]
    if name in NOT_BUILT and "built with pipeline" in error:
        wrong.append("builds the model first")
    if out:
        wrong.append(f"prints {out}")
    if output.exists() != (name in KEPT):
        wrong.append("left a profile" if output.exists() else "left no profile")
    wrong += scratch.leftovers(process.pid, before)
    if output.exists():
        wrong += check_profile(scratch.tool, output, name)
    return [f"{name}: {text}" for text in wrong] + ([error] if wrong else [])


def check_profile(tool, path, name):
    """What was measured before the end can be read."""
    read = subprocess.run(
        [tool, "report", str(path), "--format=csv", "--allow-unmatched"],
        capture_output=True, encoding="utf-8")
    if read.returncode:
        return ["its profile cannot be read: " + read.stderr]
    if name == "forever" and "scf.yield" not in read.stdout:
        return ["does not tell where it stayed: " + read.stdout]
    return []


def children(process):
    tasks = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return tasks.read_text().split()


def has_child(process):
    return bool(children(process))


def states(process):
    """The states of a tool and of its children: "T" for stopped."""
    found = []
    for pid in [process.pid, *children(process)]:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        found.append(stat.rsplit(")", 1)[1].split()[0])
    return found


def reaches(condition):
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return False


def pause(scratch):
    """SIGTSTP stops the tool and the model, and SIGCONT lets both go on."""
    path = scratch.root / "pause.mlir"
    output = scratch.root / "pause.mlprof"
    path.write_text(FOREVER)
    wrong = []
    # A group of its own in this session, as a shell makes it for a job.
    with subprocess.Popen(
            [scratch.tool, "record", str(path), "--seconds=100", "--no-peak",
             "-o", str(output)], encoding="utf-8", env=scratch.environment,
            preexec_fn=lambda: os.setpgid(0, 0),
            stderr=subprocess.PIPE) as process:
        if not reaches(lambda: has_child(process)):
            wrong.append("does not start")
        time.sleep(0.7)
        process.send_signal(signal.SIGTSTP)
        if not reaches(lambda: states(process) == ["T", "T"]):
            wrong.append(f"does not stop: {states(process)}")
        process.send_signal(signal.SIGCONT)
        if not reaches(lambda: "T" not in states(process)):
            wrong.append(f"does not go on: {states(process)}")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        error = communicate(process)[1]
    if not output.exists():
        wrong.append("left no profile")
    if "the run was stopped meanwhile" not in error:
        wrong.append("does not tell of the pause")
    return [f"pause: {text}" for text in wrong] + ([error] if wrong else [])


def daemon(scratch):
    """What a model starts ends with the run, also in a session of its own."""
    path = scratch.root / "daemon.mlir"
    mark = scratch.root / "daemon.pid"
    script = f"(setsid sh -c 'echo $$ > {mark}; exec sleep 1000' &)"
    code = "".join(f"\\{ord(letter):02X}" for letter in script + "\0")
    path.write_text(DAEMON.replace("COMMAND", code).replace(
        "LENGTH", str(len(script) + 1)))
    with scratch.start(str(path), "--entry=main", "--pipeline=naive",
                       "--iterations=1", "--warm-up=0", "--no-peak",
                       "--seconds=1", "-o", str(scratch.root / "daemon.mlprof"),
                       stderr=subprocess.PIPE) as process:
        error = communicate(process)[1]
    wrong = []
    if process.returncode != 0 or not mark.exists():
        wrong.append("did not run")
    else:
        process_folder = pathlib.Path(f"/proc/{mark.read_text().strip()}")
        if not reaches(lambda: not process_folder.exists()):
            wrong.append("left its daemon")
            os.kill(int(process_folder.name), signal.SIGKILL)
        mark.unlink()
    return [f"daemon: {text}" for text in wrong] + ([error] if wrong else [])


def interrupt(scratch, name, signals, text, options, words):
    """Signals in the middle keep what was measured, and all that is left is
    that."""
    path = scratch.root / f"{name}.mlir"
    output = scratch.root / f"{name}.mlprof"
    path.write_text(text)
    before = set(scratch.root.rglob("*"))
    with scratch.start(str(path), "--seconds=100", "--no-peak", *options,
                       "-o", str(output), stderr=subprocess.PIPE) as process:
        for _ in range(300):
            time.sleep(0.1)
            if has_child(process):
                break
        for number in signals:
            time.sleep(0.7)
            process.send_signal(number)
        error = communicate(process)[1]
    wrong = scratch.leftovers(process.pid, before)
    if process.returncode != 130:
        wrong.append(f"exits with {process.returncode}")
    wrong += [f"does not say '{word}'" for word in words if word not in error]
    if not output.exists():
        wrong.append("left no profile")
    else:
        wrong += check_profile(scratch.tool, output, name)
    return [f"{name}: {text}" for text in wrong] + ([error] if wrong else [])


def keep_old(scratch):
    """A file stays as it was when there is nothing to take its place."""
    path, output = scratch.root / "old.mlir", scratch.root / "old.mlprof"
    path.write_text(MISSING)
    output.write_text("what was there")
    before = set(scratch.root.rglob("*"))
    with scratch.start(str(path), "--iterations=2", "-o", str(output),
                       stderr=subprocess.PIPE) as process:
        error = communicate(process)[1]
    wrong = scratch.leftovers(process.pid, before)
    if process.returncode != 1:
        wrong.append(f"exits with {process.returncode}")
    if output.read_text() != "what was there":
        wrong.append("the old file has changed")
    return [f"old: {text}" for text in wrong] + ([error] if wrong else [])


def terminal(scratch):
    """A terminal is afterward as it was, whatever the model does to it."""
    path = scratch.root / "terminal.mlir"
    path.write_text(ABORT)
    master, slave = pty.openpty()
    state = termios.tcgetattr(slave)
    with scratch.start(str(path), "--mode=time", "--iterations=1", stdin=slave,
                       stdout=slave, stderr=slave) as process:
        process.wait(timeout=60)
    wrong = []
    if termios.tcgetattr(slave) != state:
        wrong.append("terminal: has changed")
    if process.returncode != 1:
        wrong.append(f"terminal: exits with {process.returncode}")
    os.close(slave)
    os.close(master)
    return wrong


def main():
    root = pathlib.Path(sys.argv[2])
    subprocess.run(["rm", "-rf", str(root)], check=True)
    scratch = Scratch(sys.argv[1], root)
    wrong = []
    for name, case in CASES.items():
        wrong += check(scratch, name, case)
    interrupted = ["did not finish: interrupted"]
    wrong += interrupt(scratch, "int", [signal.SIGINT], ADD, ["--shape=1=4"],
                       interrupted)
    wrong += interrupt(scratch, "term", [signal.SIGTERM], ADD,
                       ["--shape=1=4", "--threads=2"], interrupted)
    wrong += interrupt(scratch, "twice", [signal.SIGINT, signal.SIGINT],
                       FOREVER, [], interrupted)
    wrong += interrupt(scratch, "forked", [signal.SIGTERM], FORK_FOREVER, [],
                       interrupted)
    wrong += pause(scratch)
    wrong += daemon(scratch)
    wrong += keep_old(scratch)
    wrong += terminal(scratch)
    print("\n".join(wrong))
    print(f"{len(CASES) + 8} cases, {len(wrong)} complaints")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
