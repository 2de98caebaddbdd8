# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pathlib
import shutil
import subprocess

from peers import Missing
from peers.base import Peer

SOURCE = pathlib.Path(__file__).with_suffix(".cpp")


def encode(steps):
    """In the form of the program's arguments."""
    return [":".join(map(str, step)) for step in steps]


class OneDnn(Peer):
    """The matrix products and convolutions alone: a bound, not a contestant.
    """

    @classmethod
    def command(cls, name, problem, threads, folder):
        binary = os.path.join(folder, "onednn")
        compiler = os.environ.get("CXX") or shutil.which("c++")
        if not compiler:
            raise Missing("no C++ compiler")
        if not os.path.exists(binary):
            result = subprocess.run(
                [compiler, "-O2", "-std=c++17", str(SOURCE), "-o", binary,
                 "-ldnnl"], capture_output=True, encoding="utf-8")
            if result.returncode:
                raise Missing("oneDNN's headers or library (libdnnl-dev)")
        arguments = []
        for request in problem.requests:
            arguments += ["request", *encode(problem.steps(request))]
        order = [str(problem.requests.index(r)) for r in problem.trace]
        return [binary, *arguments, "trace", *order]
