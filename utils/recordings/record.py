#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow and JAX models together with the MLIR they came from.

  record.py                  all recordings, each into OUT/NAME
  record.py NAME...          only those
  record.py --large DIR      DIR/tf-enc-3000 and DIR/jax-train-noynn-6000, the
                             traces of 40-50 MB for bench/import (2 minutes)
  record.py --list           the names

A NAME is FRAMEWORK/MODEL[-VARIANT]. Models are in models_jax.py and
models_tf.py. Variants: -xla, TensorFlow with jit_compile; -noynn, JAX without
XLA's fusion of whole models; -2dev, JAX on two host devices.

Needs requirements.txt and mlir-opt of LLVM 22 in PATH. Run reference.py
afterwards.
"""

import argparse
import glob
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Steps that are measured, by name of the recording.
RECORDINGS = {
    **{f"tf/{model}": 30 for model in ("mlp", "cnn", "enc", "loop", "mixed")},
    **{f"tf/{model}-xla": 30
       for model in ("mlp", "cnn", "enc", "train", "loop")},
    **{f"jax/{model}": 30 for model in ("mlp", "cnn", "enc", "train", "loop")},
    "jax/mlp-noynn": 30,
    "jax/train-noynn": 30,
    "jax/dp-2dev": 30,
    "jax/calls": 5,
    "jax/names": 5,
    "tf/calls": 5,
    "tf/names": 5,
}
LARGE = {"tf/enc": 3000, "jax/train-noynn": 6000}
XLA_FLAGS = {
    "-noynn": "--xla_cpu_experimental_ynn_fusion_type=",
    "-2dev": "--xla_force_host_platform_device_count=2",
}


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file
                 if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.machine()


def record_here(name, out, steps):
    """Records in this process, which then cannot record anything else."""
    from scrub import ENVIRONMENT, MODELS, scrub
    if name.startswith("tf/"):
        import record_tf as recorder
    else:
        import record_jax as recorder
    with tempfile.TemporaryDirectory() as log:
        versions = recorder.record(name, out, log, steps)
        traces = glob.glob(f"{log}/**/*.xplane.pb", recursive=True)
        shutil.copy(traces[0], f"{out}/xplane.pb")
    scrub(out, [(sys.prefix, ENVIRONMENT), (HERE, MODELS)])
    info = dict(name=name, steps=steps, python=platform.python_version(),
                **versions, xla_flags=os.environ.get("XLA_FLAGS", ""),
                machine=f"{processor()}, {platform.system()}, CPU only")
    with open(f"{out}/info.json", "w") as file:
        json.dump(info, file, indent=1)
        file.write("\n")


def record(name, out, steps):
    """Records in a fresh process; whether that worked."""
    os.makedirs(out, exist_ok=True)
    flags = [flag for end, flag in XLA_FLAGS.items() if name.endswith(end)]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="2",
                       XLA_FLAGS=" ".join(flags))
    result = subprocess.run(
        [sys.executable, __file__, "--in-process", name, out, str(steps)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)
    if result.returncode:
        print(f"{name}: failed\n{result.stdout[-3000:]}")
    else:
        print(f"{name}: {os.path.getsize(f'{out}/xplane.pb')} bytes in {out}")
    return result.returncode == 0


def main():
    if sys.argv[1:2] == ["--in-process"]:
        name, out, steps = sys.argv[2:]
        record_here(name, out, int(steps))
        return 0
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="what to record (default: everything)")
    parser.add_argument("--out", default=".", help="folder for recordings; "
                        "the default is the current one")
    parser.add_argument("--steps", type=int, help="measure so many steps")
    parser.add_argument("--large", metavar="DIR", help="the two large traces")
    parser.add_argument("--list", action="store_true", help="list the names")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(RECORDINGS))
        return 0
    unknown = [name for name in arguments.names if name not in RECORDINGS]
    if unknown:
        parser.error(f"unknown {', '.join(unknown)}; --list shows all")
    if arguments.large:
        jobs = [(name, f"{arguments.large}/{name.replace('/', '-')}-{steps}", steps)
                for name, steps in LARGE.items()]
    else:
        jobs = [(name, f"{arguments.out}/{name}",
                 arguments.steps or RECORDINGS[name])
                for name in arguments.names or RECORDINGS]
    # All, even after one failed.
    return 0 if all([record(*job) for job in jobs]) else 1


if __name__ == "__main__":
    sys.exit(main())
