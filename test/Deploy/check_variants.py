#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs packages with code for several processors on some of these.

usage: check_variants.py MLIR_PROF MODELS FOLDER

MODELS is what make_models.py wrote. Processors are QEMU's, and this one, for which the
flags of /proc/cpuinfo say what it can run. Prints what is wrong, and exits with 1 then.
"""

import json
import pathlib
import platform
import subprocess
import sys

import numpy as np

SOURCE = pathlib.Path(__file__).parent / "Inputs" / "variants.c"
MODEL = SOURCE.parents[3] / "examples" / "firmware" / "keyword.mlir"
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]
REFUSAL = "the package does not have code for this processor"
V3, V4 = ["avx2", "bmi2", "fma", "movbe"], ["avx512bw", "avx512dq", "avx512vl"]
# By processor of QEMU: the variants that it can run.
X86 = {"qemu64": [], "Nehalem": ["v2"], "SandyBridge": ["v2"], "Haswell": ["v2", "v3"]}
AARCH64 = {"cortex-a53": ["cortex-a53"], "max": ["cortex-a53", "dotprod"]}


def get_own_variants():
    """The variants that this processor can run."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    flags = next(line for line in text.splitlines() if line.startswith("flags")).split()
    return ["v2"] + ["v3"] * all(flag in flags for flag in V3) + \
        ["v4"] * all(flag in flags for flag in V3 + V4)


class Checker:
    """Counts runs, and says what is wrong."""

    def __init__(self, tool, models, folder):
        self.tool, self.models, self.folder = tool, models, folder
        self.count, self.failures = 0, 0
        images = np.load(models / "int8-in.npy")
        (folder / "input").write_bytes(images[0].tobytes())
        self.result = np.load(models / "int8-out.npy")[0].tobytes().hex()

    def expect(self, holds, text):
        self.count += 1
        if not holds:
            self.failures += 1
            print(text)

    def deploy(self, target, variants, container):
        """The folder of a new package."""
        package = self.folder / f"{target}-{container}"
        subprocess.run([self.tool, "deploy", self.models / "int8.mlir", f"--target={target}",
                        f"--variants={','.join(variants)}", f"--container={container}", "-o",
                        package], check=True, stdout=subprocess.DEVNULL)
        return package

    def build(self, package, compiler):
        """A program with a package."""
        program = package / "program"
        library = (["-static", package / "model.a"] if (package / "model.a").exists()
                   else ["-L", package, "-lmodel", "-Wl,-rpath,$ORIGIN"])
        subprocess.run([compiler, *FLAGS, f"-I{package}", SOURCE, *library, "-o", program],
                       check=True)
        return program

    def run(self, command, names, possible):
        """Runs a program on a processor that has the `possible` ones of variants."""
        done = subprocess.run([*command, self.folder / "input", *names], capture_output=True,
                              text=True, check=False)
        best = possible[-1] if possible else "none"
        good = self.result if possible else REFUSAL
        lines, current = [f"{best}: {good}"], best
        for name in names:
            current = name if name in possible else current
            lines += [f"{name}: {'success' if name in possible else REFUSAL}",
                      f"{current}: {good}"]
        lines += [f"{best}: {good}"] * bool(possible)
        self.expect(done.stdout.splitlines() == lines and done.returncode == 0,
                    f"{' '.join(map(str, command))}: exit {done.returncode}\n"
                    f"{done.stdout}{done.stderr}expected:\n" + "\n".join(lines))


def read_sizes(package):
    return json.loads((package / "sizes.json").read_text(encoding="utf-8"))


def check_sizes(check, package, variants):
    """Each variant has code; what variants have together is the package's."""
    sizes = read_sizes(package)
    own = {variant["name"]: variant for variant in sizes["variants"]}
    check.expect(list(own) == variants, f"{package}: variants {list(own)}")
    for key in ("code_bytes", "constant_bytes"):
        parts = {name: sum(part[key] for part in sizes["objects"]
                           if part.get("variant") == name) for name in [*variants, None]}
        check.expect(sum(parts.values()) == sizes[key] and
                     all(parts[name] == own[name][key] for name in variants),
                     f"{package}: {key} {parts}")
    check.expect(all(variant["code_bytes"] > 1000 for variant in own.values()), f"{own}")
    check.expect(sizes["arena_bytes"] == max(variant["arena_bytes"] for variant in own.values()),
                 f"{package}: arena")


def check_x86(check):
    """Packages for x86-64."""
    names = ["v2", "v3", "v4"]
    for container in ("static", "dynamic"):
        package = check.deploy("x86-64", names, container)
        check_sizes(check, package, names)
        program = check.build(package, "/usr/lib/llvm-22/bin/clang")
        if platform.machine() == "x86_64":
            check.run([program], names, get_own_variants())
        for processor, possible in X86.items():
            check.run(["qemu-x86_64", "-cpu", processor, program], names, possible)


def check_constants(check):
    """Weights that variants lay out alike are there once, not for each of them."""
    folders = []
    for options in (["--cpu=haswell"], ["--variants=haswell,skylake"]):
        folders.append(check.folder / f"weights{len(folders)}")
        subprocess.run([check.tool, "deploy", MODEL, *options, "-o", folders[-1]], check=True,
                       stdout=subprocess.DEVNULL)
    alone, both = (read_sizes(folder)["constant_bytes"] for folder in folders)
    check.expect(alone < both < 1.2 * alone, f"constants: {both}, without variants {alone}")


def main():
    """See the top of this file."""
    check = Checker(*map(pathlib.Path, sys.argv[1:]))
    check_x86(check)
    check_constants(check)
    package = check.deploy("aarch64", ["cortex-a53", "dotprod"], "static")
    check_sizes(check, package, ["cortex-a53", "dotprod"])
    program = check.build(package, "aarch64-linux-gnu-gcc")
    for processor, possible in AARCH64.items():
        check.run(["qemu-aarch64", "-cpu", processor, program], ["cortex-a53", "dotprod"],
                  possible)
    print(f"{check.count} checks, {check.failures} failures")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
