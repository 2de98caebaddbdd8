# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the models in test/data/recordings/iree with IREE: [FOLDER ...].

Needs the packages iree-base-compiler and iree-base-runtime, whose programs are in
the folder of the Python interpreter. Writes for each model.mlir, the input:

profile.jsonl     what ran, exported by iree-profile
stream.mlir.gz    the compiler's module after its stream phase, with locations
stream.generic.mlir  for layers only: the same in the generic form, which MLIR
                  reads without IREE
expected.json     the ops that each dispatch runs, found with IREE's own bindings
                  in the module before equal dispatches were merged, which
                  mlir-prof does not see
"""
import collections
import glob
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

import iree.compiler.ir as ir

BIN = os.path.dirname(sys.executable)
RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "../../../test/data/recordings/iree")
INPUTS = {
    "layers": ["64x256xf32=0.1", "256x256xf32=0.1", "256xf32=0.1",
               "256x256xf32=0.2", "256xf32=-0.1", "256x10xf32=0.1"],
    "loop": ["32x64xf32=0.01", "64x64xf32=0.01", "i32=3"],
}
INPUTS["alike"] = INPUTS["layers"]
INPUTS["sync"] = INPUTS["loop"]
DEVICES = {"sync": "local-sync"}
# The command index in events of local-sync, which does not number its commands.
UNKNOWN_COMMAND = 2 ** 32 - 1
# Ops that make a buffer or change its layout are not expected in a dispatch.
NO_WORK = {"linalg.fill", "linalg.pack", "linalg.unpack"}


def run(*command, **options):
    subprocess.run([os.path.join(BIN, command[0]), *command[1:]], check=True,
                   stdout=subprocess.DEVNULL, **options)


def walk(op):
    for region in op.regions:
        for block in region:
            for inner in block:
                yield inner.operation
                yield from walk(inner.operation)


def name_of(location):
    """The name of the op itself, without the calls around it."""
    if isinstance(location, ir.CallSiteLoc):
        return name_of(location.callee)
    if isinstance(location, ir.NameLoc):
        return location.name_str
    if isinstance(location, ir.FileLineColLoc):
        return f"{location.filename}:{location.start_line}:{location.start_col}"
    return ""


def parse(path):
    with open(path) as file:
        return ir.Module.parse(file.read(), ir.Context())


def get_inputs(folder, model):
    if folder in INPUTS:
        return INPUTS[folder]
    function = next(op for op in walk(model.operation)
                    if op.name in ("util.func", "func.func"))
    types = [argument.type for argument in function.regions[0].blocks[0].arguments]
    return [str(type)[len("tensor<"):-1] + "=0.05" for type in types]


def get_model_ops(path):
    """Names of the linalg ops of the model, in order."""
    # Locations of a file that is parsed from text are of "-".
    module = parse(path)
    for op in walk(module.operation):
        if op.name.startswith("linalg.") and op.name not in NO_WORK \
                and op.name not in ("linalg.yield", "linalg.index"):
            name = name_of(op.location)
            yield name.replace("-:", "model.mlir:", 1) if name.startswith("-:") else name


def get_regions(module):
    """The name of each dispatch that still has its own body, and the names of
    the ops in it."""
    for op in walk(module.operation):
        if op.name not in ("flow.dispatch.workgroups", "flow.dispatch.region"):
            continue
        names = [name_of(inner.location) for inner in op.regions[0].blocks[0]
                 if inner.operation.name.startswith("linalg.")
                 and inner.operation.name not in NO_WORK]
        yield name_of(op.location), names


def get_sites(module):
    """The sites of each stream.cmd.execute: function and name."""
    for execute in walk(module.operation):
        if execute.name == "stream.cmd.execute":
            yield [(str(op.attributes["entry_points"][0]).rsplit("@", 1)[1],
                    name_of(op.location)) for op in walk(execute)
                   if op.name == "stream.cmd.dispatch"]


def read_profile(path):
    """Place (among dispatches) to times, by command buffer."""
    places = collections.defaultdict(list)
    times = collections.defaultdict(list)
    submitted = collections.Counter()
    for line in open(path):
        row = json.loads(line)
        key = row.get("command_buffer_id"), row.get("command_index")
        if row["record_type"] == "command_operation" and row["op"] == "dispatch":
            places[key[0]].append((key[1], row["key"]))
        if row["record_type"] == "host_execution_event" and row["op"] == "dispatch":
            if key[1] == UNKNOWN_COMMAND:
                # A submission runs its dispatches in their order in the buffer.
                key = key[0], submitted[row["submission_id"]]
                submitted[row["submission_id"]] += 1
                if key[1] == len(places[key[0]]):
                    places[key[0]].append((key[1], row["key"]))
            times[key].append(row["duration_ns"])
    return places, times


def make_expected(model, regions, sites, places, times):
    ordinals = collections.defaultdict(list)
    for ordinal, name in enumerate(model):
        ordinals[name].append(ordinal)
    by_name = collections.defaultdict(list)
    used = collections.Counter()
    for anchor, names in regions:
        ops = []
        for name in names:
            # Ops of one name are those of regions of one name, in order.
            of_name = ordinals[name]
            if of_name:
                ops.append(of_name[used[name] % len(of_name)])
                used[name] += 1
        by_name[anchor].append(ops)
    dispatches = []
    seen = collections.Counter()
    for execute, site in enumerate(sites):
        for position, (function, name) in enumerate(site):
            number = seen[name]
            seen[name] += 1
            # Command buffers are made with the module, and numbered from 1.
            buffer = places.get(execute + 1)
            if not buffer:
                continue
            command, key = buffer[position]
            assert key == function, (key, function)
            spent = times[execute + 1, command]
            regions_of_name = by_name[name]
            ops = regions_of_name[number % len(regions_of_name)] \
                if regions_of_name else ordinals[name]
            dispatches.append({
                "buffer": execute + 1, "place": position, "function": function,
                "name": name, "count": len(spent), "total_ns": sum(spent),
                "ops": sorted(set(ops))})
    return dispatches


def record(folder):
    target = os.path.join(RECORDINGS, folder)
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(os.path.join(target, "model.mlir"), scratch)
        run("iree-compile", "model.mlir", "--iree-hal-target-device=local",
            "--iree-hal-local-target-device-backends=llvm-cpu",
            "--iree-llvmcpu-target-cpu=generic", "--mlir-print-debuginfo",
            "--dump-compilation-phases-to=phases", "-o", "model.vmfb", cwd=scratch)
        phase = lambda name: glob.glob(f"{scratch}/phases/*.{name}.mlir")[0]
        model = parse(phase("input"))
        run("iree-run-module", "--module=model.vmfb", "--device=" + DEVICES.get(folder, "local-task"),
            "--function=main", "--device_profiling_mode=host-execution",
            "--device_profiling_output=model.ireeprof",
            *("--input=" + value for value in get_inputs(folder, model)), cwd=scratch)
        run("iree-profile", "export", "--format=ireeperf-jsonl",
            "--output=profile.jsonl", "model.ireeprof", cwd=scratch)
        shutil.copy(os.path.join(scratch, "profile.jsonl"), target)
        with open(phase("stream"), "rb") as dump, \
                open(os.path.join(target, "stream.mlir.gz"), "wb") as packed, \
                gzip.GzipFile("", "wb", 9, packed, 0) as out:
            out.write(dump.read())
        if folder == "layers":
            run("iree-opt", "--mlir-print-op-generic", "--mlir-print-debuginfo",
                phase("stream"), "-o", os.path.join(target, "stream.generic.mlir"))
        dispatches = make_expected(
            list(get_model_ops(os.path.join(scratch, "model.mlir"))),
            list(get_regions(parse(phase("dispatch-creation")))),
            list(get_sites(parse(phase("stream")))),
            *read_profile(os.path.join(target, "profile.jsonl")))
        version = subprocess.run([os.path.join(BIN, "iree-compile"), "--version"],
                                 capture_output=True, text=True).stdout
    expected = {
        "definitions": {
            "ops": "linalg ops of model.mlir that do work, by their number in order",
            "place": "among the dispatches of the command buffer"},
        "producer": next(line.strip() for line in version.splitlines()
                         if "compiler version" in line),
        "total_ns": sum(row["total_ns"] for row in dispatches),
        "dispatches": dispatches}
    with open(os.path.join(target, "expected.json"), "w") as out:
        json.dump(expected, out, indent=1)
        out.write("\n")


for name in sys.argv[1:] or sorted(
        entry for entry in os.listdir(RECORDINGS)
        if os.path.isdir(os.path.join(RECORDINGS, entry))):
    record(name)
