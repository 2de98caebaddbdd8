# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The profilers with which cost.py compares scopes, one class for each that may be absent.

Sources in peers/ are linked into the program if they only need LLVM and MLIR; others are
libraries that it loads, so that one that cannot be built or loaded stays away alone.
"""

import os
import pathlib
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Linked: LLVM's, MLIR's, and published designs rebuilt.
ALWAYS = ("llvm", "mlir", "functions", "queue", "blocks", "chunks")


class Absent(Exception):
    """Why a peer does not take part."""


class Compiler:
    """Compiles into a folder what is not there or is older than its source."""

    def __init__(self, options, folder):
        self.folder = pathlib.Path(folder)
        self.cxx = options.cxx
        self.llvm = options.llvm
        self.newest_header = max(path.stat().st_mtime for path in [
            HERE / "Contestants.h", *(ROOT / "include/mlir-prof/Scope").glob("*.h"),
            *(ROOT / "runtime/include/mlir-prof/Runtime").glob("*.h")])

    def run(self, command):
        result = subprocess.run(list(map(str, command)), stderr=subprocess.PIPE,
                                encoding="utf-8")
        if result.returncode:
            raise Absent(result.stderr.strip().splitlines()[0] if result.stderr
                         else f"{command[0]} exits with {result.returncode}")

    def compile(self, source, flags=()):
        source = pathlib.Path(source)
        made = self.folder / f"{source.parent.name}-{source.stem}.o"
        newest = source.stat().st_mtime
        if ROOT in source.parents:
            newest = max(newest, self.newest_header)
        if not made.exists() or made.stat().st_mtime < newest:
            self.run([self.cxx, "-O2", "-std=c++20", "-fPIC", "-w", f"-I{ROOT}/include",
                      f"-I{ROOT}/runtime/include", "-isystem", f"{self.llvm}/include",
                      *flags, "-c", source, "-o", made])
        return made

    def link(self, name, objects, flags):
        made = self.folder / name
        self.run([self.cxx, *objects, *flags, f"-L{self.llvm}/lib",
                  f"-Wl,-rpath,{self.llvm}/lib", "-lpthread", "-o", made])
        return str(made)

    def link_library(self, name, objects, flags):
        return self.link(f"{name}.so", objects, ["-shared", *flags])


class Peer:
    """One that is built by `build`; `start` and `stop` surround each run."""

    def start(self, folder):
        pass

    def stop(self):
        pass

    def environment(self):
        return {}


class Paddle(Peer):
    """Paddle's RecordEvent, of the package paddlepaddle for CPUs."""

    name = "Paddle"

    def __init__(self, options):
        self.folder = options.paddle

    def build(self, compiler):
        if not self.folder:
            raise Absent("--paddle")
        made = compiler.compile(HERE / "peers/paddle.cpp",
                                ["-isystem", f"{self.folder}/include"])
        libraries = f"{self.folder}/libs"
        return compiler.link_library("paddle", [made], [
            f"{libraries}/libphi_core.so", f"{libraries}/libcommon.so",
            f"-Wl,-rpath,{libraries}"])


class Perfetto(Peer):
    """Perfetto's amalgamated SDK."""

    name = "Perfetto"

    def __init__(self, options):
        self.folder = options.perfetto

    def build(self, compiler):
        if not self.folder:
            raise Absent("--perfetto")
        flags = [f"-I{self.folder}", "-std=c++17"]
        return compiler.link_library("perfetto", [
            compiler.compile(HERE / "peers/perfetto.cpp",
                             [*flags, "-std=c++20"]),
            compiler.compile(f"{self.folder}/perfetto.cc", flags)], [])


class Lttng(Peer):
    """LTTng-UST, with a daemon, and buffers that keep the last events."""

    name = "LTTng-UST"
    daemon = None
    home = None

    def __init__(self, options):
        self.is_wanted = options.lttng

    def build(self, compiler):
        if not self.is_wanted:
            raise Absent("--lttng")
        made = compiler.compile(HERE / "peers/lttng.cpp", [f"-I{HERE}/peers"])
        return compiler.link_library("lttng", [made], ["-llttng-ust", "-ldl"])

    def environment(self):
        # Waits at the start until the session is known.
        return {"LTTNG_UST_REGISTER_TIMEOUT": "-1", **self.home_variables()}

    def home_variables(self):
        return {"LTTNG_HOME": self.home} if self.home else {}

    def control(self, *arguments):
        subprocess.run(["lttng", "--no-sessiond", *arguments], check=True,
                       stdout=subprocess.DEVNULL,
                       env={**os.environ, **self.home_variables()})

    def start(self, folder):
        self.home = folder
        self.daemon = subprocess.Popen(
            ["lttng-sessiond", "--no-kernel"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, **self.home_variables()})
        for attempt in range(100):
            time.sleep(0.1)
            try:
                self.control("create", "scopes", "--snapshot")
                break
            except subprocess.CalledProcessError:
                if attempt == 99:
                    raise
        self.control("enable-event", "--userspace", "mlir_prof:on_*")
        self.control("start")

    def stop(self):
        self.control("destroy", "scopes")
        self.daemon.terminate()
        self.daemon.wait()


def make_optional(options):
    return [Paddle(options), Perfetto(options), Lttng(options)]


def environment(loaded):
    """That of the program that loads these peers."""
    variables = dict(os.environ)
    for peer, _ in loaded:
        variables.update(peer.environment())
    return variables
