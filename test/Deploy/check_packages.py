#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages models for all targets, and reads the packages by LLVM's tools.

usage: check_packages.py MLIR_PROF LLVM_TOOLS DOCUMENT MODELS FOLDER

MODELS is what make_models.py wrote. The symbols that packages may need are those of
DOCUMENT, in code spans under the heading "Symbols that it needs". Prints what is wrong,
and exits with 1 then.
"""

import fnmatch
import json
import pathlib
import re
import shutil
import subprocess
import sys

SECTION = re.compile(r"^\s*\[\s*\d+\] (\S*)\s+([A-Z_][\w()+]*)\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) "
                     r"[0-9a-f]+ +([WAXMSILOGTCxopE]*) ", re.MULTILINE)
TARGETS = ["x86-64", "aarch64", "rv64gc", "cortex-m4", "cortex-m33", "rv32imac", "rv64imac"]
FLAGS = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-fsyntax-only"]


class Checker:
    """Counts what is checked, and says what is wrong."""

    def __init__(self, tool, tools, folder):
        self.tool, self.tools, self.folder = tool, tools, folder
        self.count, self.failures = 0, 0

    def expect(self, holds, text):
        self.count += 1
        if not holds:
            self.failures += 1
            print(text)

    def llvm(self, name, *arguments, status=0):
        """The output of a tool of LLVM."""
        done = subprocess.run([self.tools / name, *arguments], capture_output=True, text=True,
                              check=False)
        self.expect((done.returncode == 0) == (status == 0),
                    f"{name} {' '.join(map(str, arguments))}: exit {done.returncode}\n"
                    f"{done.stderr[:800]}")
        return done.stdout + done.stderr

    def deploy(self, model, name, *options):
        """The folder of a new package."""
        folder = self.folder / name
        subprocess.run([self.tool, "deploy", model, *options, "-o", folder], check=True,
                       stdout=subprocess.DEVNULL)
        return folder


def read_sections(check, archive):
    """(name, type, bytes, flags) of all sections of an archive."""
    text = check.llvm("llvm-readelf", "-SW", archive)
    return [(name, kind, int(size, 16), flags) for name, kind, size, flags in
            SECTION.findall(text)]


def check_sizes(check, package):
    """sizes.json has the sums of readelf's figures."""
    code = constants = variables = 0
    for _, kind, size, flags in read_sections(check, package / "model.a"):
        if "A" not in flags or kind == "NOTE":
            continue
        if "X" in flags:
            code += size
        elif "W" in flags:
            variables += size
        else:
            constants += size
    sizes = json.loads((package / "sizes.json").read_text(encoding="utf-8"))
    told = tuple(sizes[f"{name}_bytes"] for name in ("code", "constant", "variable"))
    check.expect(told == (code, constants, variables),
                 f"{package}: sizes {told}, readelf {code, constants, variables}")
    check.expect(code > 0 and variables == 0, f"{package}: {code} bytes of code, "
                 f"{variables} of variables")
    for key in ("code_bytes", "constant_bytes", "variable_bytes"):
        check.expect(sum(part[key] for part in sizes["objects"]) == sizes[key],
                     f"{package}: {key} of objects do not add up")


def check_symbols(check, package, allowed):
    """The package defines its function, and needs documented symbols only."""
    table = check.llvm("llvm-nm", "--format=posix", package / "model.a")
    needed, defined = set(), set()
    for line in table.splitlines():
        parts = line.split()
        if len(parts) >= 2:
            (needed if parts[1] in "Uw" else defined).add(parts[0])
    check.expect("model" in defined, f"{package}: does not define model")
    for name in sorted(needed - defined):
        check.expect(any(fnmatch.fnmatchcase(name, pattern) for pattern in allowed),
                     f"{package}: needs {name}")


def check_sections(check, package):
    """A linker can drop each function and constant alone."""
    for name, _, size, flags in read_sections(check, package / "model.a"):
        if "X" in flags and size:
            check.expect(name.startswith(".text."), f"{package}: code in {name}")
    text = check.llvm("llvm-readelf", "-sW", package / "model.a")
    for part in text.split("\nFile: "):
        places = re.findall(r" FUNC +\w+ +\w+ +(\d+) ", part)
        check.expect(len(places) == len(set(places)), f"{package}: functions share sections")


def check_header(check, package, triple):
    """The header is C99 and C++ without warnings, with checks and without."""
    source = check.folder / "header.c"
    source.write_text('#include "model.h"\n#include "model.h"\n', encoding="utf-8")
    for language in (["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"],
                     ["-x", "c++", "-std=c++20"]):
        for checks in (0, 1):
            check.llvm("clang", f"--target={triple}", "-ffreestanding", *FLAGS, *language,
                       f"-DMODEL_CHECKS={checks}", f"-I{package}", source)


def check_unused(check, package, triple, march):
    """Without a call nothing of the model is in the program."""
    start, program = check.folder / "start.o", check.folder / "unused"
    source = check.folder / "start.c"
    source.write_text("void start(void) {}\n", encoding="utf-8")
    check.llvm("clang", f"--target={triple}", *march, "-ffreestanding", "-c", source, "-o", start)
    check.llvm("ld.lld", "--gc-sections", "-e", "start", "--unresolved-symbols=ignore-all",
               start, "--whole-archive", package / "model.a", "-o", program)
    left = [line for line in check.llvm("llvm-nm", program).splitlines()
            if line.split()[-2] in "TtRrDd"]
    check.expect([line.split()[-1] for line in left] == ["start"], f"{package}: left {left}")


def check_abi(check, model):
    """Objects link with those of the same ABI, and with no others."""
    source = check.folder / "start.c"
    cases = [("cortex-m4", "thumbv7em-none-eabi", ["-mcpu=cortex-m4"], "", {
                 "aapcs": "-mfloat-abi=soft", "aapcs-vfp": "-mfloat-abi=hard"},
              # LLVM's does not compare objects of Arm that name the convention with others.
              shutil.which("arm-none-eabi-ld")),
             ("rv32imac", "riscv32-unknown-elf", ["-march=rv32imafc"], "+f", {
                 "ilp32": "-mabi=ilp32", "ilp32f": "-mabi=ilp32f"}, "ld.lld")]
    for target, triple, flags, features, abis, linker in cases:
        for abi in abis:
            package = check.deploy(model, f"abi-{target}-{abi}", f"--target={target}",
                                   f"--abi={abi}", f"--features={features}")
            for other, flag in abis.items():
                start = check.folder / f"start-{other}.o"
                # Arm's objects have the convention only if they pass numbers.
                source.write_text("float start(float x) { return x; }\n", encoding="utf-8")
                check.llvm("clang", f"--target={triple}", *flags, flag, "-ffreestanding", "-c",
                           source, "-o", start)
                check.llvm(linker, "-e", "start", "--unresolved-symbols=ignore-all", start,
                           "--whole-archive", package / "model.a", "-o",
                           check.folder / "program", status=abi != other)


def main():
    """See the top of this file."""
    tool, tools, document, models, folder = map(pathlib.Path, sys.argv[1:])
    check = Checker(tool, tools, folder)
    chapter = document.read_text(encoding="utf-8").split("## Symbols that it needs")[1]
    allowed = re.findall(r"`([^`\s]+)`", chapter.split("\n## ")[0])
    for target in TARGETS:
        for name in ("int8", "float32"):
            model = models / f"{name}.mlir"
            package = check.deploy(model, f"{target}-{name}", f"--target={target}")
            check_sizes(check, package)
            check_symbols(check, package, allowed)
            check_sections(check, package)
        sizes = json.loads((package / "sizes.json").read_text(encoding="utf-8"))
        check_header(check, package, sizes["triple"])
        again = check.deploy(model, f"{target}-again", f"--target={target}")
        for path in package.iterdir():
            check.expect(path.read_bytes() == (again / path.name).read_bytes(),
                         f"{path}: differs in the second run")
    check_unused(check, folder / "cortex-m4-int8", "thumbv7em-none-eabi", ["-mcpu=cortex-m4"])
    check_abi(check, models / "float32.mlir")
    print(f"{check.count} checks, {check.failures} failures")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
