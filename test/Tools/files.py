#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the tool outputs that are inputs, are each other, or cannot be written.

usage: files.py TOOL SCRATCH [--no-memory-limit]
"""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

MODEL = """
func.func @main(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>)
    -> tensor<16x16xf32>
  %r = linalg.matmul ins(%x, %x : tensor<16x16xf32>, tensor<16x16xf32>)
    outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
"""
RECORD = ("record", "m.mlir", "--iterations=2", "--no-peak")
# Verbs that write text to standard output, or to -o.
READERS = {
    "report": ("report", "b.mlprof"),
    "graph": ("graph", "b.mlprof"),
    "export": ("export", "b.mlprof", "--format=csv"),
    "diff": ("diff", "b.mlprof", "b.mlprof"),
    "query": ("query", "b.mlprof", "SELECT count(*) FROM ops"),
    "advise": ("advise", "b.mlprof"),
    "annotate": ("annotate", "b.mlprof", "--level=input"),
    "audit": ("audit", "m.mlir"),
    "import": ("import", "b.mlprof", "--format=json"),
    "merge": ("merge", "b.mlprof", "--format=json"),
    "compact": ("compact", "b.mlprof", "--format=json"),
}
# What is refused with exit code 2.
REFUSED = (
    (*RECORD, "-o", "m.mlir"),
    (*RECORD, "-om.mlir"),
    (*RECORD, "-o=m.mlir"),
    (*RECORD, "-o", "s.mlprof", "--save-object=m.mlir"),
    (*RECORD, "-o", "s.mlprof", "--times", "m.mlir"),
    (*RECORD, "--input=a.npy", "-o", "a.npy"),
    (*RECORD, "--input=x=a.npy", "-o", "a.npy"),
    (*RECORD, "--compare=a.npy", "-o", "a.npy"),
    (*RECORD, "--pipeline=s.mlir", "-o", "s.mlir"),
    (*RECORD, "--load-pass-plugin=p.so", "-o", "p.so"),
    (*RECORD, "-o", "same", "--times=same"),
    (*RECORD, "-o", "same", "--times=./same"),
    (*RECORD, "-o", "same", "--save-object=folder/../same"),
    (*RECORD, "-o", "same", "--save-results=same"),
    (*RECORD, "-o", "-", "--format=json", "--times=-"),
    (*RECORD, "-o", "-", "--format=json", "--times=/dev/stdout"),
    # Results lie in the folder by the names that the model has for them.
    (*RECORD, "-o", "s.mlprof", "--save-results=.", "--input=result0.npy"),
    (*RECORD, "-o", "result0.npy", "--save-results=folder/.."),
    *((*command, "-o", "b.mlprof") for name, command in READERS.items()
      if name not in ("audit", "merge")),
    ("audit", "m.mlir", "-o", "m.mlir"),
    ("audit", "m.mlir", "--profile=b.mlprof", "-o", "b.mlprof"),
    ("annotate", "m.mlir", "--profile=b.mlprof", "-o", "b.mlprof"),
    ("annotate", "m.mlir", "--profile=b.mlprof", "-o", "m.mlir"),
    ("diff", "b.mlprof", "b.mlprof", "--model-a=m.mlir", "-o", "m.mlir"),
    ("report", "b.mlprof", "--model=m.mlir", "-o", "m.mlir"),
    ("report", "b.mlprof", "--onnx=a.npy", "-o", "a.npy"),
    ("report", "b.mlprof", "--objects=folder", "-o", "folder/lib.so"),
    ("import", "tables", "-o", "tables/kernel_details.csv"),
    ("deploy", "m.mlir", "-o", "m.mlir"),
    ("optimize", "m.mlir", "-o", "m.mlir"),
    ("optimize", "m.mlir", "-o", "o.mlir", "--receipts=o.mlir"),
    ("optimize", "m.mlir", "-o", "o.mlir", "--script=./o.mlir"),
    ("optimize", "m.mlir", "-o", "o.mlir", "--decisions=o.mlir"),
    ("optimize", "m.mlir", "-o", "o.mlir", "--decisions=m.mlir"),
    ("optimize", "m.mlir", "--profile=b.mlprof", "-o", "b.mlprof"),
    (*RECORD, "--decisions=d.json", "-o", "d.json"),
    # Names of one file.
    ("report", "b.mlprof", "-o", "./b.mlprof"),
    ("report", "b.mlprof", "-o", "{folder}/b.mlprof"),
    ("report", "b.mlprof", "-o", "soft"),
    ("report", "soft", "-o", "b.mlprof"),
    ("report", "b.mlprof", "-o", "hard"),
    ("report", "b.mlprof", "-o", "here/b.mlprof"),
    (*RECORD, "-o", "dangling", "--times=nothing"),
    # Standard input is read once; no name is no file.
    ("diff", "-", "-"),
    ("report", "-", "--model=/dev/stdin"),
    ("report", "b.mlprof", "-o="),
    ("report", "b.mlprof", "-o", ""),
    (*RECORD, "-o", "s.mlprof", "--times="),
)


class Tests:
    def __init__(self, tool, root):
        self.tool, self.root, self.wrong, self.count = tool, root, [], 0
        shutil.rmtree(root, ignore_errors=True)
        self.first = root / "first"
        self.first.mkdir(parents=True)
        (self.first / "m.mlir").write_text(MODEL)
        self.run(*RECORD, "--mode=instrument", "-o", "b.mlprof",
                 "--save-results=.", cwd=self.first)
        (self.first / "result0.npy").rename(self.first / "a.npy")

    def fail(self, what, result=None):
        self.wrong.append(what + (f"\n{result.returncode}: {result.stderr}"
                                  if result else ""))

    def fresh(self):
        folder = self.root / "now"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.first, folder)
        for name in ("folder", "tables"):
            (folder / name).mkdir()
        (folder / "folder" / "lib.so").write_bytes(b"\x7fELF" + bytes(60))
        (folder / "tables" / "kernel_details.csv").write_text("Name,Type\n")
        (folder / "s.mlir").write_text("module {}\n")
        (folder / "p.so").write_bytes(b"\x7fELF" + bytes(60))
        shutil.copy(folder / "a.npy", folder / "result0.npy")
        os.symlink("b.mlprof", folder / "soft")
        os.symlink("nothing", folder / "dangling")
        os.symlink(".", folder / "here")
        os.link(folder / "b.mlprof", folder / "hard")
        return folder

    def run(self, *arguments, cwd, **keywords):
        self.count += 1
        keywords = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                    "stderr": subprocess.PIPE, **keywords}
        return subprocess.run([self.tool, *arguments], cwd=cwd, timeout=120,
                              encoding="utf-8", errors="replace", **keywords)

    def refused(self, command):
        folder = self.fresh()
        command = [part.replace("{folder}", str(folder)) for part in command]
        before = snapshot(folder)
        result = self.run(*command, cwd=folder)
        if result.returncode != 2 or "error" not in result.stderr:
            self.fail(f"{command}: is not refused", result)
        if snapshot(folder) != before:
            self.fail(f"{command}: has changed files", result)

    def allowed(self, *command, code=0, **keywords):
        folder = keywords.pop("folder", None) or self.fresh()
        result = self.run(*command, cwd=folder, **keywords)
        if result.returncode != code:
            self.fail(f"{command}: is not {code}", result)
        return folder, result


def snapshot(folder):
    return {path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*") if path.is_file()}


def in_place(tests):
    """Where a file is meant to be changed, and what may be named twice."""
    # Nothing of a merged profile is lost.
    folder, _ = tests.allowed("merge", "b.mlprof", "b.mlprof", "-o",
                              "b.mlprof")
    tests.allowed("report", "b.mlprof", folder=folder)
    folder, _ = tests.allowed("annotate", "m.mlir", "--profile=b.mlprof", "-o",
                              "out.mlir")
    tests.allowed(*RECORD, "-o", "/dev/null", "--times=/dev/null",
                  "--save-object=/dev/null")
    # What record only reads is no output, whatever else reads it.
    _, result = tests.allowed(*RECORD, "--decisions=m.mlir", "-o", "r.mlprof",
                              code=1)
    if "written" in result.stderr:
        tests.fail("--decisions of record would be written", result)
    # A report beside objects, twice; a new file beside tables.
    for _ in range(2):
        tests.allowed("report", "b.mlprof", "--objects=folder", "-o",
                      "folder/report.txt", folder=folder)
    folder, _ = tests.allowed("report", "b.mlprof", "-o=out.txt")
    if not (folder / "out.txt").exists() or (folder / "=out.txt").exists():
        tests.fail("-o=out.txt writes another file")
    tests.allowed("report", "b.mlprof", "-o", "soft", code=2)
    # Standard output may be the input; then it is no other.
    folder = tests.fresh()
    before = snapshot(folder)
    with open(folder / "b.mlprof", "ab") as file:
        tests.allowed("report", "b.mlprof", folder=folder, stdout=file, code=2)
    if snapshot(folder) != before:
        tests.fail("standard output is written over the input")


def close(*descriptors):
    def act():
        for descriptor in descriptors:
            os.close(descriptor)
    return act


def limit_files(size):
    def act():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    return act


def unwritable(tests):
    """No verb ends with 0 when standard output takes nothing."""
    folder = tests.fresh()
    for name, command in {**READERS, "info": ("info",), "help": ("--help",),
                          "record": (*RECORD, "-o", "-", "--format=json"),
                          "optimize": ("optimize", "m.mlir", "--budget=0",
                                       "-o", "-")
                          }.items():
        before = snapshot(folder)
        with open("/dev/full", "w") as full:
            _, result = tests.allowed(*command, folder=folder, stdout=full,
                                      code=1)
        if "standard output: cannot be written: No space" not in result.stderr:
            tests.fail(f"{name}: does not say that the disk is full", result)
        _, result = tests.allowed(*command, folder=folder, code=1,
                                  preexec_fn=close(1))
        if "standard output: cannot be written: Bad file" not in result.stderr:
            tests.fail(f"{name}: does not say that it is closed", result)
        read, write = os.pipe()
        os.close(read)
        tests.allowed(*command, folder=folder, stdout=write, code=1)
        os.close(write)
        if snapshot(folder) != before:
            tests.fail(f"{name}: has changed files")


def closed(tests):
    """With any of the standard streams closed, files hold what they should."""
    folder = tests.fresh()
    expected, _ = tests.allowed("report", "b.mlprof", "-o", "text")
    text = (expected / "text").read_text()
    for descriptors in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        for mode in ("sample", "instrument"):
            shutil.rmtree(folder / "res", ignore_errors=True)
            _, result = tests.allowed(
                *RECORD, f"--mode={mode}", "-o", "c.mlprof", "--times=t.json",
                "--save-object=o.o", "--save-results=res", folder=folder,
                preexec_fn=close(*descriptors))
            saved = folder / "res" / "result0.npy"
            size = saved.stat().st_size if saved.exists() else 0
            # 128 bytes of header and 256 floats.
            if size != 128 + 4 * 256 or "damaged" in result.stderr:
                tests.fail(f"{descriptors}: results of {size} bytes", result)
            tests.allowed("report", "c.mlprof", "--allow-unmatched",
                          folder=folder)
        tests.allowed("report", "b.mlprof", "-o", "text", folder=folder,
                      preexec_fn=close(*descriptors))
        if (folder / "text").read_text() != text:
            tests.fail(f"{descriptors}: another report")
    _, result = tests.allowed("report", "-", preexec_fn=close(0), code=1)
    if "-: cannot be read" not in result.stderr:
        tests.fail("a closed standard input", result)
    # Messages that nobody can take are no failure; their reader may go.
    with open("/dev/full", "w") as full:
        tests.allowed(*RECORD, "-o", "c.mlprof", folder=folder, stderr=full)
    read, write = os.pipe()
    os.close(read)
    tests.allowed(*RECORD, "-o", "d.mlprof", folder=folder, stderr=write)
    os.close(write)
    if not (folder / "d.mlprof").exists():
        tests.fail("no profile where the reader of messages had gone")


def limited(tests):
    """A limit on files (ulimit -f), as a disk that is full."""
    folder = tests.fresh()
    for command in (("report", "b.mlprof", "-o", "new"),
                    ("import", "b.mlprof", "-o", "new"),
                    ("export", "b.mlprof", "--format=csv", "-o", "new")):
        before = snapshot(folder)
        _, result = tests.allowed(*command, folder=folder, code=1,
                                  preexec_fn=limit_files(0))
        if "new: cannot be written: File too large" not in result.stderr or \
                "PLEASE" in result.stderr:
            tests.fail(f"{command}: says something else", result)
        if snapshot(folder) != before:
            tests.fail(f"{command}: has left files")
    # The model's process hands things over in files, too.
    for size in (0, 1 << 10):
        _, result = tests.allowed(*RECORD, "-o", "new", folder=folder, code=1,
                                  preexec_fn=limit_files(size))
        if "File too large" not in result.stderr or "PLEASE" in result.stderr:
            tests.fail(f"record with files of {size} bytes", result)


def mapped(process, path):
    """Whether the process has mapped the file."""
    try:
        return str(path) in pathlib.Path(f"/proc/{process.pid}/maps").read_text()
    except OSError:
        return False


def stop_while_mapped(process, path):
    """Stops the process while it has mapped the file; whether that was in
    time."""
    while process.poll() is None and not mapped(process, path):
        pass
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGSTOP)
    stat = pathlib.Path(f"/proc/{process.pid}/stat")
    while stat.read_text().rsplit(")", 1)[1].split()[0] not in "TZ":
        pass
    return mapped(process, path)


def shrink_once(tests, folder, path, content, size, command):
    """The error of a tool whose input is cut to `size` while it has mapped it;
    None when it was faster."""
    path.write_bytes(content)
    with subprocess.Popen([tests.tool, *command], cwd=folder,
                          stderr=subprocess.PIPE, encoding="utf-8") as process:
        is_stopped = stop_while_mapped(process, path)
        if is_stopped:
            os.truncate(path, size)
        process.send_signal(signal.SIGCONT)
        error = process.communicate(timeout=120)[1]
    return (process.returncode, error) if is_stopped else None


def shrinks(tests):
    """Inputs that become shorter while they are read."""
    folder = tests.fresh()
    event = b'{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},\n'
    header = (b"{'descr': '<f4', 'fortran_order': False, "
              b"'shape': (4096, 4096), }").ljust(117) + b"\n"
    cases = {
        "trace.json": (b'{"traceEvents":[' + event * 1000000 + b"{}]}",
                       ("import", "trace.json", "-o", "new")),
        "large.npy": (b"\x93NUMPY\1\0" + bytes([118, 0]) + header +
                      bytes(4 * 4096 * 4096),
                      ("record", "large.mlir", "--input=large.npy", "-o",
                       "new")),
        "module.mlir": ((b"//" + b"x" * 97 + b"\n") * 400000 + MODEL.encode(),
                        ("audit", "module.mlir", "-o", "new")),
    }
    (folder / "large.mlir").write_text(
        "func.func @main(%x: memref<4096x4096xf32>) { return }")
    for name, (content, command) in cases.items():
        path = folder / name
        for size in (4096, 5000, 0):
            path.write_bytes(b"")
            before = snapshot(folder)
            result = None
            while not result:
                result = shrink_once(tests, folder, path, content, size,
                                     command)
                if not result:
                    (folder / "new").unlink(missing_ok=True)
            if result[0] != 1 or \
                    f"{name}: changed while it was read" not in result[1]:
                tests.fail(f"{name} cut to {size}: {result}")
            path.write_bytes(b"")
            if snapshot(folder) != before:
                tests.fail(f"{name} cut to {size}: has left files")
        path.unlink()


def quits(tests):
    """SIGQUIT and a limit on processor time are errors and no crashes; a file that
    is being written does not have a name yet, so that nothing is left of it."""
    folder = tests.fresh()
    model = ("record", "m.mlir", "--seconds=60", "--no-peak", "-o", "new")
    for number in (signal.SIGQUIT, signal.SIGKILL):
        before = snapshot(folder)
        with subprocess.Popen([tests.tool, *model], cwd=folder,
                              stderr=subprocess.PIPE, encoding="utf-8"
                              ) as process:
            # The model runs from then on.
            said = process.stderr.readline()
            time.sleep(0.2)
            process.send_signal(number)
            said += process.communicate(timeout=60)[1]
        quit = number == signal.SIGQUIT
        if process.returncode != (1 if quit else -number) or "PLEASE" in said \
                or quit and "mlir-prof: error: ended by SIGQUIT" not in said:
            tests.fail(f"{number}: {process.returncode}: {said}")
        if snapshot(folder) != before:
            tests.fail(f"{number}: has left files")

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (1, 9))
    with open(folder / "trace.json", "wb") as file:
        file.write(b'{"traceEvents":[' + b'{"ph":"X","name":"a","pid":1,"tid":1'
                   b',"ts":1,"dur":1},\n' * 6000000 + b"{}]}")
    _, result = tests.allowed("import", "trace.json", "-o", "new",
                              folder=folder, code=1, preexec_fn=limit)
    if "processor time is used up" not in result.stderr:
        tests.fail("a limit on processor time", result)


def names(tests):
    """What is in the name of a file does not steer the terminal."""
    folder = tests.fresh()
    name = "x\x1b]0;title\x07\x9b\nmlir-prof: note: a lie"
    escaped = "x\\u{1b}]0;title\\u{7}"
    (folder / name).write_text("func.func @main(")
    for command in (("report", name), ("report", name + "none"),
                    ("record", name, "-o", "p.mlprof"), ("audit", name),
                    ("record", "m.mlir", "--mode=time", "--iterations=1",
                     "--input=" + name),
                    ("export", "b.mlprof", "--format=" + name),
                    ("import", name, "-o", "p.mlprof"),
                    ("report", "b.mlprof", "-o", "none/" + name),
                    ("query", "b.mlprof", "SELECT '" + name)):
        _, result = tests.allowed(*command, folder=folder,
                                  code=2 if command[0] == "export" else 1)
        bad = [c for c in result.stderr if c < " " and c != "\n" or
               "\x7f" <= c < "\xa0"]
        if bad or escaped not in result.stderr:
            tests.fail(f"{command}: {bad}", result)
    (folder / name).write_text(MODEL)
    _, result = tests.allowed("record", name, "--iterations=2", "--no-peak",
                              "--mode=instrument", "-o", name + ".mlprof",
                              "--pipeline=" + name, folder=folder, code=1)
    tests.allowed("record", name, "--iterations=2", "--no-peak",
                  "--mode=instrument", "-o", "p.mlprof", folder=folder)
    _, imported = tests.allowed("import", "p.mlprof", "-o", name + ".mlprof",
                                folder=folder)
    for result in (result, imported):
        if "\x1b" in result.stderr or "\nmlir-prof: note: a lie" in result.stderr:
            tests.fail("a name steers the terminal", result)


def addresses(tests):
    """With little address space (ulimit -v) verbs do what they should, or say
    why not."""
    folder = tests.fresh()
    for mebibytes in range(300, 1500, 100):
        def limit(size=mebibytes << 20):
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        for command in (("report", "b.mlprof"), ("audit", "m.mlir"),
                        (*RECORD, "-o", "p.mlprof"),
                        (*RECORD, "--threads=2", "-o", "p.mlprof")):
            result = tests.run(*command, cwd=folder, preexec_fn=limit)
            # 127: the loader finds no room for LLVM.
            if result.returncode not in (0, 1, 127) or \
                    "LLVM ERROR" in result.stderr or \
                    "PLEASE" in result.stderr or \
                    (result.returncode == 1 and
                     "mlir-prof: error: " not in result.stderr):
                tests.fail(f"{command} with {mebibytes} MiB", result)


def main():
    tests = Tests(sys.argv[1], pathlib.Path(sys.argv[2]).resolve())
    for command in REFUSED:
        tests.refused(command)
    groups = [in_place, unwritable, closed, limited, shrinks, quits, names]
    # Sanitizers reserve terabytes of addresses.
    if "--no-memory-limit" not in sys.argv:
        groups.append(addresses)
    for group in groups:
        group(tests)
    print("\n".join(tests.wrong))
    print(f"{tests.count} runs, {len(tests.wrong)} complaints")
    sys.exit(bool(tests.wrong))


if __name__ == "__main__":
    main()
