#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes up a raw recording of MindSpore, and what a reader must find in it.

usage: make_raw.py FOLDER LAYOUT [--seed=N] [--devices=N] [--cut] [--lose] [--nest] ...

Writes FOLDER/JOB1 (or FOLDER/device_N from 1.6 on, or FOLDER for a GPU), and
FOLDER/truth.json with one entry a device. The truth comes from the model of the job, and
never from reading the files."""

import argparse
import json
import pathlib
import random

import raw_ascend
import raw_gpu
import raw_model

LAYOUTS = ("r05", "r13", "ge", "r15", "r16", "r110", "gpu-sync", "gpu-async")


def cut(data, pick):
    """Pieces that begin and end anywhere, more than ten of them."""
    places = sorted(pick(len(data) + 1) for _ in range(11))
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)])]


def write_ascend(folder, device, options):
    model = raw_model.Model(options.seed * 100 + device, options)
    pick = random.Random(options.seed).randrange
    job = folder / ("JOB1" if options.layout in raw_ascend.TEXT else f"device_{device}")
    (job / "data").mkdir(parents=True, exist_ok=True)
    for name, data in raw_ascend.files(model, options.layout).items():
        for number, piece in enumerate(cut(data, pick) if options.cut else [data]):
            path = job / "data" / f"{name}.{device}.slice_{number}"
            path.write_bytes(piece)
            path.with_name(path.name + ".done").write_text("filesize:1\n")
    (job / f"host_start.log.{device}").write_text(
        f"[Device{device}]\nclock_realtime: 1591183963784568740\n"
        "clock_monotonic_raw: 43801844294990\n")
    (job / f"dev_start.log.{device}").write_text(
        f"[Device{device}]\nclock_monotonic_raw: 43802844294990\ncntvct: 4380683000000\n")
    (job / f"info.json.{device}").write_text(json.dumps(
        {"DeviceInfo": [{"id": device, "ai_core_num": 32, "aic_frequency": "1000",
                         "hwts_frequency": "100"}]}))
    return model.truth(options.layout)


def write_gpu(folder, device, options):
    files, truth = raw_gpu.files(options.seed * 100 + device, options.layout, options.steps,
                                 options.lose)
    for name, data in files.items():
        (folder / name.format(device)).write_bytes(data)
    return truth


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("layout", choices=LAYOUTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--devices", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--layers", type=int, default=6)
    for flag, what in (("cut", "cut files into slices, anywhere"),
                       ("lose", "leave out records, and a point of step 2"),
                       ("nest", "let tasks run while others do"),
                       ("wrap", "number tasks beyond 16 bits")):
        parser.add_argument(f"--{flag}", action="store_true", help=what)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    write = write_gpu if options.layout.startswith("gpu") else write_ascend
    truth = [write(options.folder, device, options) for device in range(options.devices)]
    (options.folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main()
