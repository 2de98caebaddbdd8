# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finding and running the program, and what an import brings along."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import mlir_prof
from mlir_prof import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: The program of the build.
REAL = os.environ["MLIR_PROF"]


def start(*arguments, **options):
    """`python -m mlir_prof` in a process of its own."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)),
                       **options.pop("environment", {}))
    return subprocess.run([sys.executable, "-m", "mlir_prof", *map(str, arguments)],
                          capture_output=True, env=environment, **options)


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make_program(self, folder, text):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "mlir-prof"
        path.write_text(text)
        path.chmod(0o755)
        return path


class Finding(Scratch):
    def find(self, path, **environment):
        with mock.patch.dict(os.environ, PATH=str(path), **environment):
            if "MLIR_PROF" not in environment:
                del os.environ["MLIR_PROF"]
            return tool.find_tool()

    def test_the_variable_is_first(self):
        self.assertEqual(self.find("/none", MLIR_PROF=REAL), REAL)
        with self.assertRaisesRegex(mlir_prof.ToolError, "/no/such is no program|"
                                    r"\$MLIR_PROF is /no/such"):
            self.find("/none", MLIR_PROF="/no/such")

    def test_the_program_in_the_package_is_before_that_in_path(self):
        package = self.folder / "mlir_prof"
        own = self.make_program(package / "bin", "\x7fELF")
        other = self.make_program(self.folder / "path", "\x7fELF")
        self.assertEqual(self.find(other.parent), str(other))
        with mock.patch.object(tool, "__file__", str(package / "tool.py")):
            self.assertEqual(self.find(other.parent), str(own))

    def test_the_script_of_the_package_is_not_the_program(self):
        script = self.make_program(self.folder / "script", "#!/usr/bin/python3\n")
        other = self.make_program(self.folder / "path", "\x7fELF")
        self.assertEqual(self.find(f"{script.parent}:{other.parent}"), str(other))
        with self.assertRaisesRegex(mlir_prof.ToolError, "hint: install the wheel"):
            self.find(script.parent)


class Program(Scratch):
    def test_it_is_the_tool(self):
        for arguments in (["--version"], ["report", "--help"], ["nothing"], [],
                          ["report", "none.mlprof"]):
            with self.subTest(arguments):
                expected = subprocess.run([REAL, *arguments], capture_output=True)
                found = start(*arguments)
                self.assertEqual((found.returncode, found.stdout, found.stderr),
                                 (expected.returncode, expected.stdout,
                                  expected.stderr))

    def test_standard_input_is_the_tools(self):
        trace = (ROOT / "examples/counter.mlir").read_bytes()
        result = start("record", "-", "--mode=time", "--iterations=3", "-o",
                       self.folder / "c.mlprof", input=trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "c.mlprof").exists())

    def test_models_of_frameworks_become_mlir(self):
        # A front end that takes *.twice: a file with the name of a module.
        front_end = self.folder / "added.py"
        front_end.write_text("""
import pathlib, sys
from mlir_prof import frontends
from mlir_prof.frontends import FrontEndError, Source

def accepts(model, examples):
    return str(model).endswith(".twice")

def lower(model, request):
    text = pathlib.Path(model).read_text()
    if not text:
        raise FrontEndError("node 3 (Twice): has nothing to do")
    path = request.folder / "model.mlir"
    path.write_text(text)
    return Source(path=path, framework="twice", arguments=[], results=[],
                  flatten=None, unflatten=None, entry="main", notes=["was twice"])

frontends.FRONT_ENDS.append("twice")
sys.modules["mlir_prof.frontends._twice"] = sys.modules[__name__]
""")
        program = ("import sys; sys.path.insert(0, sys.argv.pop(1)); import added; "
                   "from mlir_prof.__main__ import main; sys.exit(main())")

        def run(*arguments):
            return subprocess.run(
                [sys.executable, "-c", program, str(self.folder),
                 *map(str, arguments)], capture_output=True, text=True,
                env=dict(os.environ, PYTHONPATH=os.pathsep.join(
                    filter(None, sys.path))))
        model = self.folder / "model.twice"
        shutil.copy(ROOT / "examples/counter.mlir", model)
        profile = self.folder / "c.mlprof"
        result = run("record", model, "--mode=time", "--iterations=3", "-o", profile)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("mlir-prof: note: was twice", result.stderr)
        self.assertEqual(mlir_prof.open(profile).runs["iterations"], [3])
        self.assertEqual(run("record", model, "--nothing").returncode, 2)
        model.write_text("")
        result = run("record", model, "-o", profile)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "^mlir-prof: error: .*model.twice: node 3")


class Imports(unittest.TestCase):
    def test_nothing_is_imported_that_is_not_used(self):
        program = ("import sys; before = set(sys.modules); import mlir_prof; "
                   "print(sorted(set(sys.modules) - before))")
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(
            filter(None, sys.path)))

        def names(more):
            result = subprocess.run(
                [sys.executable, "-c", program.replace("; print", f"; {more}; print")],
                capture_output=True, text=True, env=environment)
            self.assertEqual(result.returncode, 0, result.stderr)
            return eval(result.stdout)
        self.assertEqual([name for name in names("0") if name.startswith("mlir_prof")],
                         ["mlir_prof"])
        heavy = {"numpy", "torch", "jax", "pandas", "pyarrow", "tqdm", "onnx"}
        everything = ("[getattr(mlir_prof, name) for name in mlir_prof.__all__]")
        self.assertFalse(heavy & {name.partition(".")[0] for name in
                                  names(everything)})

    def test_every_public_name_is_there(self):
        for name in mlir_prof.__all__:
            self.assertIsNotNone(getattr(mlir_prof, name), name)
            self.assertIn(name, dir(mlir_prof))
        with self.assertRaisesRegex(AttributeError, "nothing"):
            mlir_prof.nothing


if __name__ == "__main__":
    unittest.main()
