# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The annotations of the public names are right, and enough for strict checks by mypy."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import mlir_prof

PACKAGE = pathlib.Path(mlir_prof.__file__).resolve().parents[1]

PROGRAM = '''
import typing
import mlir_prof as mp

model: mp.Model = mp.compile("model.mlir", 1, threads=2, dynamic_shapes={"x": (0,)})
y: typing.Any = model(1, out=None)
profile: mp.Profile = mp.record(model, 1, seconds=1.5, options={"no_peak": True})
table: mp.Table = profile.report("op", level="asm", top=3, filter=["count>1"])
row: typing.Dict[str, typing.Any] = table[0]
column: typing.List[typing.Any] = table["count"]
some: mp.Table = table[1:].filter("count>1", lambda row: row["count"]).sort("-count")
text: str = some.group("op").page(1).to_json() + model.build.to_json()
coverage: typing.Optional[mp.Coverage] = profile.coverage
svg: str = profile.graph(level="llvm").svg + profile.explain(3).text
rows: int = sum(map(len, [profile.diff(profile), profile.advise(), profile.losses,
                          profile.query("SELECT 1"), profile.runs]))
faster: mp.Model = mp.optimize(model, 1, budget=3)
receipts: typing.Optional[mp.Table] = faster.receipts
path: str = str(faster.save("m.mprof")) + profile.annotate()
loaded: mp.Model = mp.load("m.mprof", trust=True)
opened: mp.Profile = mp.open("p.mlprof", model="m.mlir")
output: str = mp.run("info", format="json") + mp.find_tool()

@mp.scope("name", type=mp.Type.Forward)
def function(number: int) -> str:
    mp.begin("name")
    mp.end()
    mp.interval("name", 0, 1)
    with mp.here(), mp.timeit("name"):
        return str(number)

with mp.Profiler(schedule=mp.schedule(1, 1, 3), count=["cpu_time"],
                 on_trace_ready=mp.export_chrome("folder")) as profiler:
    result: str = mp.bind(function)(3)
    profiler.step(num_samples=4)
seconds: typing.Dict[str, float] = profiler.get()
names: typing.List[str] = [row.name for row in profiler.rows("path")]
with profiler.profile() as scopes:
    scopes.export("trace.json", "chrome-json")
with mp.profiler("CPU"):
    pass
for item in mp.wrap_loader([1]):
    print(item)
'''


class Types(unittest.TestCase):
    def check(self, *arguments):
        result = subprocess.run([sys.executable, "-m", "mypy", *arguments],
                                cwd=PACKAGE, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_package(self):
        with tempfile.TemporaryDirectory() as cache:
            self.check(f"--cache-dir={cache}", "mlir_prof")

    def test_programs_that_use_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.py"
            path.write_text(PROGRAM)
            self.check(f"--cache-dir={folder}/cache", "--strict",
                       "--ignore-missing-imports", str(path))

    def test_mistakes_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.py"
            path.write_text("import mlir_prof as mp\n"
                            "number: int = mp.record('m').report()\n")
            with self.assertRaisesRegex(AssertionError, '"Table", variable has type'):
                self.check(f"--cache-dir={folder}/cache", "--strict", str(path))


if __name__ == "__main__":
    unittest.main()
