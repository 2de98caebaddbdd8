# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installed wheel: what it has, and what its import costs. $MLIR_PROF_SOURCE is the
checkout that it was built from."""

import importlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import unittest

import mlir_prof

PACKAGE = pathlib.Path(mlir_prof.__file__).parent
EXTENSIONS = ["_model", "_scopes"]
MAX_SECONDS = 0.150
MAX_KILOBYTES = 100_000
#: In an interpreter of its own.
IMPORT = """
import json, resource, sys, time
begin = time.perf_counter()
import mlir_prof
seconds = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([seconds, peak, sorted(sys.modules)]))
"""


def run(*command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True,
                          encoding="utf-8").stdout


class WheelTest(unittest.TestCase):
    def test_has_all_of_the_package(self):
        source = pathlib.Path(os.environ["MLIR_PROF_SOURCE"]) / "python" / "mlir_prof"
        files = [path.relative_to(source) for path in source.rglob("*")
                 if path.is_file() and "__pycache__" not in path.parts]
        self.assertIn(pathlib.Path("tool.py"), files)
        self.assertEqual([str(path) for path in files
                          if not (PACKAGE / path).is_file()], [])

    def test_has_what_programs_link_and_load(self):
        names = {path.name for path in (PACKAGE / "lib").iterdir()}
        # OpenMP and MLIR's libraries; the runtime; the plugin of QEMU that counts.
        self.assertLessEqual({
            "libomp.so", "libmlir_c_runner_utils.so", "libmlir_float16_utils.so",
            "libprof_rt.a", "libprof_rt.so", "libprof_rt_bare.a", "libprof_malloc.a",
            "libprof_emulator.so"}, names)
        headers = {path.name for path in (PACKAGE / "include").rglob("*.h")}
        self.assertLessEqual({"prof_rt.h", "prof_bytecode.h", "prof_loader.h"}, headers)

    def test_extensions_are_of_this_interpreter(self):
        for name in EXTENSIONS:
            module = importlib.import_module(f"mlir_prof.{name}")
            self.assertEqual(pathlib.Path(module.__file__).parent, PACKAGE)

    def test_names_licenses(self):
        names = {path.stem for path in (PACKAGE / "licenses").iterdir()}
        self.assertLessEqual({"mlir-prof", "llvm-22-dev", "libmlir-22-dev"}, names)
        # The license of an archive, and of a library next to the program.
        self.assertTrue(any(name.startswith("libsqlite3") for name in names))
        self.assertTrue(any(name.startswith("libsimdjson") for name in names))

    def test_program_is_that_of_the_package(self):
        version = importlib.metadata.version("mlir-prof")
        for command in ([sys.executable, "-m", "mlir_prof"],
                        [pathlib.Path(sysconfig.get_path("scripts")) / "mlir-prof"]):
            self.assertEqual(run(*command, "--version"), f"mlir-prof {version}\n")
        self.assertEqual(mlir_prof.find_tool(), str(PACKAGE / "bin" / "mlir-prof"))

    def test_import_is_cheap(self):
        # The machine may be busy: the fastest of several.
        runs = [json.loads(run(sys.executable, "-c", IMPORT)) for _ in range(7)]
        self.assertLess(min(seconds for seconds, _, _ in runs), MAX_SECONDS)
        self.assertLess(min(peak for _, peak, _ in runs), MAX_KILOBYTES)
        print("import:", *min(runs)[:2], file=sys.stderr)
        for framework in ("numpy", "torch", "jax", "onnx"):
            self.assertNotIn(framework, runs[0][2])


if __name__ == "__main__":
    unittest.main()
