#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bytes of packages for five machines, next to those of IREE for the same module.

usage: sizes.py MODEL.mlir... [--tool BIN/mlir-prof] [--iree BIN] [--targets NAME,...]
                [--output FOLDER]

MODEL.mlir is TOSA, also compressed (.gz). --iree is the folder of iree-compile. Writes
FOLDER/sizes.json, sizes.md and sizes.svg, a picture with a logarithmic scale. Each number
is of a whole file; `without constants` leaves out the bytes of the package's constants,
which are the model's weights for all. A mode that the machine does not have is missing,
one that fails says why on standard error.

IREE's modes are those of its users: a library of the system with debug information and
without, its portable ELF, and an object with a module that calls it. Its files contain
the program of its virtual machine; its runtime, and ours, are not part of any number.
"""

import argparse
import gzip
import json
import math
import pathlib
import subprocess
import sys
import tempfile

#: By our names: IREE's options for the machine, and whether it has a system.
TARGETS = {
    "x86-64": (["--iree-llvmcpu-target-triple=x86_64-unknown-linux-gnu",
                "--iree-llvmcpu-target-cpu=x86-64-v3"], True),
    "aarch64": (["--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu",
                 "--iree-llvmcpu-target-cpu=cortex-a53"], True),
    "rv64gc": (["--iree-llvmcpu-target-triple=riscv64-unknown-linux-gnu",
                "--iree-llvmcpu-target-cpu=generic-rv64",
                "--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c",
                "--iree-llvmcpu-target-abi=lp64d"], True),
    "cortex-m4": (["--iree-llvmcpu-target-triple=thumbv7em-unknown-unknown-eabi",
                   "--iree-llvmcpu-target-cpu=cortex-m4",
                   "--iree-llvmcpu-target-float-abi=hard"], False),
    "rv32imac": (["--iree-llvmcpu-target-triple=riscv32-unknown-elf",
                  "--iree-llvmcpu-target-cpu=generic-rv32",
                  "--iree-llvmcpu-target-cpu-features=+m,+a,+c",
                  "--iree-llvmcpu-target-abi=ilp32"], False),
}
COMMON = ["--iree-input-type=tosa", "--iree-hal-target-device=local",
          "--iree-hal-local-target-device-backends=llvm-cpu",
          "--iree-opt-level=O2", "--iree-vm-bytecode-module-strip-source-map=true"]
#: IREE's modes: their options, and whether they need a system.
MODES = {
    "IREE dynamic, debug": (["--iree-llvmcpu-link-embedded=false",
                             "--iree-llvmcpu-debug-symbols=true"], True),
    "IREE dynamic": (["--iree-llvmcpu-link-embedded=false",
                      "--iree-llvmcpu-debug-symbols=false"], True),
    "IREE embedded": (["--iree-llvmcpu-link-embedded=true",
                       "--iree-llvmcpu-debug-symbols=false"], False),
    "IREE static": (["--iree-llvmcpu-link-embedded=false",
                     "--iree-llvmcpu-debug-symbols=false",
                     "--iree-llvmcpu-link-static"], False),
}
#: Ours: the container, and the options for it.
CONTAINERS = {"dynamic": True, "embedded": False, "static": False}


def run(command):
    """The standard output of a command, or an error that says why there is none."""
    done = subprocess.run([str(word) for word in command], capture_output=True,
                          encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()[:300]}")
    return done.stdout


def measure_object(path):
    """The bytes of an object's sections that a program takes."""
    listed = json.loads(run(["/usr/lib/llvm-22/bin/llvm-readelf", "--sections",
                             "--elf-output-style=JSON", path]))
    sections = [entry["Section"] for file in listed for entry in file["Sections"]]
    return sum(section["Size"] for section in sections
               if section["Flags"]["Value"] & 2 and section["Type"]["Name"] != "SHT_NOBITS")


def deploy(tool, model, target, folder):
    """Our rows, and the bytes of constants."""
    names = [name for name, needs_system in CONTAINERS.items()
             if TARGETS[target][1] or not needs_system]
    text = run([tool, "deploy", model, f"--target={target}",
                f"--container={','.join(names)}", "--table=json", "-o", folder])
    rows = json.loads(text)
    rows = rows["rows"] if isinstance(rows, dict) else rows
    found = {row["container"]: row for row in rows}
    constants = found["static"]["constant_bytes"]
    bytes_of = {name: found[name]["file_bytes"] for name in names if name != "static"}
    # An archive's own tables do not reach a program.
    static = found["static"]
    bytes_of["static"] = sum(static[f"{kind}_bytes"]
                             for kind in ("code", "constant", "variable"))
    return bytes_of, constants


def write_generic(model, path):
    """The module with the generic form of its ops, which differs less by version."""
    path.write_text(run(["/usr/lib/llvm-22/bin/mlir-opt", "--mlir-print-op-generic", model]),
                    encoding="utf-8")
    return path


def compile_iree(compiler, model, target, mode, folder):
    """The bytes of a module, and of the object that it calls."""
    module, archive = folder / "module.vmfb", folder / "static.o"
    options, _ = MODES[mode]
    is_static = mode == "IREE static"
    if is_static:
        options = [*options, f"--iree-llvmcpu-static-library-output-path={archive}"]
    elif "link-embedded=false" in options[0]:
        options = [*options, "--iree-llvmcpu-system-linker-path="
                   "/usr/lib/llvm-22/bin/ld.lld"]
    run([compiler, *COMMON, *TARGETS[target][0], *options, model, "-o", module])
    return module.stat().st_size + (measure_object(archive) if is_static else 0)


def measure(arguments, model, target):
    """One row per mode."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        plain = scratch / "model.mlir"
        plain.write_bytes(gzip.open(model).read() if model.suffix == ".gz"
                          else model.read_bytes())
        bytes_of, constants = deploy(arguments.tool, plain, target, scratch / "package")
        generic = write_generic(plain, scratch / "generic.mlir")
        for mode, (_, needs_system) in MODES.items():
            if not arguments.iree or (needs_system and not TARGETS[target][1]):
                continue
            try:
                bytes_of[mode] = compile_iree(arguments.iree / "iree-compile", generic,
                                              target, mode, scratch)
            except RuntimeError as error:
                print(f"{model.name}, {target}, {mode}: {error}", file=sys.stderr)
    return [{"model": model.name.split(".")[0], "target": target, "mode": mode,
             "bytes": size, "without_constants": size - constants}
            for mode, size in bytes_of.items()]


def write_table(rows, path):
    """A table of Markdown: a line for each model and machine."""
    modes = [*CONTAINERS, *MODES]
    lines = ["| model | target | " + " | ".join(modes) + " |",
             "|---|---|" + "---:|" * len(modes)]
    found = {(row["model"], row["target"], row["mode"]): row for row in rows}
    for model, target in dict.fromkeys((row["model"], row["target"]) for row in rows):
        cells = []
        for mode in modes:
            row = found.get((model, target, mode))
            cells.append(f"{row['bytes']:,} ({row['without_constants']:,})" if row else "")
        lines.append(f"| {model} | {target} | " + " | ".join(cells) + " |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_picture(rows, path):
    """Bars of all rows, grouped by machine, on a logarithmic scale."""
    left, width, line = 330, 560, 16
    sizes = [row["bytes"] for row in rows]
    steps = [digit * 10**power for power in range(2, 10) for digit in (1, 2, 5)]
    low = max((step for step in steps if step <= min(sizes)), default=steps[0])
    high = min((step for step in steps if step > max(sizes)), default=steps[-1])

    def place(size):
        return left + width * math.log(max(size, low) / low) / math.log(high / low)
    height = line * (len(rows) + 3)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 110}" '
             f'height="{height}" font-family="sans-serif" font-size="11">',
             "<title>Bytes of packages, on a logarithmic scale</title>"]
    for step in (step for step in steps if low <= step <= high):
        x = place(step)
        parts.append(f'<line x1="{x:.0f}" y1="{line}" x2="{x:.0f}" y2="{height - line}" '
                     'stroke="#ccc"/>'
                     f'<text x="{x:.0f}" y="{line - 4}" text-anchor="middle">'
                     f"{step:,} B</text>")
    for number, row in enumerate(rows):
        y = line * (number + 1.5)
        color = "#d9822b" if row["mode"].startswith("IREE") else "#2b6cb0"
        label = f"{row['model']}, {row['target']}, {row['mode']}"
        end = place(row["bytes"])
        parts.append(f'<text x="{left - 6}" y="{y + 10:.0f}" text-anchor="end">{label}</text>'
                     f'<rect x="{left}" y="{y:.0f}" width="{end - left:.1f}" '
                     f'height="{line - 4}" fill="{color}"/>'
                     f'<text x="{end + 4:.0f}" y="{y + 10:.0f}">{row["bytes"]:,}</text>')
    parts.append("</svg>")
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")


def main():
    """See the top of this file."""
    parser = argparse.ArgumentParser(
        usage=argparse.SUPPRESS, description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--iree", type=pathlib.Path)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--output", default="sizes", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    rows = []
    for model in arguments.models:
        for target in arguments.targets.split(","):
            rows += measure(arguments, model, target)
            write_table(rows, arguments.output / "sizes.md")
            print((arguments.output / "sizes.md").read_text().splitlines()[-1], flush=True)
    write_picture(rows, arguments.output / "sizes.svg")
    (arguments.output / "sizes.json").write_text(json.dumps(rows, indent=1) + "\n",
                                                 encoding="utf-8")


if __name__ == "__main__":
    main()
