# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir-prof."""

from ._contestant import Base, Recording

FORMS = ("mlir",)


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        from ... import _compile
        from ...tool import run
        self.version = run("--version").strip().splitlines()[0].rpartition(" ")[2]
        self.model = _compile.compile(str(path), threads=threads, progress=False,
                                      options={"entry": "main"})

    def call(self):
        return self.model(*self.inputs)

    def record(self, folder, calls):
        from ..._record import record
        profile = record(self.model, *self.inputs, progress=False,
                         seconds=max(self.seconds_of(calls), 0.5))
        path = profile.save(folder / "own.mlprof")
        runs = profile.report(by="op").document["runs"]
        return Recording(sum(run["iterations"] for run in runs), path)

    def seconds_of(self, calls):
        """About the time of so many calls."""
        import time
        begin = time.perf_counter()
        self.call()
        return (time.perf_counter() - begin) * calls
