# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interface of a peer."""

import importlib.metadata
import os
import sys

import numpy as np

SERVER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "serve.py")


class Peer:
    """Computes one problem in a separate process.

    Subclasses import their package in `__init__` and return from `prepare` a
    function that computes one request and waits for the result.
    """

    #: Packages whose versions are reported.
    packages = ()

    def __init__(self, problem, threads, folder):
        self.problem, self.threads, self.folder = problem, threads, folder

    def prepare(self, request):
        raise NotImplementedError

    @classmethod
    def load(cls):
        """Imports the packages."""
        for name in cls.packages:
            importlib.import_module(name)

    def results(self, value):
        """The arrays of a call's result, in the layout of the MLIR."""
        several = value if isinstance(value, (list, tuple)) else [value]
        return [np.asarray(one) for one in several]

    @classmethod
    def command(cls, name, problem, threads, folder):
        """The command of the peer's process; see serve.py."""
        return [sys.executable, SERVER, name, problem.key, str(threads),
                str(folder)]

    @classmethod
    def environment(cls, threads):
        return {}

    def version(self):
        return " ".join(importlib.metadata.version(p) for p in self.packages)
