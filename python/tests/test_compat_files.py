# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of the modules with the interface of Paddle's profilers, with the tool, and
Paddle's own files."""

import contextlib
import csv
import io
import json
import os
import pathlib
import unittest

import mlir_prof
from mlir_prof.compat import paddle
from mlir_prof.compat.paddle.fluid import profiler as first
from scope_common import Timed, capture

P = paddle.profiler
#: Recordings of Paddle, and Paddle's own trees of them.
RECORDINGS = pathlib.Path(os.environ["MLIR_PROF_RECORDINGS"]) / "paddle"


class Second(Timed):
    def test_trees_equal_those_of_paddle(self):
        for path in sorted(RECORDINGS.glob("*.pb")):
            result = P.load_profiler_result(path)
            truth = json.loads(path.with_suffix(".tree.json").read_text())
            truth = truth.get("threads", truth)
            self.assertEqual({str(thread) for thread in result.get_data()},
                             set(truth))
            for thread, root in result.get_data().items():
                self.check_tree(root, truth[str(thread)])
            self.assertIn("System Cpu Utilization", result.get_extra_info())
            result.save("copy.pb")
            self.assertEqual(pathlib.Path("copy.pb").read_bytes(),
                             path.read_bytes())
        self.assertGreater(len(list(RECORDINGS.glob("*.pb"))), 2)

    def check_tree(self, node, truth):
        """Names, types and times of all events."""
        self.assertEqual((node.name, node.type.name, node.start_ns,
                          node.end_ns), (truth["name"], truth["type"],
                                         truth.get("begin_ns",
                                                   truth.get("start_ns")),
                                         truth["end_ns"]))
        children = truth.get("children", [])
        self.assertEqual(len(node.children_node), len(children))
        for child, expected in zip(node.children_node, children):
            self.check_tree(child, expected)

    def test_broken_results_are_errors(self):
        path = sorted(RECORDINGS.glob("*.pb"))[0]
        data = path.read_bytes()
        for broken in (data[:100], b"\xff" * 20, data[:-3], b"\x1b",
                       b"\x1a\x04\x12\x02\x08\x01"):
            pathlib.Path("broken.pb").write_bytes(broken)
            with self.assertRaisesRegex(ValueError, "hint: "):
                P.load_profiler_result("broken.pb")

    def test_results_that_were_read_are_saved(self):
        path = sorted(RECORDINGS.glob("*.pb"))[0]
        result = P.load_profiler_result(path)
        result.save("copy.pb")
        self.assertEqual(pathlib.Path("copy.pb").read_bytes(),
                         path.read_bytes())
        result.save("copy.json", "json")
        names = {event["name"] for event in json.loads(
            pathlib.Path("copy.json").read_text())["traceEvents"]
            if event["ph"] == "X"}

        def walk(node):
            for child in node.children_node:
                yield child.name
                yield from walk(child)
        expected = {name for root in result.get_data().values()
                    for name in walk(root)}
        self.assertTrue(expected)
        self.assertEqual(expected - names, set())
        with self.assertRaisesRegex(ValueError, "'xml'"):
            result.save("copy.xml", "xml")

    def test_exported_results_are_read_back(self):
        with P.Profiler(targets=[P.ProfilerTarget.CPU], on_trace_ready=(
                P.export_protobuf("pb", "w"))) as profiler:
            with P.RecordEvent("outer"):
                self.clock.advance(1234)
                with P.RecordEvent('"quoted"\n'):
                    self.clock.advance(5)
        name, = os.listdir("pb")
        self.assertRegex(name, r"^w_time_(\d+_){6}\d+\.paddle_trace\.pb$")
        read = P.load_profiler_result(os.path.join("pb", name))

        def walk(node):
            return [(child.name, child.type, child.end_ns - child.start_ns,
                     walk(child)) for child in node.children_node]
        own = profiler.profiler_result.get_data()
        self.assertEqual([walk(root) for root in read.get_data().values()],
                         [walk(root) for root in own.values()])
        profiler.export("trace.json")
        names = [event["name"] for event in
                 json.loads(pathlib.Path("trace.json").read_text())[
                     "traceEvents"] if event.get("ph") == "X"]
        self.assertIn('"quoted"\n', names)
        with self.assertRaises(ValueError):
            profiler.export("x", format="xml")
        P.export_chrome_tracing("json")(profiler)
        self.assertRegex(os.listdir("json")[0],
                         rf"^host_.*pid_{os.getpid()}_time_.*\.json$")
        with self.assertRaises(RuntimeError):
            P.export_protobuf("/proc/none")


class Handlers(Timed):
    def test_windows_as_protobufs(self):
        handler = mlir_prof.export_paddle_pb("made", "w")
        with mlir_prof.Profiler(on_trace_ready=handler):
            with mlir_prof.scope("a"):
                self.clock.advance(1)
        name, = os.listdir("made")
        self.assertRegex(name, r"^w_time_.*\.paddle_trace\.pb$")
        P.load_profiler_result(os.path.join("made", name))


class First(Timed):
    def spend(self, name, us):
        with mlir_prof.scope(name):
            self.clock.advance(us * 1000)

    def test_a_report_and_a_file(self):
        first.start_profiler("CPU")
        first.start_profiler("All")
        self.assertTrue(first.is_profiler_enabled())
        for index in range(10):
            if index == 2:
                first.reset_profiler()
            with mlir_prof.scope("outer"):
                self.clock.advance(1_000_000)
                self.spend("inner", 500)
        report = capture(first.stop_profiler, "total", "made/profile")
        self.assertFalse(first.is_profiler_enabled())
        self.assertIn("Place: CPU", report)
        self.assertIn("Sorted by total time in descending order", report)
        row, = [line.split() for line in report.splitlines()
                if line.startswith("thread0::outer")]
        self.assertEqual(row[1:6], ["8", "12", "1.5", "1.5", "1.5"])
        # The protobuf is read back equal.
        mlir_prof.run("import", "made/profile", "--keep-events", "-o",
                      "read.mlprof")
        table = mlir_prof.run("report", "read.mlprof", "--by=measured-op",
                              "--format=csv")
        rows = {row["op"]: row for row in csv.DictReader(table.splitlines())}
        self.assertEqual({name: (row["count"], row["duration_ps"],
                                 row["self_ps"]) for name, row in rows.items()},
                         {"outer": ("8", "12000000000", "8000000000"),
                          "inner": ("8", "4000000000", "4000000000")})

    def test_a_session_without_scopes(self):
        for state in ("CPU", "All"):
            first.start_profiler(state)
            capture(first.stop_profiler, None, "empty")
            # Paddle writes the times of the whole, which it does not know.
            self.assertEqual(pathlib.Path("empty").read_bytes(), b"\x10\0\x18\0")
        with contextlib.redirect_stdout(io.StringIO()):
            with first.cuda_profiler("empty-cuda"):
                pass
        self.assertEqual(pathlib.Path("empty-cuda").read_bytes(),
                         b"\x10\0\x18\0")

    def test_context_managers(self):
        report = None
        with self.assertRaises(KeyError):
            with contextlib.redirect_stdout(io.StringIO()) as report:
                with first.profiler("CPU", "calls", "profile"):
                    self.spend("a", 1)
                    raise KeyError
        self.assertIn("Sorted by number of calls", report.getvalue())
        self.assertTrue(os.path.exists("profile"))
        with self.assertRaises(ValueError):
            with first.cuda_profiler("file", "xml"):
                pass
        with contextlib.redirect_stdout(io.StringIO()), \
                contextlib.redirect_stderr(io.StringIO()):
            with first.cuda_profiler("nvprof", "kvp"):
                self.spend("a", 1)
        self.assertTrue(os.path.exists("nvprof"))


if __name__ == "__main__":
    unittest.main()
