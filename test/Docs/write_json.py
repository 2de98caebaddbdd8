#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes every kind of JSON document that the tool writes.

usage: write_json.py MLIR_PROF DATA FOLDER
"""

import os
import re
import subprocess
import sys

tool, data, folder = sys.argv[1:]
JAX = os.path.join(data, "recordings", "jax")


def run(*arguments, out=None):
    """Runs the tool; `out` names the document that it writes with -o."""
    output = ["-o", os.path.join(folder, out + ".json")] if out else []
    subprocess.run([tool, *arguments, *output], check=True,
                   stdout=subprocess.DEVNULL)


def path(name):
    return os.path.join(folder, name)


def list_groups(of_programs):
    """The values of --by, of recordings by mlir-prof alone or of all others."""
    text = subprocess.run([tool, "report", "--help"], check=True, capture_output=True,
                          text=True).stdout
    lists = re.search(r"Grouping of rows: ([^;]*); for recordings made by mlir-prof also "
                      r"([^.]*)\.", " ".join(text.split()))
    return lists.group(2 if of_programs else 1).split(", ")


def write_page(profile):
    """The data of a page in one file."""
    page = path("page.html")
    run("report", profile, "--format=html", "-o", page)
    with open(page, encoding="utf-8") as file:
        data = re.search(r'<script type="application/json" id="profile-data">(.*?)</script>',
                         file.read(), re.DOTALL)
    with open(path("page.json"), "w", encoding="utf-8") as file:
        file.write(data.group(1))


def write_imported():
    """Reports and explanations of an imported recording, with its module and
    without, and of a program in several."""
    trace = os.path.join(JAX, "mlp", "xplane.pb")
    model = os.path.join(JAX, "mlp", "model.generic.mlir")
    jax = path("jax.mlprof")
    run("import", trace, f"--model={model}", "-o", jax)
    for by in list_groups(of_programs=False):
        run("report", jax, f"--by={by}", "--all", "--format=json", out=f"report-{by}")
    write_page(jax)
    for by in ("measured-op", "op-type", "event", "step-trace"):
        run("report", trace, f"--by={by}", "--format=json", out=f"report-bare-{by}")
    scopes = os.path.join(data, "fuzz", "scopes", "mixed.scopes")
    run("report", scopes, "--by=scope", "--format=json", out="report-scopes")
    run("query", jax, "SELECT op, time_ps FROM ops", "--format=json", out="query")
    for name, op in (("op", "2"), ("without-time", "1"), ("measured", "ynn_fusion.1"),
                     ("unclear", "jit(f)/layer1/dot_general")):
        run("report", jax, f"--explain={op}", "--format=json", out=f"explain-{name}")
    run("report", trace, "--explain=ynn_fusion.1", "--format=json", out="explain-bare")
    profiles = os.path.join(data, "profiles")
    for name in sorted(os.listdir(profiles)):
        if name.endswith(".mlprof"):
            run("import", os.path.join(profiles, name), "--format=json",
                out=f"profile-{name}")


def write_deployed():
    """The sizes of packages."""
    model = os.path.join(data, "modules", "convolution.mlir")
    with open(path("packages.json"), "wb") as file:
        subprocess.run([tool, "deploy", model, "--target=x86-64,cortex-m4", "--table=json",
                        "-o", path("packages")], check=True, stdout=file)
    os.replace(os.path.join(folder, "packages", "cortex-m4", "sizes.json"),
               path("sizes.json"))


def write_recorded():
    """Recordings that the tool makes, exact and sampled."""
    block = os.path.join(data, "modules", "record-block.mlir")
    shape = ["--entry=block", "--shape=x=64x8"]
    run("record", os.path.join(data, "modules", "record-loops.mlir"), "--pipeline=naive",
        "--mode=instrument", "--instrument=all", "--iterations=10", "--no-peak",
        "--times=" + path("times.json"), "-o", path("loops.mlprof"))
    run("record", block, *shape, "--seconds=0.2", "-o", path("block.mlprof"))
    for name in ("loops", "block"):
        for by in ["op", *list_groups(of_programs=True)]:
            run("report", path(name + ".mlprof"), f"--by={by}", "--all",
                "--format=json", out=f"report-{name}-{by}")
    run("merge", path("loops.mlprof"), path("block.mlprof"), "--mix-machines", "-o",
        path("both.mlprof"))
    for by in ("op", "step", "thread"):
        run("report", path("both.mlprof"), f"--by={by}", "--format=json",
            out=f"report-both-{by}")
    run("report", path("loops.mlprof"), "--explain=2", "--format=json",
        out="explain-recorded")
    run("diff", path("loops.mlprof"), path("loops.mlprof"), "--format=json", out="diff")
    other = os.path.join(JAX, "mlp-noynn", "xplane.pb")
    run("diff", path("jax.mlprof"), other, "--format=json", out="diff-other")
    loop = os.path.join(JAX, "loop")
    run("advise", os.path.join(loop, "xplane.pb"), "--format=json",
        "--model=" + os.path.join(loop, "model.generic.mlir"), out="advice")
    run("advise", path("block.mlprof"), "--format=json", out="advice-block")
    run("audit", block, "--entry=block", "--format=json", out="audit")
    run("audit", block, "--entry=block", "--profile=" + path("block.mlprof"), "--format=json",
        out="audit-times")
    # These always write to standard output.
    for name, arguments in [("info", []),
                            ("compile", [block, "--entry=block", "-o",
                                         path("block.mprof")])]:
        with open(path(name + ".json"), "wb") as file:
            subprocess.run([tool, name, *arguments, "--format=json"], check=True,
                           stdout=file)
    write_deployed()
    run("optimize", block, *shape, "--budget=5", "-o", path("block.optimized.mlir"),
        "--decisions=" + path("decisions.json"),
        "--receipts=" + path("receipts.json"))


write_imported()
write_recorded()
