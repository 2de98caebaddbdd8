# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the extensions mlir_prof._scopes and mlir_prof._model from a source
checkout.

Their sources are those of the runtime and, for scopes, of lib/Scope, which stand
next to this folder; a source distribution has a copy of them in `core`. With
MLIR_PROF_WITHOUT_EXTENSION=1, and on other systems than Linux, the package is built
without them. The content of the folder $MLIR_PROF_FILES becomes part of the package:
utils/build-wheel puts the program and its libraries there.
"""

import os
import pathlib
import shutil
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
#: Everything outside of this folder that the extensions need.
CORE = ["runtime/src/*.[ch]", "runtime/include/mlir-prof/Runtime/*.h",
        "lib/Scope/**/*.cpp", "lib/Scope/**/*.h", "lib/Scope/**/*.def",
        "include/mlir-prof/Scope/**/*.h", "include/mlir-prof/Scope/**/*.def",
        "include/mlir-prof/Support/Loss.h", "lib/Support/Loss.cpp",
        "include/mlir-prof/Trace/Time.h"]
#: The runtime without an operating system.
LEFT_OUT = {"Bare.c"}
STANDARDS = {".c": "-std=c11", ".cpp": "-std=c++17"}


def find_core():
    for folder in (HERE / "core", HERE.parent):
        if (folder / "runtime" / "src").is_dir():
            return folder
    sys.exit("error: the sources of the runtime are not next to this folder; hint: "
             "install from a checkout of mlir-prof (pip install ./python), or set "
             "MLIR_PROF_WITHOUT_EXTENSION=1 to do without scopes")


def copy_core(to):
    """Copies the sources that the extension needs; returns the copies."""
    copies = []
    root = find_core()
    for pattern in CORE:
        for source in sorted(root.glob(pattern)):
            copy = to / source.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
            copies.append(copy)
    return copies


class BuildExtension(build_ext):
    """Compiles copies: the names of objects derive from those of sources, which
    must not lead out of the folder of the build."""

    def build_extension(self, extension):
        # Not in the folder of this interpreter: a compiler's cache then knows the
        # objects that all of them have in common.
        core = pathlib.Path(self.build_temp).parent / "core"
        suffixes = {pathlib.Path(source).suffix for source in extension.sources}
        extension.sources += [str(copy) for copy in copy_core(core)
                              if copy.suffix in suffixes and
                              copy.name not in LEFT_OUT]
        extension.include_dirs += [str(core / "include"),
                                   str(core / "runtime" / "include"),
                                   str(core / "runtime" / "src")]
        compile_one = type(self.compiler)._compile

        def compile_by_language(obj, source, suffix, arguments, more, options):
            compile_one(self.compiler, obj, source, suffix, arguments,
                        [*more, STANDARDS[suffix]], options)

        self.compiler._compile = compile_by_language
        super().build_extension(extension)


class BuildPackage(build_py):
    """Adds files that are not sources of the package."""

    def run(self):
        super().run()
        files = os.environ.get("MLIR_PROF_FILES")
        if files:
            shutil.copytree(files, pathlib.Path(self.build_lib) / "mlir_prof",
                            dirs_exist_ok=True)


class SourceDistribution(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        copy_core(pathlib.Path(base_dir) / "core")


def choose_optimization():
    """The user's, if there is one in $CFLAGS, else much of it."""
    return [] if "-O" in os.environ.get("CFLAGS", "") else ["-O2"]


def make_extension(name, folder, **options):
    """The extension `name` of the sources in `folder`, which has an exports.map."""
    sources = sorted(path.relative_to(HERE) for path in (HERE / folder).iterdir()
                     if path.suffix in STANDARDS)
    return Extension(
        name, [str(source) for source in sources],
        define_macros=[("_GNU_SOURCE", None)],
        extra_compile_args=[*choose_optimization(), "-g0", "-fvisibility=hidden",
                            "-ffunction-sections"],
        # Threads call into it when they end.
        extra_link_args=[f"-Wl,--version-script={folder}/exports.map",
                         "-Wl,--gc-sections", "-Wl,-z,nodelete", "-pthread"],
        **options)


def list_extensions():
    if (os.environ.get("MLIR_PROF_WITHOUT_EXTENSION") == "1" or
            not sys.platform.startswith("linux")):
        return []
    return [make_extension("mlir_prof._scopes", "src", language="c++"),
            make_extension("mlir_prof._model", "src/model")]


setup(ext_modules=list_extensions(),
      cmdclass={"build_ext": BuildExtension, "build_py": BuildPackage,
                "sdist": SourceDistribution})
