#!/usr/bin/env python3
"""Samples of perf in an object that was built here, in the ways perf shows them.

usage: perf_lines.py FOLDER build MODEL
       perf_lines.py FOLDER damage
       perf_lines.py FOLDER check PROFILE.json SAMPLES

`build` compiles the module MODEL to FOLDER/model.so with LLVM's own tools, and
writes perf-script texts with a sample at every third byte of its code: by
symbol (symbol.txt), by mappings (mapped.txt), with mappings and no names
(bare.txt), with mappings of another build (changed.txt), with these and the
offset in the file (offset.txt), called from it (called.txt), in the kernel after
an exception or an interrupt (faulted.txt) and in a system call (entered.txt), and
in a signal handler (signal.txt); and the same code as if it were made at run time,
with a dump and a map (jit.txt, called-jit.txt, jit-77.dump; map.txt, perf-78.map). `damage` moves model.so to
FOLDER/damaged, with a section larger than the file. `check` compares what was
imported with llvm-symbolizer's lines, and prints how many samples these are.
"""

import collections
import json
import pathlib
import re
import struct
import subprocess
import sys

BASE = 0x7F00_1234_5000
PERIOD = 1000
# The outermost frames of the kernel, of several releases and architectures.
KERNEL = "[kernel.kallsyms]"
EXCEPTIONS = [
    ("asm_exc_page_fault", KERNEL), ("asm_exc_alignment_check", KERNEL),
    ("asm_sysvec_apic_timer_interrupt", KERNEL), ("asm_common_interrupt", KERNEL),
    ("page_fault", KERNEL), ("async_page_fault", KERNEL), ("error_entry", KERNEL),
    ("apic_timer_interrupt", KERNEL), ("el0_sync", KERNEL), ("el0_irq", KERNEL),
    ("el0t_64_sync", KERNEL), ("el0t_64_irq", KERNEL), ("handle_exception", KERNEL),
    ("ret_from_exception", KERNEL), ("[unknown]", KERNEL), ("[unknown]", "[unknown]"),
    ("do_page_fault", "/usr/lib/debug/boot/vmlinux-6.1.0"), ("isr", "[nvidia]"),
    ("isr", "/usr/lib/modules/6.1.0/kernel/net/driver.ko.xz")]
SYSTEM_CALLS = [
    "entry_SYSCALL_64_after_hwframe", "entry_SYSENTER_compat_after_hwframe",
    "entry_INT80_compat", "asm_int80_emulation", "system_call_fastpath",
    "ret_from_sys_call", "el0_svc", "do_trap_ecall_u", "ret_from_fork_asm",
    "system_call_exception", "__do_syscall", "vector_swi"]
SIGNALS = ["__restore_rt (/usr/lib/libc.so.6)", "__kernel_rt_sigreturn ([vdso])"]


def run(*command, **options):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, **options
    ).stdout


def compile_model(folder, model, *options):
    lowered, code = folder / "lowered.mlir", folder / "model.ll"
    run("mlir-opt", model, "--convert-scf-to-cf", "--convert-to-llvm",
        "--reconcile-unrealized-casts", "--ensure-debug-info-scope-on-llvm-func",
        "--mlir-print-debuginfo", "-o", lowered)
    run("mlir-translate", "--mlir-to-llvmir", lowered, "-o", code)
    run("clang-22", "-O2", "-fPIC", "-shared", "-nostdlib", "-Wl,--build-id=sha1",
        "-Wno-override-module", *options, code, "-o", folder / "model.so")


def text_segment(path):
    """(file offset, address, size) of the executable segment."""
    for line in run("llvm-readelf", "-lW", path).splitlines():
        words = line.split()
        if words and words[0] == "LOAD" and "E" in words[6:-1]:
            return int(words[1], 16), int(words[2], 16), int(words[4], 16)
    raise SystemExit("no segment with code")


def functions(path):
    """(name, address, size)"""
    found = []
    for line in run("llvm-nm", "-S", "--defined-only", path).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tT":
            found.append((words[3], int(words[0], 16), int(words[1], 16)))
    return found


def sample(frames, process="77"):
    lines = [f"model {process} 1.000001:  {PERIOD} cpu-clock: \n"]
    return "".join(lines + [f"\t{frame}\n" for frame in frames]) + "\n"


def mapping(path, offset, size, tail):
    return (f"model 77 1.000000: PERF_RECORD_MMAP2 77/77: [{BASE + offset:#x}"
            f"({size:#x}) @ {offset:#x} {tail}]: r-xp {path}\n")


def write_dump(folder, path, places):
    """A dump of Linux's jitdump format, with the lines of the functions."""
    data = struct.pack("=IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 77, 0, 0)

    def record(kind, body):
        return struct.pack("=IIQ", kind, 16 + len(body), 0) + body

    for name, address, size in functions(path):
        lines = b"".join(
            struct.pack("=QII", BASE + place, line, 0) + file.encode() + b"\0"
            for place, (file, line) in places.items()
            if address <= place < address + size)
        count = sum(address <= place < address + size for place in places)
        data += record(2, struct.pack("=QQ", BASE + address, count) + lines)
        body = struct.pack("=IIQQQQ", 77, 77, BASE + address, BASE + address,
                           size, 0)
        data += record(0, body + name.encode() + b"\0" + b"\x90" * size)
    (folder / "jit-77.dump").write_bytes(data)


def build(folder, model):
    compile_model(folder, model)
    path = folder / "model.so"
    offset, address, size = text_segment(path)
    identity = re.search(r"Build ID: (\w+)", run("llvm-readelf", "-n", path))[1]
    texts = collections.defaultdict(str)
    page = offset & ~0xFFF
    end = offset + size - page
    texts["mapped"] += mapping(path, page, end, f"<{identity}>")
    texts["bare"] += mapping(path, page, end, "fe:00 12 34")
    for kind in ("changed", "offset"):
        texts[kind] += mapping(path, page, end, "<" + "ab" * 20 + ">")
    addresses, places = [], {}
    for name, begin, length in functions(path):
        for at in range(begin, begin + length, 3):
            addresses.append(at)
            ip = f"{BASE + at - address + offset:x}"
            texts["symbol"] += sample([f"{ip} {name}+{at - begin:#x} ({path})"])
            texts["mapped"] += sample([f"{ip} [unknown] ({path})"])
            texts["changed"] += sample([f"{ip} {name}+{at - begin:#x} ({path})"])
            texts["offset"] += sample(
                [f"{ip} [unknown] ({path}+{at - address + offset:#x})"])
            texts["bare"] += sample([ip])
            caller = f"{BASE + at + 1 - address + offset:x}"
            texts["called"] += sample(
                ["7f0000001000 exp+0x10 (/nowhere/libm.so)",
                 f"{caller} {name}+{at + 1 - begin:#x} ({path})"])
            number = len(addresses)
            entry, kernel = EXCEPTIONS[number % len(EXCEPTIONS)]
            texts["faulted"] += sample(
                [f"ffffffff815eb576 handle+0xd6 ({kernel})",
                 f"ffffffff81000c82 {entry}+0x22 ({kernel})",
                 f"{ip} callee (inlined)",
                 f"{ip} {name}+{at - begin:#x} ({path})"])
            texts["entered"] += sample(
                [f"ffffffff815eb576 asm_exc_page_fault+0xd6 ({KERNEL})",
                 f"ffff800008012345 {SYSTEM_CALLS[number % len(SYSTEM_CALLS)]}"
                 f"+0x76 ({KERNEL})",
                 f"ffff800008012346 el0t_64_sync+0x76 ({KERNEL})",
                 f"{caller} {name}+{at + 1 - begin:#x} ({path})"])
            texts["signal"] += sample(
                ["7f0000001000 on_alarm+0x10 (/nowhere/program)",
                 f"7f0000002000 {SIGNALS[number % len(SIGNALS)]}",
                 f"{ip} {name}+{at - begin:#x} ({path})"])
            texts["jit"] += sample([f"{BASE + at:x} [unknown] (//anon)"])
            texts["called-jit"] += sample(
                ["7f0000001000 exp+0x10 (/nowhere/libm.so)",
                 f"{BASE + at + 1:x} [unknown] (//anon)"])
            texts["map"] += sample(
                [f"{BASE + at:x} [unknown] (/tmp/perf-78.map)"], "78")
    (folder / "addresses.json").write_text(json.dumps(addresses))
    for place, chain in symbolize(folder).items():
        if chain:
            places[place] = (chain[0][0], chain[0][1])
        else:
            places[place] = ("?", 0)
    write_dump(folder, path, places)
    (folder / "perf-78.map").write_text("".join(
        f"{BASE + begin:x} {length:x} {name}: linalg.matmul fc/{name}\n"
        for name, begin, length in functions(path)))
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)


def symbolize(folder):
    """Chains of (file, line, column, function), the innermost first."""
    addresses = json.loads((folder / "addresses.json").read_text())
    found = json.loads(run(
        "llvm-symbolizer", "--output-style=JSON", "--inlines",
        "--no-demangle", f"--obj={folder / 'model.so'}",
        input="\n".join(map(hex, addresses))
    ).replace("\n", ",").rstrip(",").join("[]"))
    return {
        at: [(s["FileName"], s["Line"], s["Column"], s["FunctionName"])
             for s in entry["Symbol"] if s["Line"]]
        for at, entry in zip(addresses, found)
    }


def damage(folder):
    data = bytearray((folder / "model.so").read_bytes())
    (folder / "model.so").unlink()
    table = struct.unpack_from("<Q", data, 40)[0]
    # sh_size of the third section of 64 bytes.
    struct.pack_into("<Q", data, table + 3 * 64 + 32, 1 << 40)
    (folder / "damaged").mkdir()
    (folder / "damaged" / "model.so").write_bytes(data)


def frame(file, line, column, function):
    return f"{file}({line}{f':{column}' if column else ''}): {function}"


def check(folder, profile, kind):
    expected = collections.Counter()
    for chain in symbolize(folder).values():
        if kind == "jit":
            chain = [(chain[0][0], chain[0][1], 0, "")] if chain else []
        expected[tuple(frame(*part) for part in reversed(chain))] += 1
    missing = expected.pop((), 0)
    data = json.loads(pathlib.Path(profile).read_text())
    got = collections.Counter()
    for op in data["runs"][0]["ops"]:
        key = data["opKeys"][op.get("op", 0)]
        frames = key.get("frames")
        samples = next(m for m in op["measurements"]
                       if m.get("quantity") == "SAMPLES")["summary"]
        if frames:
            got[tuple(frames)] += int(samples["sum"])
    if got != expected:
        raise SystemExit(f"{profile}: {got - expected} more, {expected - got} less")
    deepest = max(map(len, expected))
    print(f"{profile}: {sum(expected.values())} samples on {len(expected)} lines"
          f" as llvm-symbolizer has them, {missing} without; depth {deepest}")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2] == "build":
        build(folder, sys.argv[3])
    elif sys.argv[2] == "damage":
        damage(folder)
    else:
        check(folder, sys.argv[3], sys.argv[4])


if __name__ == "__main__":
    main()
